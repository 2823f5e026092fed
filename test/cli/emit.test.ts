import { once } from 'node:events'
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { programFolder } from '../../src/files/program-files.ts'
import { hookgate } from '../support/cli.ts'
import { deadPort, listener, rawListener } from '../support/listener.ts'
import { folderWith } from '../support/workspace.ts'

const program = (name: string) => join(programFolder, 'cli', `${name}.js`)
const jsonIn = (folder: string, name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8'))
const silentSuccess = { stdout: '', stderr: '', exitCode: 0 }
const clineEvent = '{"hookName":"PostToolUse","taskId":"1"}'
const claudeEvent = '{"hook_event_name":"PostToolUse","session_id":"1"}'

/** Runs `hookgate emit` in a temporary home. */
async function emitted(
  stdin: string,
  argv: readonly string[],
  call: { bin?: string; home?: string; cwd?: string } = {},
) {
  const { bin, cwd, home = folderWith() } = call
  const words = bin === undefined ? ['emit', ...argv] : argv
  const ended = await hookgate(words, {
    stdin,
    env: { HOME: home, HOOKGATE_HOME: join(home, 'gate') },
    ...(bin !== undefined && { bin: program(bin) }),
    ...(cwd !== undefined && { cwd }),
  })
  return { home, ended }
}

describe('hookgate emit, without a home', () => {
  it.each(['', '.', 'relative'])(
    'stores the event in the account’s home, not in the project, where `HOME` is %j',
    async (HOME) => {
      const account = folderWith()
      // Stubbed so that nothing is written into the real home of the account that runs this test.
      const record = `import os from 'node:os'
      import { syncBuiltinESMExports } from 'node:module'
      os.userInfo = () => ({ homedir: ${JSON.stringify(account)} })
      syncBuiltinESMExports()`
      const preload = join(folderWith({ 'account.mjs': record }), 'account.mjs')
      const project = folderWith()
      const ended = await hookgate(['emit', '--port', `${await deadPort()}`], {
        stdin: clineEvent,
        cwd: project,
        env: { HOME, HOOKGATE_HOME: join(account, 'gate'), NODE_OPTIONS: `--import ${preload}` },
      })
      expect(readdirSync(project)).toEqual([])
      expect(ended).toEqual(silentSuccess)
      const kept = jsonIn(join(account, '.cline', 'hook-events'), 'cline-hook-events.json')
      expect(kept).toEqual([JSON.parse(clineEvent)])
    },
  )
})

describe('hookgate emit, with a listener', () => {
  it.each([
    ['cline', clineEvent, '/cline-hook'],
    ['claude-code', claudeEvent, '/claude-hook'],
  ])('forwards an event of %s, and prints nothing that an agent could take for a decision', async (_, event, route) => {
    const { port, requests } = await listener()
    const { home, ended } = await emitted(event, ['--port', `${port}`])
    expect(ended).toEqual(silentSuccess)
    expect(requests.map(({ path, body }) => ({ path, body }))).toEqual([{ path: route, body: event }])
    expect(readdirSync(home)).toEqual([])
  })

  it('uses the agent that is named, whatever the event looks like', async () => {
    const { port, requests } = await listener()
    await emitted(claudeEvent, ['--port', `${port}`, '--agent', 'cline'])
    await emitted(clineEvent, ['--port', `${port}`], { bin: 'claude-hook' })
    await emitted(claudeEvent, ['--port', `${port}`], { bin: 'cline-hook' })
    expect(requests.map(({ path }) => path)).toEqual(['/cline-hook', '/claude-hook', '/cline-hook'])
  })

  it('sends the token to the gate, and to no other listener', async () => {
    const { port, requests } = await listener()
    const token = 't'.repeat(43)
    const pid = process.pid
    const start = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[19]
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const state = { pid, processStart: `${start} ${boot}`, http: `http://127.0.0.1:${port}` }
    const homeOf = (content: object) => {
      const home = folderWith({ 'gate/gate.json': JSON.stringify(content), 'gate/token': `${token}\n` })
      for (const name of ['gate.json', 'token']) chmodSync(join(home, 'gate', name), 0o600)
      return home
    }
    await emitted(clineEvent, ['--port', `${port}`], { home: homeOf(state) })
    await emitted(clineEvent, ['--port', `${port}`], { home: homeOf({ ...state, http: 'http://127.0.0.1:1' }) })
    await emitted(clineEvent, ['--port', `${port}`], { home: homeOf({ ...state, processStart: `1 ${boot}` }) })
    expect(requests.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${token}`, undefined, undefined])
  })
})

describe('hookgate emit, with the resident gate as listener', () => {
  it('authenticates with its token, and is received', async () => {
    const home = folderWith()
    const port = `${await deadPort()}`
    const env = { PATH: process.env['PATH'] ?? '', HOME: home, HOOKGATE_HOME: join(home, 'gate') }
    const gate = spawn(process.execPath, [program('bin'), 'serve', '--http', port], { env, stdio: 'pipe' })
    onTestFinished(async () => {
      const gone = once(gate, 'exit')
      if (gate.kill('SIGTERM')) await gone
    })
    await once(gate.stdout, 'data')
    expect((await emitted(clineEvent, ['--port', port], { home })).ended).toEqual(silentSuccess)
    expect(existsSync(join(home, '.cline'))).toBe(false)
    const authorization = `Bearer ${readFileSync(join(home, 'gate', 'token'), 'utf8').trim()}`
    const answer = await fetch(`http://127.0.0.1:${port}/v1/events`, { headers: { authorization } })
    expect(await answer.json()).toMatchObject({ events: [{ agent: 'cline', event: JSON.parse(clineEvent) }] })
  })
})

describe('hookgate emit, without a listener', () => {
  it('stores the event unchanged in the file of its agent', async () => {
    const port = `${await deadPort()}`
    const home = folderWith()
    const odd = '{"hookName":"PostToolUse",\n "n": 12345678901234567890, "n": 1.0}'
    expect((await emitted(odd, ['--port', port], { home })).ended).toEqual(silentSuccess)
    expect((await emitted(claudeEvent, ['--port', port], { home })).ended).toEqual(silentSuccess)
    const folder = join(home, '.cline', 'hook-events')
    expect(readFileSync(join(folder, 'cline-hook-events.json'), 'utf8')).toBe(`[\n${odd.replace('\n', ' ')}\n]\n`)
    expect(jsonIn(join(home, '.claude', 'hook-events'), 'claude-hook-events.json')).toEqual([JSON.parse(claudeEvent)])
    expect(existsSync(join(folder, 'cline-hook-events-errors.json'))).toBe(false)
  })

  it('stores it in the folder that is named, with `~` for the home', async () => {
    const port = `${await deadPort()}`
    const home = folderWith()
    await emitted(claudeEvent, ['--port', port, '--dir', '~/.cline/hook-events'], { bin: 'claude-hook', home })
    expect(jsonIn(join(home, '.cline', 'hook-events'), 'claude-hook-events.json')).toHaveLength(1)
    await emitted(clineEvent, ['--port', port, '--dir', 'here'], { home, cwd: home })
    expect(jsonIn(join(home, 'here'), 'cline-hook-events.json')).toHaveLength(1)
  })

  it('stores it, and logs why, where a listener hangs or refuses', async () => {
    const hanging = await rawListener(() => {})
    const { port } = await listener(503)
    const home = folderWith()
    const hung = await emitted(clineEvent, ['--port', `${hanging}`, '--dir', home])
    const refused = await emitted(clineEvent, ['--port', `${port}`, '--dir', home])
    expect([hung.ended.exitCode, refused.ended.exitCode]).toEqual([0, 0])
    expect([hung.ended.stdout, refused.ended.stdout]).toEqual(['', ''])
    expect(refused.ended.stderr).toBe(`hookgate: the listener on port ${port} did not accept it: it answered 503\n`)
    expect(jsonIn(home, 'cline-hook-events.json')).toHaveLength(2)
    expect(jsonIn(home, 'cline-hook-events-errors.json')).toMatchObject([
      { errors: [expect.stringContaining('timed out after 1000 ms')] },
      { errors: [expect.stringContaining('it answered 503')] },
    ])
    expect(statSync(join(home, 'cline-hook-events-errors.json')).mode & 0o777).toBe(0o600)
  })

  it('reads an event from an agent that never closes its end', async () => {
    const home = folderWith()
    const argv = [program('bin'), 'emit', '--port', `${await deadPort()}`, '--dir', home]
    const child = spawn(process.execPath, argv, { stdio: ['pipe', 'ignore', 'ignore'] })
    onTestFinished(() => void child.kill('SIGKILL'))
    child.stdin.write(clineEvent)
    expect(await once(child, 'exit')).toEqual([0, null])
    expect(jsonIn(home, 'cline-hook-events.json')).toHaveLength(1)
  })
})

describe('hookgate emit, with unusable input', () => {
  it.each([
    ['', 'there is no event on stdin'],
    ['{"half":', 'not a JSON object: `{"half":`'],
    ['[]', 'not a JSON object'],
    ['"\u001b[31m"', 'not a JSON object'],
    [' '.repeat(17 * 1024 * 1024), 'larger than'],
  ])('reports and logs it, and never exits with 2, which would block: %#', async (stdin, message) => {
    const home = folderWith()
    const { ended } = await emitted(stdin, ['--dir', home])
    expect(ended).toMatchObject({ stdout: '', exitCode: 1 })
    expect(ended.stderr).toContain(message)
    expect(ended.stderr).not.toContain('\u001b')
    expect(jsonIn(home, 'cline-hook-events-errors.json')).toMatchObject([
      { errors: [expect.stringContaining(message)] },
    ])
    expect(existsSync(join(home, 'cline-hook-events.json'))).toBe(false)
  })

  it('stores an event of an unknown agent beside the errors, without forwarding it, until its agent is named', async () => {
    const { port, requests } = await listener(200)
    const home = folderWith()
    const stray = '{"a": 12345678901234567890,\n"b": 1.0}'
    const { ended } = await emitted(stray, ['--port', `${port}`], { home })
    expect(ended).toMatchObject({ stdout: '', exitCode: 1 })
    expect(ended.stderr).toMatch(/^hookgate: no known agent .*; name its agent with `--agent NAME`\n$/)
    expect(requests).toEqual([])
    const folder = join(home, '.cline', 'hook-events')
    expect(jsonIn(folder, 'cline-hook-events-errors.json')).toMatchObject([{ event: { b: 1 } }])
    expect(readFileSync(join(folder, 'cline-hook-events-errors.json'), 'utf8')).toContain('12345678901234567890')
    expect(existsSync(join(folder, 'cline-hook-events.json'))).toBe(false)

    // No agent is there only because an event was kept.
    const HOOKGATE_HOME = join(home, 'gate')
    const init = await hookgate(['init', '--dry-run'], { env: { HOME: home, HOOKGATE_HOME }, cwd: folderWith() })
    expect(init.stderr).toMatch(/^hookgate: no agent was found in /)

    const named = await emitted(stray, ['--agent', 'cline', '--port', `${await deadPort()}`], { home })
    expect(named.ended).toEqual(silentSuccess)
    expect(jsonIn(folder, 'cline-hook-events.json')).toHaveLength(1)
  })

  it('keeps the beginning of a large event, and the errors before it', async () => {
    const home = folderWith()
    await emitted('[]', ['--dir', home])
    await emitted(JSON.stringify({ text: 'x'.repeat(2_000_000) }), ['--dir', home])
    expect(jsonIn(home, 'cline-hook-events-errors.json')).toMatchObject([
      { errors: [expect.any(String)] },
      { event: expect.stringMatching(/^\{"text":"xxx.*…$/) },
    ])
  })

  it('reports a folder that cannot be created', async () => {
    const home = folderWith({ file: 'x' })
    const { ended } = await emitted(clineEvent, ['--port', `${await deadPort()}`, '--dir', join(home, 'file', 'below')])
    expect(ended).toMatchObject({ stdout: '', exitCode: 1 })
    expect(ended.stderr).toContain('could not be kept')
    expect(ended.stderr).toContain('--dir')
    expect(ended.stderr.trim().split('\n')).toHaveLength(1)
  })

  it.each([
    ['--port', '0'],
    ['--port', '70000'],
    ['--port', 'http'],
    ['--dir='],
    ['--agent', 'gemini'],
    ['--unknown'],
    ['extra'],
  ])('%s %s is a mistake that it names', async (...argv) => {
    const { ended } = await emitted(
      clineEvent,
      argv.filter((word) => word !== undefined),
    )
    expect(ended).toMatchObject({ stdout: '', exitCode: 1 })
    expect(ended.stderr).toMatch(/^hookgate: .*; see `hookgate emit --help`\n$/)
  })
})

it('hookgate emit --help lists its options', async () => {
  const { ended } = await emitted('', ['--help'])
  expect(ended).toMatchObject({ stderr: '', exitCode: 0 })
  expect(ended.stdout).toContain('--port')
})

it.each(['cline-hook', 'claude-hook'])('%s passes what is not an event to the command of its name', async (name) => {
  const { ended } = await emitted('', ['--help'], { bin: name })
  expect(ended).toMatchObject({ stderr: '', exitCode: 0 })
  expect(ended.stdout).toContain(`hookgate ${name} --enable`)
})
