import { spawnSync } from 'node:child_process'
import { createServer } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { chmodSync, lstatSync, mkdirSync, readdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Done } from '../../src/install/index.ts'
import { EventName } from '../../src/model/event.ts'
import { isOwnName } from '../../src/files/state/own-folder.ts'
import { agentUser, firstTimeUser } from '../support/enabling.ts'
import { onlyPid, until } from '../support/processes.ts'
import { freePort, kill } from '../support/resident.ts'
import { canMount, smallDisk } from '../support/small-disk.ts'
import { claudeShell, clineTool } from '../support/wire.ts'
import { rulesWith } from '../support/workspace.ts'
import { missing } from '../support/own-folder.ts'

const theirs = '{\r\n\t"model": "opus",\r\n\t"hooks" : { "Stop": [ ] }\r\n}'
interface Handler {
  readonly type: string
  readonly command: string
  readonly args: readonly string[]
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly onFailure?: string
}
const handlersIn = (text: string): Record<string, readonly Handler[]> => {
  const { hooks } = JSON.parse(text) as { hooks: Record<string, readonly { hooks: readonly Handler[] }[]> }
  return Object.fromEntries(
    Object.entries(hooks).map(([event, groups]) => [event, groups.flatMap((group) => group.hooks)]),
  )
}
/** The events at which Claude Code reads neither a decision nor a context. */
const observed = [
  'SessionEnd',
  'StopFailure',
  'PostCompact',
  'PermissionDenied',
  'Setup',
  'WorktreeRemove',
  'InstructionsLoaded',
  'CwdChanged',
  'FileChanged',
  'DirectoryAdded',
  'MessageDisplay',
] as const
const inputOf: Readonly<Record<string, object>> = {
  SessionEnd: { reason: 'other' },
  StopFailure: { error: 'rate_limit' },
  PostCompact: { trigger: 'auto', compact_summary: '' },
  PermissionDenied: { tool_name: 'Bash', tool_input: {}, tool_use_id: 't', reason: '' },
  Setup: { trigger: 'init' },
  WorktreeRemove: { worktree_path: '/w' },
  InstructionsLoaded: { file_path: '/f', memory_type: 'Project', load_reason: 'session_start' },
  CwdChanged: { old_cwd: '/a', new_cwd: '/b' },
  FileChanged: { file_path: '/f', event: 'change' },
  DirectoryAdded: { directory: '/d', source: 'slash_command' },
  MessageDisplay: { turn_id: 't', message_id: 'm', index: 0, final: true, delta: 'x' },
}
const observing = (events: readonly string[], file: string) =>
  JSON.stringify({
    hooks: Object.fromEntries(
      events.map((event) => [event, [{ hooks: [{ type: 'command', command: `echo ${event} >> '${file}'` }] }]]),
    ),
  })
const deniesPushes = { json: { permissions: { deny: ['Bash(git push:*)'] } } }
const denies = rulesWith('PreToolUse', 'echo no >&2; exit 2', { onFailure: 'block' })

