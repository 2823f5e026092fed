import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { entryFile, version } from '../../src/files/program-files.ts'
import { limits } from '../../src/model/limits.ts'
import { askGate } from '../../src/service/server/ask-gate.ts'
import { freePort, kill, residentUser } from '../support/resident.ts'
import { clientsIn, runHook, standaloneScript } from '../support/thin-client.ts'
import { rulesWith } from '../support/workspace.ts'

// One gate serves all sessions of a user. No session may affect which rules, messages or programs another gets, or evade
// its own guards by changing its folder.

const bin = entryFile('cli/bin')
const clients = await clientsIn()

/** Prints the environment that it runs in, and refuses. */
const printsEnv = 'cat >/dev/null; echo "found:$MINE:$THEIRS:$PATH:$CLAUDE_PROJECT_DIR" >&2; exit 2'

async function twoProjects(more: Parameters<typeof residentUser>[0] = {}) {
  const user = residentUser({ 'a/x': '', 'b/.hookgate/hooks.json': rulesWith('PreToolUse', printsEnv), ...more })
  const at = (name: string) => join(user.folder, name)
  expect((await user.cli(['trust'], { cwd: at('b') })).exitCode).toBe(0)
  // Runs the owner's own gate once, so that the owner's environment for gates is known.
  await user.cli(['up'])
  await user.cli(['down'])
  const { folder, socket } = user.places
  const agent = { agent: 'claude-code', event: 'PreToolUse', folder, socket, version: version(), aliveMs: 20_000 }
  const call = { ...agent, node: process.execPath, bin }
  writeFileSync(at('alone'), standaloneScript)
  // A call whose fallback is recognizable, so that an answer from the gate can be distinguished.
  const ofGate = { ...agent, node: '/bin/sh', bin: at('alone'), startsGate: false }
  const sessionOf = (name: string, env: Readonly<Record<string, string>> = {}) => ({
    env: { ...user.env, CLAUDECODE: '1', CLAUDE_PROJECT_DIR: at(name), ...env },
    cwd: at(name),
  })
  return { ...user, at, call, ofGate, sessionOf }
}

const eventIn = (cwd: string, more: object = {}) =>
  JSON.stringify({
    session_id: 's',
    transcript_path: '',
    cwd,
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'ls' },
    ...more,
  })

describe.each(clients)('a gate that a session has the $kind client bring up', (client) => {
  it('applies to every session only that session’s own rules and environment', async () => {
    const user = await twoProjects()
    const secret = {
      THEIRS: 'token',
      PATH: `${user.at('a')}:${process.env['PATH'] ?? ''}`,
      XDG_CONFIG_HOME: user.at('a'),
    }
    await runHook(client, user.call, eventIn(user.at('a')), user.sessionOf('a', secret))
    await expect.poll(() => user.status(), { timeout: 120_000, interval: 200 }).toMatchObject({ running: true })
    const [gate = 0] = user.gates()
    const ofGate = readFileSync(`/proc/${gate}/environ`, 'utf8')
    expect(ofGate).not.toMatch(/CLAUDE|THEIRS|token|XDG_CONFIG_HOME/)
    expect(ofGate).not.toContain(user.at('a'))
    const mine = { MINE: 'é"\n$x', PATH: `/mine:${process.env['PATH'] ?? ''}` }
    const refused = await runHook(client, user.ofGate, eventIn(user.at('b')), user.sessionOf('b', mine))
    expect(refused.stdout.toString()).not.toContain('alone:')
    expect([refused.exitCode, refused.stderr.toString()]).toEqual([2, expect.stringContaining('found:')])
    expect(refused.stderr.toString().replace(/\s+/g, ' ')).toContain(`found:é" $x::${mine.PATH}:${user.at('b')}`)
  })
})

describe.each(clients)('the gate, called by the $kind client', (client) => {
  it('applies the rules of the calling session, in any folder, and none of another home', async () => {
    const user = await twoProjects()
    // Started within a session of A, so the environment is not the owner's.
    await user.cli(['up'], { env: { CLAUDECODE: '1', CLAUDE_PROJECT_DIR: user.at('a') } })
    const moved = eventIn(tmpdir())
    const refused = await runHook(client, user.ofGate, moved, user.sessionOf('b'))
    expect([refused.exitCode, refused.stdout.toString()]).toEqual([2, expect.stringContaining('"deny"')])
    const free = await runHook(client, user.ofGate, eventIn(user.at('a')), user.sessionOf('a'))
    expect([free.exitCode, free.stdout.toString()]).toEqual([0, ''])
    for (const other of [{ HOME: user.at('a') }, { XDG_CONFIG_HOME: user.at('a') }]) {
      // oxlint-disable-next-line no-await-in-loop -- one at a time, for a machine with two cores
      const result = await runHook(client, user.ofGate, moved, user.sessionOf('b', other))
      expect(result.stdout.toString()).toBe(`alone:${moved}`)
    }
    const same = await runHook(client, user.ofGate, moved, user.sessionOf('b', { HOME: `${user.env.HOME}/` }))
    expect(same.exitCode).toBe(2)
    const large = await runHook(client, user.ofGate, moved, user.sessionOf('b', tooLarge))
    expect(large.stdout.toString()).toBe(`alone:${moved}`)
  })
})
/** Splits the excess over several variables, since the system limits the size of each. */
const tooLarge = Object.fromEntries(
  Array.from({ length: 4 }, (_each, at) => [`LARGE_${at}`, 'x'.repeat(limits.callerBytesMax / 4)]),
)

