import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { entryFile } from '../../src/files/program-files.ts'
import { hookgate } from '../support/cli.ts'
import { bodyOf, callIn, clientsIn, listening, proved, replyOf, runHook } from '../support/thin-client.ts'
import { clineTool } from '../support/wire.ts'
import { folderForAll, folderWith, rulesWith } from '../support/workspace.ts'
import { missing } from '../support/own-folder.ts'

const installed = folderForAll()
const clients = await clientsIn(installed)
const event = JSON.stringify({ hookName: 'PreToolUse', taskId: '1' })
const bin = entryFile('cli/bin')
const pipe = join(installed, 'pipe')
spawnSync('mkfifo', [pipe])

/** Each of these keeps Node from starting, or from exiting, for minutes or for ever. */
const hostile = [
  ['NODE_V8_COVERAGE', '/proc/nonexistent'],
  ['NODE_COMPILE_CACHE', '/proc/nonexistent'],
  ['TMPDIR', '/proc'],
  ['OPENSSL_CONF', pipe],
  ['NODE_CHANNEL_FD', 'none'],
  ['NODE_OPTIONS', `--require=${missing}`],
] as const

describe.each(clients)('the $kind client', (client) => {
  it.each(hostile)('gets the gate’s answer whatever %s is', async (name, value) => {
    const call = callIn()
    await listening(call.socket, (gate, request) => {
      if (bodyOf(request) !== undefined) gate.end(proved(request, replyOf('{"cancel":false}')))
    })
    const ended = await runHook(client, call, event, { env: { [name]: value } })
    expect([ended.stdout.toString(), ended.stderr.toString()]).toEqual(['{"cancel":false}', ''])
  })

  it.each(hostile)('falls back to a process of its own whatever %s is', async (name, value) => {
    const call = { ...callIn(), node: process.execPath, bin }
    const ended = await runHook(client, call, 'no event', { env: { HOME: call.folder, [name]: value } })
    expect(ended.stdout.toString()).toContain('the event is not JSON')
  })

  it('does not take a command line that is killed for an answer', async () => {
    const file = join(folderWith({ 'bin.mjs': '' }), 'bin.mjs')
    const call = { ...callIn(), agent: 'claude-code', node: process.execPath, bin: file }
    const ended = await runHook(client, call, event)
    expect([ended.exitCode, ended.stdout.toString()]).toEqual([2, expect.stringContaining('"deny"')])
  })
})

const bounded = clients.filter(({ deadline }) => deadline !== undefined)
it.runIf(bounded.length > 0).each([
  ['before its first line', 'NODE_COMPILE_CACHE', '/proc/nonexistent'],
  ['after its last', 'NODE_V8_COVERAGE', '/proc/nonexistent'],
])('the node client is ended from outside where it hangs %s', async (_where, name, value) => {
  for (const client of bounded) {
    const call = { ...callIn(), answerMs: 1500 }
    // oxlint-disable-next-line no-await-in-loop -- there is one
    const ended = await runHook({ ...client, assignments: [] }, call, event, { env: { [name]: value } })
    expect(JSON.parse(ended.stdout.toString())).toMatchObject({ cancel: true })
  }
})

it('`hookgate run` answers once and exits if its coverage cannot be written', async () => {
  const home = folderWith({ 'hooks.json': rulesWith('PreToolUse', 'echo "covered:$NODE_V8_COVERAGE." >&2; exit 2') })
  const argv = ['run', '--no-discover', '--rules', join(home, 'hooks.json')]
  const stdin = JSON.stringify(clineTool('execute_command', { command: 'ls' }, home))
  const ended = await hookgate(argv, { stdin, env: { HOME: home, NODE_V8_COVERAGE: '/proc/nonexistent' } })
  expect([ended.exitCode, JSON.parse(ended.stdout)]).toMatchObject([0, { cancel: true }])
  // The hooks that it runs do not hang either.
  expect(ended.stdout).toContain('covered:.')
})

it('`hookgate run` answers where Node cannot make its cache in the temporary folder', async () => {
  const home = folderWith()
  const stdin = JSON.stringify(clineTool('execute_command', { command: 'ls' }, home))
  const ended = await hookgate(['run', '--no-discover'], { stdin, env: { HOME: home, TMPDIR: '/proc' } })
  expect([ended.exitCode, JSON.parse(ended.stdout)]).toMatchObject([0, { cancel: false }])
})

it('`hookgate run` refuses where the home folder is missing, says so, and creates none', async () => {
  const home = join(folderWith(), 'missing')
  const stdin = JSON.stringify(clineTool('execute_command', { command: 'ls' }, installed))
  const ended = await hookgate(['run'], { stdin, env: { HOME: home } })
  expect(JSON.parse(ended.stdout)).toMatchObject({ cancel: true })
  expect(ended.stdout).toContain('does not exist; set `HOME`')
  expect(existsSync(home)).toBe(false)
})