describe('hookgate enable claude-code', () => {
  it('adds to the settings, changes nothing the second time, and is undone to the byte', async () => {
    const user = agentUser({ 'home/.claude/settings.json': theirs })
    expect(await user.cli(['enable', 'claude-code'])).toMatchObject({ exitCode: 0, stderr: '' })
    const enabled = user.read('home/.claude/settings.json')
    expect(enabled).toContain('\t"model": "opus",\r\n')
    expect(Object.keys(handlersIn(enabled))).toEqual(expect.arrayContaining(['PreToolUse', 'Stop', 'SessionStart']))

    expect((await user.cli(['enable', 'claude-code'])).stdout).toContain('nothing was changed')
    expect(user.read('home/.claude/settings.json')).toBe(enabled)
    expect((await user.cli(['disable', 'claude-code'])).stdout).toContain('restored')
    expect(user.read('home/.claude/settings.json')).toBe(theirs)
    expect((await user.cli(['disable', 'claude-code'])).stdout).toContain('nothing was changed')
    expect(Object.values(user.files('state/backups'))).toContain(theirs)
  })

  it('removes the file and the folders that it created, and keeps what was added there', async () => {
    const user = agentUser()
    await user.cli(['enable', 'claude-code'])
    expect(user.exists('home/.claude/settings.json')).toBe(true)
    await user.cli(['disable', 'claude-code'])
    expect(user.exists('home/.claude')).toBe(false)

    await user.cli(['enable', 'claude-code'])
    user.write('home/.claude/notes', 'mine')
    await user.cli(['disable', 'claude-code'])
    expect(user.exists('home/.claude/settings.json')).toBe(false)
    expect(user.read('home/.claude/notes')).toBe('mine')
  })

  it('is registered at every event but `WorktreeCreate`, and blocks nothing where an answer has no effect', async () => {
    const user = agentUser()
    await user.cli(['enable', 'claude-code'])
    const handlers = handlersIn(user.read('home/.claude/settings.json'))
    const all = [...EventName.options.filter((event) => event !== 'WorktreeCreate'), 'PreSkillShellCommand']
    expect(Object.keys(handlers).toSorted()).toEqual(all.toSorted())
    const lax = all.filter((event) => handlers[event]?.some(({ onFailure }) => onFailure !== 'block'))
    expect(lax.toSorted()).toEqual(observed.toSorted())
    expect(handlers['MessageDisplay']).toMatchObject([{ timeout: 10 }])
    expect(handlers['SessionEnd']).toMatchObject([{ timeout: 60 }])
  })

  it.each(['command', 'http'])(
    'has hooks run at events that are only observed, with a gate or without one (by %s)',
    async (via) => {
      const user = agentUser({}, '2.1.329')
      user.write('home/.config/hookgate/hooks.json', observing(observed, user.at('observed')))
      const flags = ['--via', via, ...(via === 'http' ? ['--port', `${await freePort()}`] : [])]
      expect(await user.cli(['enable', 'claude-code', ...flags])).toMatchObject({ exitCode: 0 })
      const handlers = handlersIn(user.read('home/.claude/settings.json'))
      await user.cli(['down'])
      for (const event of observed) {
        const [{ type, command, args } = { type: '', command: '', args: [] }] = handlers[event] ?? []
        expect(type).toBe('command')
        const input = JSON.stringify({
          session_id: 's',
          transcript_path: '',
          cwd: user.project,
          hook_event_name: event,
          ...inputOf[event],
        })
        const { status, stdout } = spawnSync(command, args, { input, env: user.env, cwd: user.project })
        expect({ event, status, stdout: stdout.toString() }).toEqual({ event, status: 0, stdout: '' })
      }
      expect(user.read('observed').trim().split('\n').toSorted()).toEqual(observed.toSorted())
    },
  )

  it('registers commands, which decide after the gate was killed in mid-session, and start it again', async () => {
    const user = agentUser({ 'home/.config/hookgate/hooks.json': deniesPushes }, '2.1.329')
    expect(await user.cli(['enable', 'claude-code'])).toMatchObject({ exitCode: 0, stderr: '' })
    const handlers = handlersIn(user.read('home/.claude/settings.json'))
    expect(Object.values(handlers).flatMap((all) => all.filter(({ type }) => type !== 'command'))).toEqual([])
    const [{ command, args } = { command: '', args: [] }] = handlers['PreToolUse'] ?? []
    const call = (words: string) => {
      const input = JSON.stringify(claudeShell(words, user.project))
      const { status, stdout } = spawnSync(command, args, { input, env: user.env, cwd: user.project })
      return { status, isDenied: stdout.includes('"permissionDecision":"deny"') }
    }
    await user.cli(['up'])
    expect(call('ls')).toEqual({ status: 0, isDenied: false })

    kill(onlyPid(user.gates()))
    await until(() => user.gates().length === 0)
    expect(call('ls')).toEqual({ status: 0, isDenied: false })
    expect(call('git push')).toEqual({ status: 2, isDenied: true })
    expect(await until(() => user.gates().length === 1)).toBe(true)
  })

  it('says so where hooks by HTTP become commands', async () => {
    const user = agentUser({}, '2.1.329')
    await user.cli(['enable', 'claude-code', '--via', 'http', '--port', `${await freePort()}`])
    expect(user.read('home/.claude/settings.json')).toContain('"http"')
    expect((await user.cli(['enable', 'claude-code'])).stdout).toContain('no longer by HTTP')
    expect(user.read('home/.claude/settings.json')).not.toMatch(/"http"|Authorization/)
    expect((await user.cli(['enable', 'claude-code'])).stdout).not.toContain('HTTP')
  })

  it('does not register HTTP hooks for an old version, which goes ahead when they fail', async () => {
    const old = agentUser({}, '2.1.290')
    expect(await old.cli(['enable', 'claude-code', '--via', 'http'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('goes ahead when an HTTP hook fails'),
    })
    expect(await old.cli(['enable', 'claude-code'])).toMatchObject({ exitCode: 0 })
  })

  it('registers what a version without `args` can run', async () => {
    const ancient = agentUser({}, '2.1.100')
    await ancient.cli(['enable', 'claude-code'])
    // That version would start the program without its arguments.
    const { PreToolUse: [handler] = [] } = handlersIn(ancient.read('home/.claude/settings.json'))
    expect(handler?.args).toBeUndefined()
    expect(handler?.command).toContain('/hooks/claude-code/PreToolUse')
    expect((await ancient.agentStatus('claude-code')).calls).toBe(true)
  })

  it('registers HTTP hooks on request, in a file that only the user can read, and the gate decides', async () => {
    const port = `${await freePort()}`
    const user = agentUser({ 'home/.config/hookgate/hooks.json': denies }, '2.1.329')
    user.write('home/.claude/settings.json', theirs, 0o640)
    const enabled = await user.cli(['enable', 'claude-code', '--via', 'http', '--port', port])
    expect(enabled.stdout).toContain(`http://127.0.0.1:${port}`)
    expect(user.mode('home/.claude/settings.json')).toBe(0o600)
    const handlers = handlersIn(user.read('home/.claude/settings.json'))
    expect(handlers['PreToolUse']).toMatchObject([{ type: 'http', onFailure: 'block' }])
    expect(handlers['SessionStart']).toMatchObject([{ type: 'command' }, { type: 'command', onFailure: 'block' }])
    expect(handlers['Stop']).toMatchObject([{ type: 'command' }])
    // Claude Code starts the gate whose token it has, in whatever environment it runs.
    expect(handlers['SessionStart']?.[0]?.args).toContain(`HOOKGATE_HOME=${user.at('state')}`)

    const [post] = handlers['PreToolUse'] ?? []
    const body = JSON.stringify(claudeShell('ls', user.project))
    const answer = await fetch(post?.url ?? '', {
      method: 'POST',
      body,
      headers: { ...post?.headers, 'content-type': 'application/json' },
    })
    expect(await answer.json()).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } })

    await user.cli(['disable', 'claude-code'])
    expect(user.mode('home/.claude/settings.json')).toBe(0o640)
    expect(user.read('home/.claude/settings.json')).toBe(theirs)
  })

  it('keeps the symbolic link into a dotfiles repository, and warns where the token would get into it', async () => {
    const user = agentUser(
      { 'dotfiles/.git/HEAD': '', 'dotfiles/settings.json': theirs, 'home/.claude/x': '' },
      '2.1.329',
    )
    symlinkSync(user.at('dotfiles/settings.json'), user.settings)
    await user.cli(['enable', 'claude-code'])
    expect(readlinkSync(user.settings)).toBe(user.at('dotfiles/settings.json'))
    expect(user.read('dotfiles/settings.json')).not.toContain('Authorization')
    const byHttp = await user.cli(['enable', 'claude-code', '--via', 'http', '--dry-run'])
    expect(byHttp.stdout).toContain('warning: the settings are in the repository')
    await user.cli(['disable', 'claude-code'])
    expect(lstatSync(user.settings).isSymbolicLink()).toBe(true)
    expect(user.read('dotfiles/settings.json')).toBe(theirs)
  })

  it('writes nothing specific to one machine into a project', async () => {
    const user = agentUser({}, '2.1.329')
    await user.cli(['enable', 'claude-code', '--scope', 'project'])
    const text = user.read('project/.claude/settings.json')
    expect(text).not.toContain(user.folder)
    expect(text).not.toContain('Authorization')
    expect(handlersIn(text)['PreToolUse']).toMatchObject([
      { command: 'hookgate', args: ['run', '--agent', 'claude-code'], onFailure: 'block' },
    ])
    const status = await user.agentStatus('claude-code')
    expect(status.scopes).toMatchObject([
      { scope: 'user', state: 'absent' },
      { scope: 'project', state: 'works' },
    ])
    await user.cli(['disable', 'claude-code', '--scope', 'project'])
    expect(user.exists('project/.claude')).toBe(false)
  })

  it('`--dry-run` shows what it would do, without the token, and does nothing', async () => {
    const user = firstTimeUser({ 'home/.claude/settings.json': theirs }, '2.1.329')
    const { stdout } = await user.cli(['enable', 'claude-code', '--via', 'http', '--dry-run', '--diff'])
    expect(stdout).toMatch(/^--- .*settings\.json\n\+\+\+ /)
    expect(stdout).toContain('Bearer …')
    for (const agent of ['claude-code', 'cline']) {
      // oxlint-disable-next-line no-await-in-loop -- two short ones
      const summary = (await user.cli(['enable', agent, '--dry-run'])).stdout
      expect(summary.split('\n').length).toBeLessThan(12)
      expect(summary).toContain(agent === 'cline' ? '9 files, PreToolUse, ' : `would write ${user.settings}\n`)
      expect(summary).toContain(agent === 'cline' ? '9 events' : '/hooks/claude-code/EVENT`: ')
    }
    expect(user.read('home/.claude/settings.json')).toBe(theirs)
    expect(user.gates()).toEqual([])
    expect(user.exists('state')).toBe(false)
  })

  it.each(['claude-code', 'cline', 'codex'])(
    '`--dry-run` lists what it would write to its own folder, and `enable` writes just that (%s)',
    async (agent) => {
      const user = firstTimeUser({ 'home/.claude/settings.json': theirs })
      const ownFiles = async (verb: string) => {
        const { stdout } = await user.cli([verb, agent, '--dry-run', '--json'])
        return (JSON.parse(stdout) as Done).own
      }
      const own = await ownFiles('enable')
      await user.cli(['enable', agent])
      const top = (name: string) => name.replace(/^\d+ files in /, '').split('/')[0]
      expect(new Set(own?.written.map(top))).toEqual(new Set(readdirSync(user.at('state'))))
      expect(own?.written).toEqual(
        agent === 'cline' ? own?.written : expect.arrayContaining([expect.stringMatching(/^\d+ files in hooks/)]),
      )
      expect(await ownFiles('enable')).toBeUndefined()
      expect((await ownFiles('disable'))?.removed).toHaveLength(agent === 'cline' ? 0 : 1)
    },
  )

  it('lists the settings even if its own folder contains them', async () => {
    const user = agentUser()
    mkdirSync(user.at('one'), { mode: 0o700 })
    const env = { HOME: user.at('one'), HOOKGATE_HOME: user.at('one') }
    const wrote = `${user.at('one')}/.claude/settings.json\n`
    expect((await user.cli(['enable', 'claude-code', '--dry-run'], { env })).stdout).toContain(`would write ${wrote}`)
    expect((await user.cli(['enable', 'claude-code'], { env })).stdout).toContain(`  wrote ${wrote}`)
  })

  it('prints what it would write, and that a gate would be started', async () => {
    const user = firstTimeUser({}, '2.1.329')
    const { stdout } = await user.cli(['enable', 'claude-code', '--via', 'http', '--dry-run'])
    expect(stdout).toContain(
      `in hookgate's own folder ${user.at('state')}: clients, enable.lock, enabled, environment.json, `,
    )
    expect(stdout).toContain('files in hooks/claude-code, and the files of a gate, which would be started')
  })

  it.runIf(canMount)('`--dry-run` fails where nothing can be written (as root)', async () => {
    const disk = smallDisk()
    spawnSync('mount', ['-o', 'remount,ro', disk])
    const user = agentUser()
    for (const env of [{ HOOKGATE_HOME: join(disk, 'state') }, { HOME: disk }]) {
      // oxlint-disable-next-line no-await-in-loop -- two short ones
      const ended = await user.cli(['enable', 'claude-code', '--dry-run'], { env })
      expect(ended).toMatchObject({
        exitCode: 1,
        stdout: '',
        stderr: expect.stringContaining('(EROFS); its file system'),
      })
    }
  })

  it('`--dry-run` fails where its folder or the file are unusable', async () => {
    const user = firstTimeUser()
    user.write('home/.claude/settings.json', theirs, 0o444)
    expect((await user.cli(['enable', 'claude-code', '--dry-run'])).stderr).toContain('chmod u+w')
    chmodSync(user.settings, 0o644)
    mkdirSync(user.at('state'), { mode: 0o755 })
    expect((await user.cli(['enable', 'claude-code', '--dry-run'])).stderr).toContain('users other than its owner')
  })
})

