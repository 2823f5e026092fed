import { chmodSync, existsSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Client, hookScript } from '../../src/service/client/index.ts'
import { probe } from '../../src/service/client/probe.ts'
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

const installed = folderForAll()
const clients = await clientsIn(installed)
const event = JSON.stringify({ hookName: 'PreToolUse', taskId: '1' })
const bash = '/bin/bash'

describe.each(clients)('the $kind client', (client) => {
  const shells = [client, { ...client, shell: [bash, '-p'] }].filter(({ shell: [file = ''] }) => existsSync(file))

  it.each(shells.map((one): readonly [string, Client] => [one.shell.join(' '), one]))(
    'under %s, loads and runs nothing that the environment names',
    async (_shell, one) => {
      const call = callIn(standaloneScript)
      const mark = join(call.folder, 'marked')
      writeFileSync(join(call.folder, 'Evil.pm'), `open my $f, '>', '${mark}'; exit 0;`)
      writeFileSync(join(call.folder, 'evil.sh'), `: >'${mark}'; exit 0\n`)
      writeFileSync(join(call.folder, 'evil.cjs'), `require('fs').writeFileSync('${mark}', ''); process.exit(0)\n`)
      for (const name of ['echo', 'sh', 'node', 'cat']) {
        writeFileSync(join(call.folder, name), `#!/bin/sh\n: >'${mark}'\n`)
        chmodSync(join(call.folder, name), 0o755)
      }
      await listening(call.socket, (gate, request) => {
        if (bodyOf(request) !== undefined) gate.end(proved(request, replyOf('{"cancel":true}', 'told\n', 2)))
      })
      const env = {
        PATH: call.folder,
        HOME: call.folder,
        IFS: '/-',
        LC_ALL: 'tr_TR.none',
        LANGUAGE: 'none',
        ENV: join(call.folder, 'evil.sh'),
        BASH_ENV: join(call.folder, 'evil.sh'),
        SHELLOPTS: 'noexec:noglob',
        BASHOPTS: 'expand_aliases',
        POSIXLY_CORRECT: '1',
        'BASH_FUNC_echo%%': `() { : >'${mark}'; exit 0; }`,
        'BASH_FUNC_exit%%': `() { : >'${mark}'; }`,
        NODE_OPTIONS: `--require=${join(call.folder, 'evil.cjs')}`,
        NODE_PATH: call.folder,
      }
      const result = await runHook(one, call, event, { env })
      expect([result.stdout.toString(), result.exitCode]).toEqual(['{"cancel":true}', 2])
      // Some shells warn about a missing locale before the client runs.
      expect(result.stderr.toString()).toMatch(/told\n$/)
      rmSync(call.socket)
      const alone = await runHook(one, { ...call, socket: `${call.socket}.none` }, event, {
        env: { ...env, PATH: '/bin' },
      })
      expect(alone.stdout.toString()).toBe(`alone:${event}`)
      const neither = await runHook(one, { ...call, socket: `${call.socket}.none`, node: missing }, event, {
        env,
      })
      expect(JSON.parse(neither.stdout.toString())).toMatchObject({ cancel: true })
      expect(existsSync(mark)).toBe(false)
    },
  )

  it.runIf(existsSync(bash))('is not installed with a shell that the environment can influence', async () => {
    // A probe that always fails would prove nothing.
    expect(await probe(client)).toBe(undefined)
    expect(await probe({ ...client, shell: [bash] })).toBe('the gate does not receive the event as it was sent')
  })

  it('passes the environment on unchanged, except for the variables of Node programs', async () => {
    const call = callIn(`cat >/dev/null; echo "$LC_ALL-$NODE_OPTIONS-$MINE"; exit 118`)
    const env = { LC_ALL: 'tr_TR.UTF-8', NODE_OPTIONS: '--no-warnings', MINE: 'a b' }
    const ended = await runHook(client, call, event, { env: { ...env, PATH: '/bin' } })
    expect(ended.stdout.toString()).toBe('tr_TR.UTF-8--a b\n')
  })

  it.each([
    ['may be written to by others', 0o777],
    ['may be looked into by others', 0o755],
  ])('does not ask a socket in a folder that %s', async (_situation, mode) => {
    const call = callIn(standaloneScript)
    const { requests } = await listening(call.socket, (gate, request) =>
      gate.end(proved(request, replyOf('{"cancel":false}'))),
    )
    chmodSync(call.folder, mode)
    const ended = await runHook(client, call, event)
    expect(ended.stdout.toString()).toBe(`alone:${event}`)
    expect(requests).toEqual([])
  })

  it('does not connect to a socket behind a symbolic link to a folder', async () => {
    const call = callIn(standaloneScript)
    const { requests } = await listening(call.socket, (gate, request) =>
      gate.end(proved(request, replyOf('{"cancel":false}'))),
    )
    const linked = folderWith({})
    symlinkSync(call.folder, join(linked, 'gate'))
    const ended = await runHook(client, { ...call, socket: join(linked, 'gate', 'gate.sock') }, event)
    expect(ended.stdout.toString()).toBe(`alone:${event}`)
    expect(requests).toEqual([])
  })

  it('takes every argument literally, whatever it contains', async () => {
    const call = callIn()
    const odd = join(call.folder, `it's "$(touch x)" \`y\` \\ ; & \n *`)
    writeFileSync(odd, '')
    const echo = join(call.folder, 'echo')
    writeFileSync(echo, '#!/bin/sh\necho "$*"; exit 118\n', { mode: 0o700 })
    const script = hookScript(client, { ...call, bin: odd, node: echo })
    expect(script).toContain(`it'\\''s "$(touch x)"`)
    const ended = await runHook(client, { ...call, bin: odd, node: echo }, event)
    expect(ended.stdout.toString()).toBe(`${odd} run --agent cline --answered=118\n`)
  })
})
