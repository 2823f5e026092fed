import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chooseClient, type Client } from '../../src/service/client/index.ts'
import {
  bodyOf,
  callIn,
  clientsIn,
  listening,
  proved,
  replyOf,
  runHook,
  standaloneScript,
} from '../support/thin-client.ts'
import { folderForAll, folderWith } from '../support/workspace.ts'
import { missing } from '../support/own-folder.ts'
import { runsOf } from '../support/sample.ts'

const installed = folderForAll()
const clients = await clientsIn(installed)
const event = JSON.stringify({ hookName: 'PreToolUse', hook_event_name: 'PreToolUse', stop_hook_active: false })

/** The client's own file: the last word of its command. */
const fileOf = ({ command }: Client) => command.at(-1) ?? ''

/** The same client with its own file replaced. */
const withFile = (client: Client, file: string): Client => ({
  ...client,
  command: [...client.command.slice(0, -1), file],
})

/** Copies the client's file beside all that it imports, with changed content. */
function damaged(client: Client, content: (whole: Buffer) => string | Uint8Array, mode = 0o700): Client {
  const file = join(folderWith({}), `client${client.kind === 'node' ? '.mjs' : ''}`)
  writeFileSync(file, content(readFileSync(fileOf(client))), { mode })
  return withFile(client, file)
}

/** The same program, said to be for a machine that there is not. */
function ofAnotherMachine(whole: Buffer): Buffer {
  const other = Buffer.from(whole)
  other.writeUInt16LE(0x7fff, 18)
  return other
}

/** Replies that each agent treats as a refusal. */
const refusals = {
  'claude-code': { exitCode: 2, output: '"permissionDecision":"deny"' },
  cline: { exitCode: 0, output: '"cancel":true' },
} as const

describe.each(clients)('of the $kind client', (client) => {
  describe.each(['claude-code', 'cline'] as const)('for %s', (agent) => {
    it.each([
      ['is empty', () => damaged(client, () => '')],
      ['is one line end', () => damaged(client, () => '\n')],
      ['is full of zeros, as after a loss of power', () => damaged(client, (whole) => Buffer.alloc(whole.length))],
      ['is cut off in the middle', () => damaged(client, (whole) => whole.subarray(0, whole.length / 2))],
      ['is another program', () => damaged(client, () => (client.kind === 'native' ? '#!/bin/sh\nexit 0\n' : '1;'))],
      ['is gone', () => withFile(client, missing)],
      ['is a folder', () => withFile(client, installed)],
    ])('a file that %s is no consent', async (damage, broken) => {
      // What cannot be executed leaves the decision to Node: here it has none.
      const isLeftToNode = client.kind === 'native' && /folder|zeros/.test(damage)
      const call = { ...callIn(isLeftToNode ? undefined : standaloneScript), agent }
      await listening(call.socket, (gate, request) => {
        if (bodyOf(request) !== undefined) gate.end(proved(request, replyOf('')))
      })
      const ended = await runHook(broken(), call, event)
      const { exitCode, output } = refusals[agent]
      expect([ended.exitCode, ended.stdout.toString()]).toEqual([exitCode, expect.stringContaining(output)])
    })
  })

  it.runIf(client.kind === 'native').each([
    ['may not be executed', () => damaged(client, (whole) => whole, 0o600)],
    ['is of another machine', () => damaged(client, ofAnotherMachine)],
    ['has no loader', () => damaged(client, () => '#!/none/such/loader\n')],
    ['is a program whose interpreter may not be executed', () => damaged(client, () => '#!/etc/passwd\n')],
    ['is a folder', () => withFile(client, installed)],
    ['is full of zeros', () => damaged(client, (whole) => Buffer.alloc(whole.length))],
  ])('a file that %s leaves the decision to Node', async (_damage, broken) => {
    const call = { ...callIn(standaloneScript), agent: 'claude-code' }
    const ended = await runHook(broken(), call, event)
    const alone = await runHook(client, call, event)
    expect([ended.exitCode, ended.stdout.toString()]).toEqual([alone.exitCode, alone.stdout.toString()])
  })

  it('accepts no exit code but its own four as an answer', async () => {
    const call = { ...callIn(), agent: 'claude-code' }
    const others = fc.nat({ max: 255 }).filter((code) => code < 118 || code > 121)
    await fc.assert(
      fc.asyncProperty(others, async (code) => {
        const stub = { ...client, command: ['/bin/sh', '-c', `exit ${code}`] }
        const ended = await runHook(stub, call, event)
        expect([ended.exitCode, ended.stdout.toString()]).toEqual([2, expect.stringContaining('"deny"')])
      }),
      { numRuns: runsOf(40), examples: [[0], [1], [2], [64], [65], [122], [124], [125], [126], [127], [137], [255]] },
    )
  })

  it.each([0, 1, 2])('accepts empty output with the exit code %i if the gate replied so', async (exitCode) => {
    const call = { ...callIn(), agent: 'claude-code' }
    await listening(call.socket, (gate, request) => {
      if (bodyOf(request) !== undefined) gate.end(proved(request, replyOf('', '', exitCode)))
    })
    const ended = await runHook(client, call, event)
    expect([ended.exitCode, ended.stdout.toString(), ended.stderr.toString()]).toEqual([exitCode, '', ''])
  })

  it.runIf(client.kind !== 'node')('replaces a damaged file and keeps an intact one', async () => {
    const folder = mkdtempSync(join(installed, 'again-'))
    const choose = async () => (await chooseClient({ folder, node: process.execPath, kinds: [client.kind] })).client
    const first = fileOf(await choose())
    const whole = readFileSync(first)
    const { ino } = statSync(first)
    if (client.kind === 'native') {
      expect(fileOf(await choose())).toBe(first)
      expect(statSync(first).ino).toBe(ino)
    }
    for (const damage of [() => truncateSync(first), () => writeFileSync(first, `${whole.toString('latin1')} `)]) {
      damage()
      // oxlint-disable-next-line no-await-in-loop -- one damage after the other
      const again = readFileSync(fileOf(await choose()))
      expect(again.length).toBeGreaterThan(0)
      expect(again.toString('latin1')).not.toBe(`${whole.toString('latin1')} `)
    }
    // No draft is left behind.
    expect(readdirSync(folder).every((name) => /^client-[-\da-f]+$/.test(name))).toBe(true)
  })
})

it.runIf(spawnSync('strace', ['-V']).status === 0)(
  'a client is flushed to disk before it is renamed into place',
  () => {
    const folder = mkdtempSync(join(installed, 'traced-'))
    const script = `import { install } from '${new URL('../../src/service/client/install.ts', import.meta.url).href}'
    for (const kind of ['native']) await install(kind, '${folder}', process.execPath)`
    const words = ['-f', '-e', 'trace=fsync,rename', process.execPath, '--input-type=module', '-e', script]
    const { stderr } = spawnSync('strace', words, { encoding: 'utf8' })
    const calls = [...stderr.matchAll(/\b(fsync|rename)\((.*)/g)].filter(
      ([, name, rest]) => name === 'fsync' || rest?.includes(folder),
    )
    const renames = calls.flatMap(([, name], at) => (name === 'rename' ? [calls[at - 1]?.[1]] : []))
    expect(renames).toEqual(clients.filter(({ kind }) => kind !== 'node').map(() => 'fsync'))
  },
)