describe('hookgate enable cline', () => {
  it('writes files for Cline that let the gate decide and never call themselves', async () => {
    const user = agentUser({ 'home/.config/hookgate/hooks.json': denies })
    await user.cli(['enable', 'cline'])
    const file = 'home/Documents/Cline/Hooks/PreToolUse'
    expect(user.mode(file)).toBe(0o755)
    expect(lstatSync(user.at(file)).isFile()).toBe(true)
    const event = JSON.stringify(clineTool('read_file', { path: 'a' }, user.project))
    const hook = spawnSync(user.at(file), { input: event, env: user.env, cwd: user.project })
    expect(hook.status).toBe(0)
    expect(JSON.parse(hook.stdout.toString())).toMatchObject({ cancel: true })

    const run = await user.cli(['run', '--json', '--agent', 'cline'], { stdin: event })
    const { evaluations } = JSON.parse(run.stdout) as { evaluations: readonly { ruleId: string }[] }
    const asked = evaluations.map(({ ruleId }) => ruleId)
    expect(asked).toEqual(['hookgate:self-protection', 'user:hooks.json#PreToolUse[0].hooks[0]'])

    expect((await user.cli(['enable', 'cline'])).stdout).toContain('nothing was changed')
    await user.cli(['disable', 'cline'])
    expect(user.exists('home/Documents')).toBe(false)
    expect(user.exists('home/Cline')).toBe(false)
  })

  it('writes nothing specific to one machine into a project, and refuses where hookgate is not installed', async () => {
    const user = agentUser()
    await user.cli(['enable', 'cline', '--scope', 'project'])
    const file = 'project/.clinerules/hooks/PreToolUse'
    expect(user.read(file)).not.toContain(user.folder)
    expect((await user.agentStatus('cline')).scopes).toContainEqual(
      expect.objectContaining({ scope: 'project', state: 'works' }),
    )
    rmSync(user.at('bin/hookgate'))
    const event = JSON.stringify(clineTool('read_file', { path: 'a' }, user.project))
    const hook = spawnSync(user.at(file), { input: event, env: user.env })
    expect(hook.status).toBe(0)
    expect(JSON.parse(hook.stdout.toString())).toMatchObject({
      cancel: true,
      errorMessage: expect.stringContaining('install hookgate'),
    })
    await user.cli(['disable', 'cline', '--scope', 'project'])
    expect(user.exists('project/.clinerules')).toBe(false)
  })

  it('never overwrites a hook of the user’s own, and says where to move it', async () => {
    const user = firstTimeUser()
    user.write('home/Documents/Cline/Hooks/TaskStart', '#!/bin/sh\necho mine\n', 0o755)
    const refused = await user.cli(['enable', 'cline'])
    expect(refused.exitCode).toBe(1)
    expect(refused.stderr).toContain('TaskStart: this hook is not hookgate’s')
    expect(refused.stderr).toContain('"dialect": "cline"')
    // Suggests the user's folder, since a project's folder must not hold the user's own hook.
    expect(refused.stderr).toContain(`move it to \`${user.at('home/.config/hookgate/hooks')}\``)
    expect(user.exists('state/clients')).toBe(false)
    expect(user.exists('state/enabled')).toBe(false)
    expect(user.read('home/Documents/Cline/Hooks/TaskStart')).toBe('#!/bin/sh\necho mine\n')
    expect(user.exists('home/Documents/Cline/Hooks/PreToolUse')).toBe(false)
  })
})

