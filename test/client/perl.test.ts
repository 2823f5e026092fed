import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { perlSource } from '../../src/client/perl.ts'
import { callIn, clientsIn, runHook, saysAlone } from '../support/thin-client.ts'
import { folderWith } from '../support/workspace.ts'

/** As on a machine with no room for a process more: the one that is to start the gate can start none. */
const noSecondFork = String.raw`BEGIN {
  my $first = $$;
  *CORE::GLOBAL::fork = sub () { $$ == $first ? CORE::fork() : undef };
}
`

it('the Perl client does not become the gate where no process is to be had for it: its agent would wait', async ({
  skip,
}) => {
  const client = (await clientsIn(join(folderWith(), 'clients'))).find(({ kind }) => kind === 'perl')
  if (client === undefined) return skip('there is no Perl')
  const patched = join(folderWith(), 'client.pl')
  const hook = async (before: string) => {
    writeFileSync(patched, `${before}${perlSource}`)
    const call = { ...callIn(`[ "$1" = up ] && touch "$0.up"; ${saysAlone}`), bringUp: true }
    const { stdout } = await runHook({ ...client, command: [...client.command.slice(0, -1), patched] }, call, '{}')
    return { said: stdout.toString(), isUp: () => existsSync(`${call.bin}.up`) }
  }
  const usual = await hook('')
  await expect.poll(usual.isUp).toBe(true)
  const { said, isUp } = await hook(noSecondFork)
  expect({ said, isUp: isUp() }).toEqual({ said: 'alone:{}', isUp: false })
})