describe('the environment of a gate in the background', () => {
  it('is its owner’s, wherever it is started, and never that of the session that starts it', async () => {
    const user = residentUser({ 'rules/x': '', 'a/x': '' })
    const own = { XDG_CONFIG_HOME: join(user.folder, 'rules'), CLAUDE_CODE_USE_BEDROCK: '1', HTTPS_PROXY: 'http://p' }
    const sessions = { XDG_CONFIG_HOME: join(user.folder, 'a'), PATH: join(user.folder, 'a'), TOKEN: 'secret' }
    const environments: string[] = []
    for (const [words, env] of [
      [['up'], own],
      [['up'], { ...sessions, CLAUDECODE: '1' }],
      [['up', '--for-session'], sessions],
    ] as const) {
      // oxlint-disable no-await-in-loop -- the gates use the same folder
      expect(await user.cli(words, { env })).toMatchObject({ exitCode: 0, stderr: '' })
      environments.push(readFileSync(`/proc/${user.gates()[0] ?? 0}/environ`, 'utf8'))
      await user.cli(['down'])
      // oxlint-enable no-await-in-loop
    }
    for (const environment of environments) {
      expect(environment.split('\0')).toContain(`XDG_CONFIG_HOME=${own.XDG_CONFIG_HOME}`)
      expect(environment).not.toMatch(/CLAUDE|TOKEN|PROXY/)
      expect(environment).not.toContain(sessions.PATH)
    }
  })

  it('is recorded when its owner enables an agent, but not by a dry run', async () => {
    const user = residentUser()
    const file = join(user.places.folder, 'environment.json')
    await user.cli(['enable', 'cline', '--dry-run'])
    expect(existsSync(file)).toBe(false)
    expect(await user.cli(['enable', 'cline'])).toMatchObject({ exitCode: 0 })
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ HOME: user.env.HOME })
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('has nothing of a session if the gate runs in the foreground either', async () => {
    const user = await twoProjects()
    const env = { ...user.env, PATH: process.env['PATH'] ?? '', CLAUDECODE: '1', CLAUDE_PROJECT_DIR: user.at('a') }
    const gate = spawn(process.execPath, [bin, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    await once(gate.stdout, 'data')
    const body = eventIn(user.at('b'))
    const reply = await askGate(user.places, { to: 'hook', agent: 'claude-code', body, timeoutMs: 60_000 })
    expect(reply.stdout).toContain(`:${user.at('b')}`)
    gate.kill()
    await once(gate, 'exit')
  })
})

describe('a session of HTTP hooks, which name no project', () => {
  it('keeps the project that it began in, whatever its folder, and whichever session started the gate', async () => {
    const user = await twoProjects()
    const port = await freePort()
    await user.cli(['up', '--http', `${port}`], { env: { CLAUDECODE: '1', CLAUDE_PROJECT_DIR: user.at('a') } })
    const token = readFileSync(user.places.token, 'utf8').trim()
    const ask = async (cwd: string, more: object = {}) => {
      const headers = { authorization: `Bearer ${token}` }
      const body = eventIn(cwd, more)
      return (await fetch(`http://127.0.0.1:${port}/claude-code`, { method: 'POST', headers, body })).text()
    }
    expect(await ask(user.at('a'))).toBe('')
    expect(await ask(user.at('b'))).toBe('')
    expect(await ask(user.at('b'), { session_id: 't' })).toContain('"deny"')
    expect(await ask(tmpdir(), { session_id: 't' })).toContain('"deny"')
    const start = { session_id: 'u', hook_event_name: 'SessionStart', source: 'startup', tool_name: undefined }
    await ask(user.at('b'), { ...start, source: 'startup' })
    await ask(tmpdir(), { ...start, source: 'compact' })
    expect(await ask(tmpdir(), { session_id: 'u' })).toContain('"deny"')
    // Stopping the gate, which an agent can do, does not evade its rules either.
    for (const pid of user.gates()) kill(pid)
    await user.cli(['up', '--http', `${port}`])
    for (const session_id of ['t', 'u']) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect(await ask(tmpdir(), { session_id })).toContain('"deny"')
    }
  })

  it('declares its own origin at the socket, in the expected form', async () => {
    const user = await twoProjects()
    await user.cli(['up'])
    const event = eventIn(user.at('b'))
    const home = `HOME=${user.env.HOME}\0`
    const refusalOf = async (ahead: string, callerBytes = ahead.length) => {
      const question = { to: 'hook', agent: 'claude-code', callerBytes, body: `${ahead}${event}` } as const
      const { isAnswer, stdout } = await askGate(user.places, { ...question, timeoutMs: 60_000 })
      return isAnswer ? undefined : /"code":"(\w+)"/.exec(stdout)?.[1]
    }
    expect(await refusalOf(`/\0${home}`)).toBe(undefined)
    for (const [ahead, bytes] of [
      ['x', 1],
      ['relative\0'],
      [`/\0${home}NONE\0`],
      [`/\0${home}=x\0`],
      [`/\0${home}A=1`],
      [`/\0${home}`, 99_999],
    ] as const) {
      // oxlint-disable-next-line no-await-in-loop -- one at a time, for a machine with two cores
      expect([ahead, bytes, await refusalOf(ahead, bytes)]).toEqual([ahead, bytes, 'requestMalformed'])
    }
    // Its head is refused before the body is read, and so without a proof.
    for (const bytes of [-1, 0.5, limits.callerBytesMax + 1]) {
      // oxlint-disable-next-line no-await-in-loop -- one at a time, for a machine with two cores
      await expect(refusalOf(`/\0${home}`, bytes)).rejects.toMatchObject({ code: 'EUNPROVED' })
    }
    expect(await refusalOf('/\0HOME=/elsewhere\0')).toBe('otherRules')
  })
})