describe('hookgate status of an agent', () => {
  it('does not trust the settings alone: the gate has to answer', async () => {
    const user = agentUser({}, '2.1.290')
    expect(await user.agentStatus('claude-code')).toMatchObject({ calls: false })
    expect((await user.cli(['status', 'claude-code'])).stdout).toContain('next: `hookgate enable claude-code`')
    await user.cli(['enable', 'claude-code'])
    expect(await user.agentStatus('claude-code')).toMatchObject({ calls: true })
    expect(readdirSync(user.at('state')).filter((name) => !isOwnName(name))).toEqual([])

    user.write('state/hooks/claude-code/PreToolUse', '#!/bin/sh\necho "{}"\n', 0o700)
    const status = await user.agentStatus('claude-code')
    expect(status).toMatchObject({ calls: false, scopes: [{ state: 'broken' }, { state: 'absent' }] })
    expect(status.scopes[0]?.canaries[0]?.problem).toContain('does not answer as hookgate would')
    expect(status.scopes[0]?.problems).toEqual(['`hookgate enable claude-code` writes again what it runs'])
    expect(await user.cli(['status', 'claude-code'])).toMatchObject({ exitCode: 1 })
  })

  it('reports another program that answers at the gate’s address', async () => {
    const port = await freePort()
    const user = agentUser({}, '2.1.329')
    await user.cli(['enable', 'claude-code', '--via', 'http', '--port', `${port}`])
    expect(await user.agentStatus('claude-code')).toMatchObject({ calls: true })
    await user.cli(['down'])
    const { stdout } = await user.cli(['status', 'claude-code'])
    expect(stdout).toContain(`as \`hookgate up --http ${port}\` does; until then, its HTTP hooks refuse everything`)
    const other = createServer((_request, response) => response.end('{}'))
    await new Promise<void>((done) => other.listen(port, '127.0.0.1', done))
    onTestFinished(() => void other.close())
    expect(await user.agentStatus('claude-code')).toMatchObject({ calls: false })
  })

  it('reports settings that stop Claude Code from running hooks', async () => {
    const user = agentUser({}, '2.1.290')
    await user.cli(['enable', 'claude-code'])
    user.write('project/.claude/settings.local.json', '{"disableAllHooks": true}')
    expect(await user.agentStatus('claude-code')).toMatchObject({
      calls: false,
      obstacles: [expect.stringContaining('`disableAllHooks`')],
    })
    user.write('project/.claude/settings.local.json', '{"disableAllHooks": false}')
    user.write('project/.claude/settings.json', '{"disableAllHooks": true}')
    expect(await user.agentStatus('claude-code')).toMatchObject({ calls: true })
    user.write('project/.claude/settings.json', '{"a": 1,}')
    expect(await user.agentStatus('claude-code')).toMatchObject({
      obstacles: [expect.stringContaining('settings.json:1:9: it is not JSON')],
    })
  })
})

describe('hookgate enable, with mistakes', () => {
  it.each([
    [[], 'enable needs an agent: `claude-code`, `cline`, '],
    [['claude'], '`claude` is not an agent that hookgate knows; did you mean `claude-code`?'],
    [['emacs'], '`emacs` is not an agent that hookgate knows; there are `claude-code`, '],
    [['cline', 'claude-code'], 'enable takes one agent'],
    [['cline', '--scope', 'team'], '--scope must be `user` or `project`'],
    [['cline', '--frobnicate'], 'unknown option'],
    [['cline', '--via', 'http'], 'not by HTTP: Cline calls its hooks as files; remove `--via`'],
    [['cline', '--port', '5'], 'not by HTTP: Cline calls its hooks as files; remove `--port`'],
    [['codex', '--port', '5'], 'not by HTTP: Codex calls its hooks as commands; remove `--port`'],
    [['opencode', '--replace'], 'remove `--replace`'],
    [['claude-code', '--via', 'command', '--port', '5'], 'remove `--port`'],
    [['claude-code', '--port', '5'], 'remove `--port`, or add `--via http`'],
    [['claude-code', '--scope', 'project', '--port', '99'], 'remove `--port`'],
    [['claude-code', '--via', 'smoke'], '--via must be'],
    [['claude-code', '--port', '0'], '--port must be'],
    [['claude-code', '--scope', 'project', '--via', 'http'], 'the HTTP token is your secret'],
  ])('%j: is refused with a remedy', async (argv, message) => {
    const user = agentUser()
    const { exitCode, stderr } = await user.cli(['enable', ...argv])
    expect(exitCode).toBe(1)
    expect(stderr.toLowerCase()).toContain(message.toLowerCase())
    expect(stderr).toContain(';')
    expect(user.exists('home/.claude')).toBe(false)
  })

  it.each([['--via', 'http'], ['--port', '5'], ['--replace']])(
    'disable does not accept %s, an option of enable',
    async (...flag) => {
      const user = agentUser()
      const { exitCode, stderr } = await user.cli(['disable', 'claude-code', ...flag])
      expect({ exitCode, stderr }).toEqual({
        exitCode: 1,
        stderr: expect.stringContaining(`unknown option '${flag[0]}'`),
      })
    },
  )

  it('suggests `--port`, its own option, where another program uses the port', async () => {
    const user = agentUser({}, '2.1.329')
    const port = await freePort()
    const other = createServer()
    await new Promise<void>((done) => other.listen(port, '127.0.0.1', done))
    onTestFinished(() => void other.close())
    const { exitCode, stderr } = await user.cli(['enable', 'claude-code', '--via', 'http', '--port', `${port}`])
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: expect.stringContaining('with `--port PORT` for `hookgate enable`'),
    })
  })

  it('refuses settings that do not parse, with place and remedy, and leaves them unchanged', async () => {
    const user = agentUser()
    for (const [text, problem] of [
      ['{\n  // mine\n}', ':2:3: it is not JSON'],
      ['{"a": 1, "a": 2}', ':1:10: the key `a` appears twice'],
      ['[]', ':1:1: it is JSON, but not an object'],
      ['', ':1:1: it is empty'],
      ['{"hooks": []}', ':1:11: `hooks` is not an object'],
      ['{"hooks": {"PreToolUse": {}}}', ':1:26: `PreToolUse` is not a list'],
    ] as const) {
      user.write('home/.claude/settings.json', text)
      // oxlint-disable-next-line no-await-in-loop -- one file
      const { exitCode, stderr } = await user.cli(['enable', 'claude-code'])
      expect({ exitCode, stderr }).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(problem) })
      expect(user.read('home/.claude/settings.json')).toBe(text)
    }
  })

  it('leaves a read-only file unchanged, and says how to make it writable', async () => {
    const user = agentUser()
    user.write('home/.claude/settings.json', theirs, 0o444)
    const { exitCode, stderr } = await user.cli(['enable', 'claude-code'])
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('chmod u+w') })
    expect(user.read('home/.claude/settings.json')).toBe(theirs)
  })

  it.runIf(process.platform === 'linux')('terminates where the system cannot create folders', async () => {
    const user = agentUser()
    const { exitCode, stderr } = await user.cli(['enable', 'claude-code', '--scope', 'project'], { cwd: '/proc' })
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('/proc/.claude: the folder cannot be created (ENOENT)'),
    })
  })

  it('requires an existing home', async () => {
    const user = agentUser()
    for (const HOME of [missing, 'relative', '']) {
      // oxlint-disable-next-line no-await-in-loop -- three short ones
      const { exitCode, stderr } = await user.cli(['enable', 'cline'], { env: { HOME } })
      expect({ exitCode, stderr }).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('set `HOME`') })
    }
  })
})

describe('the older command', () => {
  it('does the same with its own options', async () => {
    const user = agentUser({ 'home/.claude/settings.json': theirs })
    expect((await user.cli(['claude-hook', '--enable'])).exitCode).toBe(0)
    expect(await user.cli(['claude-hook', '--status', '--json'])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('"calls": true'),
    })
    expect((await user.cli(['claude-hook', '--disable'])).exitCode).toBe(0)
    expect(user.read('home/.claude/settings.json')).toBe(theirs)
    expect((await user.cli(['cline-hook', '--enable', '--scope', 'project'])).exitCode).toBe(0)
    expect(user.exists('project/.clinerules/hooks/PreToolUse')).toBe(true)
    expect((await user.cli(['cline-hook', '--disable', '--scope', 'project'])).exitCode).toBe(0)
    expect((await user.cli(['cline-hook', '--enable', '--disable'])).exitCode).toBe(1)
  })
})

describe('concurrent calls', () => {
  it('lose nothing, and are undone as if there had been one', async () => {
    const user = agentUser({ 'home/.claude/settings.json': theirs })
    const enabled = await Promise.all(
      [['claude-code'], ['cline'], ['claude-code'], ['cline', '--scope', 'project']].map((argv) =>
        user.spawned(['enable', ...argv]),
      ),
    )
    expect(enabled.map(({ exitCode, stderr }) => [exitCode, stderr])).toEqual(enabled.map(() => [0, '']))
    expect(user.exists('home/Documents/Cline/Hooks/PreToolUse')).toBe(true)
    expect(user.exists('project/.clinerules/hooks/PreToolUse')).toBe(true)
    await Promise.all([user.spawned(['disable', 'claude-code']), user.spawned(['disable', 'cline'])])
    expect(user.read('home/.claude/settings.json')).toBe(theirs)
    expect(user.exists('home/Documents')).toBe(false)
  })
})
