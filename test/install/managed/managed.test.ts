import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { parseToml } from '../../../src/files/settings-values.ts'
import { agentFindings } from '../../../src/install/doctor/examine.ts'
import {
  agentsHere,
  agentStatus,
  disableManaged,
  enableManaged,
  managedStatus,
  registeredAgents,
  switchedOffHere,
} from '../../../src/install/index.ts'
import type { KnownAgent } from '../../../src/agents/registry.ts'
import { writeFiles } from '../../support/workspace.ts'
import { installContextIn } from '../../support/install-context.ts'

const plain = { onlyManagedHooks: false }
const only = { onlyManagedHooks: true }

/** A machine whose administrators' files are below a folder, with some of them. */
function machine(files: Readonly<Record<string, string>> = {}, env: Readonly<Record<string, string>> = {}) {
  const own = Object.entries(files).map(
    ([name, text]) => [name.startsWith('/') ? `managed${name}` : name, text] as const,
  )
  const made = { 'project/x': '', 'home/x': '', 'bin.js': answering, ...Object.fromEntries(own) }
  const given = installContextIn(made, env)
  const context = { ...given, launcher: { node: process.execPath, bin: join(dirname(given.home), 'bin.js') } }
  const at = (file: string) => join(given.managedRoot ?? '', file)
  const changes = (file: string, change: (text: string) => string) =>
    writeFileSync(at(file), change(readFileSync(at(file), 'utf8')))
  return {
    context,
    at,
    changes,
    read: (file: string) => readFileSync(at(file), 'utf8'),
    exists: (file: string) => existsSync(at(file)),
    holes: async (agent: KnownAgent) => {
      const { agents, sound } = await managedStatus([agent], context)
      expect(sound).toBe(agents[0]?.registered === true && agents[0].holes.length === 0)
      return agents[0]?.holes.map(({ code }) => code)
    },
  }
}

/** Stands for hookgate: it refuses, and names the canary's session, as a gate does. */
const answering = `
let text = ''
process.stdin.on('data', (part) => (text += part)).on('end', () => {
  const session = /hookgate-canary[\\w-]*/.exec(text)?.[0] ?? ''
  console.error('hookgate received ' + session + ' in process ' + process.pid)
  process.exitCode = 2
})
`

const files = {
  'claude-code': '/etc/claude-code/managed-settings.d/50-hookgate.json',
  codex: '/etc/codex/requirements.toml',
  'copilot-cli': '/etc/github-copilot/policy.d/50-hookgate.json',
  'gemini-cli': '/etc/gemini-cli/settings.json',
  'qwen-code': '/etc/qwen-code/settings.json',
  droid: '/etc/factory/settings.json',
  cursor: '/etc/cursor/hooks.json',
  windsurf: '/etc/windsurf/hooks.json',
  opencode: '/etc/opencode/opencode.json',
  kilo: '/etc/kilo/kilo.json',
} as const satisfies Partial<Record<KnownAgent, string>>
/** The script that each event runs: in the agent's own folder, whatever folder the file itself is in. */
const scriptOf = (agent: keyof typeof files) => `${files[agent].split('/').slice(0, 3).join('/')}/hookgate.sh`
const pluginOf = (agent: 'opencode' | 'kilo') => `/etc/${agent}/hookgate.js`
/** The files in the order in which they are written. */
const filesOf = (agent: keyof typeof files) =>
  agent === 'opencode' || agent === 'kilo'
    ? [scriptOf(agent), pluginOf(agent), files[agent]]
    : [scriptOf(agent), files[agent]]
const rows = Object.entries(files) as readonly (readonly [keyof typeof files, string])[]

describe.each(rows)('enable --managed %s', (agent, file) => {
  it('takes away what a device management has put there, of which it keeps no note', async () => {
    const { context, at, exists, read } = machine()
    const { wanted } = await enableManaged([agent], { ...context, dryRun: true }, plain)
    writeFiles(at('/'), Object.fromEntries(wanted.map((one) => [one.file.slice(at('/').length), one.text])))
    await disableManaged([agent], context)
    const isAlone = ['claude-code', 'copilot-cli'].includes(agent)
    if (exists(file))
      expect([isAlone, JSON.stringify(read(file))]).toEqual([false, expect.not.stringContaining('hookgate')])
    expect(filesOf(agent).filter((each) => each !== file && exists(each))).toEqual([])
  })

  it('writes a file that everybody reads, changes nothing the second time, and leaves no trace', async () => {
    const { context, at, read, exists } = machine()
    const done = await enableManaged([agent], context, plain)
    const all = filesOf(agent)
    expect(done.changed).toEqual(all.map((each) => ({ file: at(each), what: 'wrote', backup: undefined })))
    for (const each of all) expect(statSync(at(each)).mode & 0o777).toBe(0o644)
    const texts = all.map(read)
    expect(texts[0]).toContain(`run --agent ${agent}`)
    expect((await enableManaged([agent], context, plain)).changed).toEqual([])
    expect(all.map(read)).toEqual(texts)
    await disableManaged([agent], context)
    expect([exists(file), exists('/etc')]).toEqual([false, false])
  })

  it('registers a new path of hookgate in place of the old one', async () => {
    const { context, read } = machine()
    await enableManaged([agent], context, plain)
    const moved = { ...context, launcher: { ...context.launcher, bin: `${context.launcher.bin}.moved` } }
    await enableManaged([agent], moved, plain)
    const text = read(scriptOf(agent))
    expect(text.match(/bin\.js\.moved/g)?.length).toBe(text.match(/bin\.js/g)?.length)
  })

  it('is all that it needs to be called an agent that asks, by every report of who asks', async () => {
    const { context, at } = machine()
    await enableManaged([agent], context, plain)
    const status = await agentStatus(agent, context)
    const there = { scope: 'managed', place: at(file), by: 'administrator' }
    expect(status).toMatchObject({
      calls: true,
      obstacles: [],
      scopes: expect.arrayContaining([expect.objectContaining({ ...there, state: 'works' })]) as unknown,
    })
    expect(status.scopes[0]?.events).not.toEqual([])
    expect(await registeredAgents(context)).toEqual([agent])
    const here = await agentsHere(context)
    expect(here.find((one) => one.agent === agent)).toMatchObject({
      obstacles: [],
      places: expect.arrayContaining([expect.objectContaining(there)]),
    })
    expect(here.filter(({ places }) => places.some(({ by }) => by !== undefined))).toHaveLength(1)
    // What reaches no hook is said beside it.
    const findings = agentFindings([status], new Map(), false).filter(({ state }) => state !== 'note')
    expect(findings).toMatchObject([{ state: 'ok', what: expect.stringContaining(' asks hookgate') }])
    await disableManaged([agent], context)
    const after = await agentStatus(agent, context)
    expect([after.calls, after.scopes.some(({ scope }) => scope === 'managed')]).toEqual([false, false])
  })

  it('is said to be broken where its program is gone', async () => {
    const { context } = machine()
    await enableManaged([agent], { ...context, launcher: { ...context.launcher, bin: '/gone/bin.js' } }, plain)
    const status = await agentStatus(agent, context)
    expect([status.calls, status.scopes[0]?.scope, status.scopes[0]?.state]).toEqual([false, 'managed', 'broken'])
  })

  it('prints the same file, and writes nothing', async () => {
    const { context, at, read, exists } = machine()
    const printed = () => enableManaged([agent], { ...context, dryRun: true }, plain)
    await printed()
    expect(exists('/etc')).toBe(false)
    await enableManaged([agent], context, plain)
    const { wanted } = await printed()
    expect(wanted).toMatchObject(
      filesOf(agent).map((each) => ({ agent, file: at(each), owner: 'root', mode: '0644', text: read(each) })),
    )
  })
})

describe.each(['claude-code', 'codex', 'opencode'] as const)('the script of %s', (agent) => {
  const changes = (change: (text: string) => string) => (script: string) =>
    writeFileSync(script, change(readFileSync(script, 'utf8')))

  it.each<[string, (script: string) => void, readonly string[]]>([
    ['is gone', (script) => rmSync(script), ['program']],
    ['does nothing of it', changes(() => '#!/bin/sh\nexit 2\n'), ['incomplete', 'noAnswer']],
    ['ends before it asks', changes((text) => text.replace('unset', 'exit 0\nunset')), ['incomplete', 'noAnswer']],
    ['runs another program', changes((text) => text.replace('exec ', 'exec /bin/echo ')), ['incomplete', 'noAnswer']],
    ['asks for another agent', changes((text) => text.replace('--agent ', '--agent x')), ['incomplete']],
    ['is of another version', changes((text) => text.replace('unset NODE_DEBUG\n', '')), []],
    ['may be changed by others', (script) => chmodSync(script, 0o666), ['changeable']],
    ['may not be read by others', (script) => chmodSync(script, 0o600), ['program']],
  ])('is looked at as the file is: it %s', async (_, weaken, codes) => {
    const one = machine()
    await enableManaged([agent], one.context, plain)
    weaken(one.at(scriptOf(agent)))
    expect(await one.holes(agent)).toEqual(codes)
  })
})

// OpenCode and Kilo have a plugin, which is replaced as a whole.
const withHooks = rows.filter(([agent]) => filesOf(agent).length === 2)
describe.each(withHooks)('what an earlier version registered with %s', (agent, file) => {
  const whole = { ...plain, isForServer: true }

  it('is sound, since the long command at each event counts as before', async () => {
    const { context, read, holes } = machine()
    await enableManaged([agent], context, whole)
    expect(read(file)).toContain(`run --agent ${agent} --with-gate || exit 2`)
    expect(await holes(agent)).toEqual([])
  })

  it('gives way to the script, and no trace of either is left', async () => {
    const { context, read, exists, holes } = machine()
    await enableManaged([agent], context, whole)
    await enableManaged([agent], context, plain)
    expect(read(file)).not.toContain('run --agent')
    expect(read(file).match(/hookgate\.sh/g)?.length).toBeGreaterThan(1)
    expect(await holes(agent)).toEqual([])
    await disableManaged([agent], context)
    expect([exists(file), exists('/etc')]).toEqual([false, false])
  })
})

describe('the hooks of Claude Code that an administrator registers', () => {
  const ours = files['claude-code']
  const Registered = z.looseObject({
    env: z.record(z.string(), z.string()),
    hooks: z.record(
      z.string(),
      z.array(z.looseObject({ hooks: z.array(z.looseObject({ command: z.string(), args: z.array(z.string()) })) })),
    ),
  })
  const firstIn = (text: string) => {
    const { env, hooks } = Registered.parse(JSON.parse(text))
    return { env, ...hooks['PreToolUse']?.[0]?.hooks[0] }
  }

  it('are started by a program that no variable of the loader or of a shell reaches', async () => {
    const { context, read, at, exists } = machine()
    const starter = at('/etc/claude-code/hookgate-start')
    expect((await enableManaged(['claude-code'], context, plain)).notes).toEqual([`wrote ${starter}`])
    expect((await enableManaged(['claude-code'], context, plain)).notes).toEqual([])
    const { command = '', args = [], env } = firstIn(read(ours))
    expect(env).toEqual({ CLAUDE_CODE_SHELL_PREFIX: '', LD_PRELOAD: '', LD_AUDIT: '' })
    expect([command, ...args.slice(0, 2)]).toEqual([starter, '/bin/sh', '-c'])
    // Each of these keeps `/bin/sh`, or a shell that is bash, from running what it is given.
    const hostile = {
      LD_TRACE_LOADED_OBJECTS: '1',
      LD_PRELOAD: '/nowhere.so',
      SHELLOPTS: 'noexec',
      BASH_ENV: '/nowhere',
      'BASH_FUNC_echo%%': '() { exit 0; }',
      GLIBC_TUNABLES: 'x',
    }
    const started = (program: string, words: readonly string[]) =>
      spawnSync(program, words, { encoding: 'utf8', env: { KEPT: 'kept', ...hostile } })
    expect(started('/bin/sh', ['-c', 'echo $KEPT']).stdout).not.toBe('kept\n')
    expect(
      started(command, ['/bin/sh', '-c', 'echo $KEPT; env | grep -c "LD_\\|BASH_FUNC\\|TUNABLES"; exit 2']),
    ).toEqual(expect.objectContaining({ stdout: 'kept\n0\n', stderr: '', status: 2 }))
    expect(started(command, ['/nowhere']).status).toBe(2)
    expect((await disableManaged(['claude-code'], context)).notes).toEqual([`removed ${starter}`])
    expect(exists('/etc')).toBe(false)
  })

  it.each([
    ['nobody touches it', () => undefined, []],
    ['it is gone', (file: string) => rmSync(file), ['program', 'noAnswer'].slice(0, 1)],
    ['others may write it', (file: string) => chmodSync(file, 0o777), ['changeable']],
  ])('are sound only with that program: %s', async (_, change, codes) => {
    const { context, at, holes } = machine()
    await enableManaged(['claude-code'], context, plain)
    change(at('/etc/claude-code/hookgate-start'))
    expect(await holes('claude-code')).toEqual(codes)
  })

  it('are registered without it where it cannot be made, which is reported', async () => {
    const { context, changes, at, holes } = machine()
    await enableManaged(['claude-code'], context, plain)
    const starter = JSON.stringify(at('/etc/claude-code/hookgate-start'))
    changes(ours, (text) => text.replaceAll(starter, '"/bin/sh"').replaceAll(/"\/bin\/sh",\s*"-c"/g, '"-c"'))
    expect(await holes('claude-code')).toEqual(['loader'])
  })
})

describe('lists that an administrator has', () => {
  it('keep their members, and get them back', async () => {
    const before = '{\n  "advanced": {\n    "excludedEnvVars": ["MINE", "DEBUG"]\n  }\n}\n'
    const { context, read, holes } = machine({ [files['qwen-code']]: before })
    await enableManaged(['qwen-code'], context, plain)
    expect(JSON.parse(read(files['qwen-code']))).toMatchObject({
      advanced: { excludedEnvVars: ['MINE', 'DEBUG', 'DEBUG_MODE', 'QWEN_CODE_SAFE_MODE', 'QWEN_CODE_SIMPLE'] },
      env: { QWEN_CODE_SAFE_MODE: '0', QWEN_CODE_SIMPLE: '0' },
    })
    expect(await holes('qwen-code')).toEqual([])
    await disableManaged(['qwen-code'], context)
    expect(read(files['qwen-code'])).toBe(before)
  })
})

describe('the settings that keep hooks on', () => {
  it.each<[KnownAgent, object]>([
    ['gemini-cli', { hooksConfig: { enabled: true } }],
    ['qwen-code', { disableAllHooks: false }],
    ['droid', { hooks: { hooksDisabled: false } }],
    ['copilot-cli', { version: 1 }],
  ])('of %s are in its file: %j', async (agent, setting) => {
    const { context, read } = machine()
    await enableManaged([agent], context, plain)
    expect(JSON.parse(read(files[agent as keyof typeof files]))).toMatchObject(setting)
  })

  it('of Codex is the feature, without which a user switches hooks off', async () => {
    const { context, read } = machine()
    await enableManaged(['codex'], context, plain)
    expect(parseToml(read(files.codex))).toMatchObject({ features: { hooks: true, unified_exec_tty: false } })
  })

  it('of Claude Code is that a hook that fails blocks', async () => {
    const { context, read } = machine()
    await enableManaged(['claude-code'], context, plain)
    const { hooks } = JSON.parse(read(files['claude-code'])) as { hooks: Record<string, [{ hooks: [object] }]> }
    expect(hooks['PreToolUse']?.[0].hooks[0]).toMatchObject({ onFailure: 'block' })
  })

  it.each(['claude-code', 'codex', 'droid'] as const)(
    "of %s let only an administrator's hooks run, if that is asked for",
    async (agent) => {
      const { context, read } = machine()
      const word = /allow_?managed_?hooks_?only"?(?::| =) true/i
      await enableManaged([agent], context, plain)
      expect(read(files[agent])).not.toMatch(word)
      await enableManaged([agent], context, only)
      expect(read(files[agent])).toMatch(word)
      await enableManaged([agent], context, plain)
      expect(read(files[agent])).not.toMatch(word)
    },
  )

  it('are said to be missing where the agent has none', async () => {
    const { notes } = await enableManaged(['gemini-cli'], machine().context, only)
    expect(notes).toEqual(["Gemini CLI has no setting with which only an administrator's hooks run"])
  })
})

const theirs = {
  'gemini-cli': '{\n  // ours since 2024\n  "ui": { "theme": "dark" },\n  "hooksConfig": { "disabled": ["x"] }\n}\n',
  'qwen-code': '{\r\n\t"hooks": { "Stop": [] }, // kept\r\n\t"disableAllHooks": true\r\n}',
  droid: '{"hooks":{"PreToolUse":[{"matcher":"Edit","hooks":[{"type":"command","command":"fmt"}]}]}}',
  cursor: '{ "version": 1, "hooks": { "stop": [{ "command": "say done" }] } }\n',
  windsurf: '{}',
  opencode: '{ // ours\n  "plugin": ["theirs"],\n  "share": "disabled"\n}\n',
  kilo: '{"plugin":[]}',
  codex:
    '# policy of the company\nallowed_sandbox_modes = ["read-only"]\n\n[features]\n# theirs\nweb = false\n\n[hooks]\nmanaged_dir = "/opt/hooks"\n\n[[hooks.PreToolUse]]\nmatcher = "x"\n[[hooks.PreToolUse.hooks]]\ntype = "command"\ncommand = "fmt"\n',
} as const
const merged = Object.entries(theirs) as readonly (readonly [keyof typeof theirs, string])[]

describe('a file that an administrator has already', () => {
  it.each(merged)('of %s keeps all that is in it, and is restored to the byte', async (agent, text) => {
    const { context, read } = machine({ [files[agent]]: text })
    await enableManaged([agent], context, only)
    expect(read(scriptOf(agent))).toContain(`run --agent ${agent}`)
    for (const line of text.split(/\r?\n/)) {
      for (const comment of line.match(/(?:\/\/|#).*/g) ?? []) expect(read(files[agent])).toContain(comment)
    }
    await disableManaged([agent], context)
    expect(read(files[agent])).toBe(text)
  })

  it.each(merged)('of %s keeps what was changed in it since', async (agent, text) => {
    const { context, read, changes } = machine({ [files[agent]]: text })
    const later = (now: string) =>
      agent === 'codex' ? `later = 1\n${now}` : now.replace('{', agent === 'droid' ? '{"later":1,' : '{ "later": 1,')
    const expected = agent === 'windsurf' ? '{ "later": 1}' : later(text)
    await enableManaged([agent], context, only)
    changes(files[agent], (now) => later(now))
    await enableManaged([agent], context, plain)
    await disableManaged([agent], context)
    const parsed = (json: string) => json.replace(/\s/g, '')
    expect(parsed(read(files[agent]))).toBe(parsed(expected))
  })

  it('has its mode again, though everybody could read it meanwhile', async () => {
    const { context, at } = machine({ [files.droid]: '{}' })
    chmodSync(at(files.droid), 0o600)
    await enableManaged(['droid'], context, plain)
    expect(statSync(at(files.droid)).mode & 0o777).toBe(0o644)
    await disableManaged(['droid'], context)
    expect(statSync(at(files.droid)).mode & 0o777).toBe(0o600)
  })

  it.each<[KnownAgent, string, RegExp]>([
    ['droid', '{ "a": 1, }', /:1:/],
    ['qwen-code', '{', /settings\.json/],
    ['codex', 'a = = 1', /it is not TOML/],
    ['codex', '[features]\nhooks = false\n', /`features.hooks` is false, with which hookgate can be switched off/],
    ['codex', 'features = { web = true }\n', /leaves no place/],
    ['codex', 'hooks = { PreToolUse = [] }\n', /leaves no place/],
    ['opencode', '{"plugin": "theirs"}', /is not a list/],
    ['claude-code', '{"model": "opus"}', /is not hookgate's; move it away/],
    ['copilot-cli', '{"version": 1, "hooks": {}}', /is not hookgate's; move it away/],
  ])('of %s that leaves no place is not touched, and said: %s', async (agent, text, says) => {
    const file = files[agent as keyof typeof files]
    const { context, read } = machine({ [file]: text })
    const { errorText } = await import('../../../src/model/errors.ts')
    const error: unknown = await enableManaged(['windsurf', agent], context, plain).catch((cause: unknown) => cause)
    expect(errorText(error)).toMatch(says)
    expect(read(file)).toBe(text)
    expect(existsSync(machine().at(files.windsurf))).toBe(false)
  })
})

describe('an agent without files of an administrator', () => {
  it.each(['cline', 'kimi-code', 'vscode'] as const)('is refused, and has a remedy: %s', async (agent) => {
    await expect(async () => enableManaged([agent], machine().context, plain)).rejects.toMatchObject({
      code: 'usage',
      remedy: `have each user run \`hookgate enable ${agent}\``,
    })
  })
})

describe('what is open', () => {
  const opened = async (
    agent: keyof typeof files,
    open: (one: ReturnType<typeof machine>, file: string) => void,
    env: Readonly<Record<string, string>> = {},
  ) => {
    const one = machine({}, env)
    await enableManaged([agent], one.context, plain)
    open(one, one.at(files[agent]))
    return one.holes(agent)
  }

  it.each(rows)('is nothing on a machine where nobody has changed anything, of %s', async (agent) => {
    expect(await opened(agent, () => {})).toEqual([])
  })

  it('is everything where it is not registered', async () => {
    expect(await machine().holes('codex')).toEqual(['notRegistered'])
    expect(await machine().holes('cline')).toEqual(['notRegistered'])
  })

  it.each<[string, keyof typeof files, (text: string) => string, readonly string[]]>([
    ['a pin that was taken out', 'codex', (text) => text.replace('hooks = true', 'hooks = false'), ['unpinned']],
    [
      'a pin that was turned',
      'qwen-code',
      (text) => text.replace('"disableAllHooks": false', '"disableAllHooks": true'),
      ['unpinned'],
    ],
    ['a pin that is gone', 'gemini-cli', (text) => text.replace('"enabled": true', '"other": true'), ['unpinned']],
    ['an event that is gone', 'droid', (text) => text.replace('"PreToolUse"', '"PreToolUsed"'), ['incomplete']],
    [
      'a key that voids the file',
      'copilot-cli',
      (text) => text.replace('{', '{ "allowManagedHooksOnly": true,'),
      ['malformed'],
    ],
    ['a file that does not parse', 'droid', (text) => text.replace('{', '{ ,'), ['malformed']],
    [
      'hooks that are disabled by name',
      'gemini-cli',
      (text) => text.replace('"enabled": true', '"enabled": true, "disabled": ["hookgate"]'),
      ['switchedOff'],
    ],
    ['a managed switch', 'claude-code', (text) => text.replace('{', '{ "disableAllHooks": true,'), ['switchedOff']],
    [
      'a switch beside the hooks',
      'droid',
      (text) => text.replace('"hooksDisabled": false', '"hooksDisabled": true'),
      ['unpinned'],
    ],
  ])('is %s of %s', async (_, agent, change, holes) => {
    expect(await opened(agent, ({ changes }) => changes(files[agent], change))).toEqual(holes)
  })

  it('is what a user has that names hookgate among the hooks to be left out', async () => {
    const off = JSON.stringify({ hooksConfig: { disabled: ['hookgate'] } })
    const one = machine({ 'home/.gemini/settings.json': off })
    await enableManaged(['gemini-cli'], one.context, plain)
    expect(await one.holes('gemini-cli')).toEqual(['switchedOff'])
  })

  it.each<[keyof typeof files, string]>([
    ['gemini-cli', 'GEMINI_CLI_SYSTEM_SETTINGS_PATH'],
    ['qwen-code', 'QWEN_CODE_SYSTEM_SETTINGS_PATH'],
  ])('is a variable with which %s reads another file: %s', async (agent, name) => {
    expect(await opened(agent, () => {}, { [name]: '/tmp/x' })).toEqual(['variable'])
  })

  it.each<[string, (file: string) => void]>([
    ['the file may be written by everybody', (file) => chmodSync(file, 0o666)],
    ['the file may be written by its group', (file) => chmodSync(file, 0o664)],
    ['its folder may be written by everybody', (file) => chmodSync(dirname(file), 0o777)],
  ])('is that %s', async (_, weaken) => {
    expect(await opened('copilot-cli', (_one, file) => weaken(file))).toEqual(['changeable'])
  })

  it('is a program that is gone, or that others can change', async () => {
    const one = machine()
    await enableManaged(['codex'], one.context, plain)
    const { bin } = one.context.launcher
    chmodSync(bin, 0o666)
    expect(await one.holes('codex')).toEqual(['changeable'])
    chmodSync(bin, 0o644)
    writeFileSync(bin, 'process.exit(0)')
    expect(await one.holes('codex')).toEqual(['noAnswer'])
    const moved = { ...one.context, launcher: { ...one.context.launcher, bin: `${bin}.gone` } }
    await enableManaged(['codex'], moved, plain)
    expect(await one.holes('codex')).toEqual(['program'])
  })

  it.each<[string, (file: string) => void, readonly string[]]>([
    ['is gone', (file) => rmSync(file), ['program']],
    [
      'does something else',
      (file) => writeFileSync(file, '\nexport const Hookgate = () => ({})'),
      ['incomplete', 'noAnswer'],
    ],
    ['was written by another version', (file) => writeFileSync(file, `//${readFileSync(file, 'utf8')}`), []],
    ['may be changed by others', (file) => chmodSync(file, 0o666), ['changeable']],
  ])('is that a plugin %s', async (_, weaken, holes) => {
    const one = machine()
    await enableManaged(['opencode'], one.context, plain)
    weaken(one.at(pluginOf('opencode')))
    expect(await one.holes('opencode')).toEqual(holes)
  })

  it('is a mod that nothing holds back', async () => {
    const plugin = 'home/.claude/skills/seat'
    const one = machine({
      [`${plugin}/.claude-plugin/plugin.json`]: JSON.stringify({ name: 'seat', version: '1.0.0' }),
      [`${plugin}/hooks/hooks.json`]: JSON.stringify({ modules: ['./mod.ts'] }),
      [`${plugin}/hooks/mod.ts`]:
        "export function register(on) { on('session.start', ($) => $.process.run(['touch', 'x'])) }",
    })
    await enableManaged(['claude-code'], one.context, plain)
    expect(await one.holes('claude-code')).toEqual(['innerCode'])
  })

  it('is a file of device management above it', async () => {
    const one = machine()
    const mac = { ...one.context, platform: 'darwin' as const }
    await enableManaged(['claude-code'], mac, plain)
    const profile = one.at('/Library/Managed Preferences/com.anthropic.claudecode.plist')
    mkdirSync(dirname(profile), { recursive: true })
    writeFileSync(profile, '')
    const { agents } = await managedStatus(['claude-code'], mac)
    expect(agents[0]?.holes.map(({ code }) => code)).toEqual(['outranked'])
  })

  it.each<[string, object, string, readonly string[]]>([
    ['nothing', {}, 'enforced', []],
    ['other settings', { permissions: { deny: ['Read(x)'] } }, 'replaced', ['replaced']],
    ['settings that say which source counts', { managedSourcesBehavior: 'first-wins' }, 'replaced', ['replaced']],
    ['settings that are read beside the file', { managedSourcesBehavior: 'merge' }, 'enforced', []],
    [
      'settings beside the file that switch hooks off',
      { managedSourcesBehavior: 'merge', disableAllHooks: true },
      'enforced',
      ['switchedOff'],
    ],
    ['hooks of others', { hooks: { PreToolUse: [] } }, 'replaced', ['replaced']],
  ])('is what a server delivers in place of the file: %s', async (_, served, named, codes) => {
    const site = machine({ 'home/.claude/remote-settings.json': JSON.stringify(served) })
    await enableManaged(['claude-code'], site.context, plain)
    expect(await site.holes('claude-code')).toEqual(codes)
    expect((await managedStatus(['claude-code'], site.context)).agents[0]?.class).toBe(named)
    const { calls, scopes } = await agentStatus('claude-code', site.context)
    expect([calls, scopes[0]?.scope, scopes[0]?.state]).toEqual(
      codes.length === 0 ? [true, 'managed', 'works'] : [false, 'managed', 'broken'],
    )
    const here = (await agentsHere(site.context)).find(({ agent }) => agent === 'claude-code')
    expect(here?.administeredIn === null).toBe(codes.length > 0)
  })

  it('is looked for in what a server delivers, where that has the hooks', async () => {
    const site = machine()
    const forServer = { ...plain, isForServer: true }
    const { wanted } = await enableManaged(['claude-code'], { ...site.context, dryRun: true }, forServer)
    expect(wanted).toHaveLength(1)
    writeFiles(dirname(site.context.home), { 'home/.claude/remote-settings.json': wanted[0]?.text ?? '' })
    const [alone] = (await managedStatus(['claude-code'], site.context)).agents
    // Users can do without the server, so that these alone bind nobody.
    expect(alone).toMatchObject({ class: 'advisory', registered: true })
    // There is no other program here that starts it, and nothing else that it needs.
    expect(alone?.holes.map(({ code }) => code)).toEqual(['loader'])
    expect(alone?.file).toMatch(/remote-settings\.json$/)
    await enableManaged(['claude-code'], site.context, plain)
    const [both] = (await managedStatus(['claude-code'], site.context)).agents
    expect(both).toMatchObject({ class: 'enforced', registered: true })
    expect((await agentStatus('claude-code', site.context)).calls).toBe(true)
  })

  it('counts every registered agent where none is named, and a broken file as well', async () => {
    const one = machine()
    expect((await managedStatus([], one.context)).sound).toBe(false)
    await enableManaged(['codex', 'droid'], one.context, plain)
    expect((await managedStatus([], one.context)).sound).toBe(true)
    one.changes(files.droid, (text) => `${text},`)
    expect((await managedStatus([], one.context)).sound).toBe(false)
    expect((await managedStatus(['codex'], one.context)).sound).toBe(true)
  })
})

describe.skipIf(process.platform === 'win32')('a folder of an administrator', () => {
  const file = files['claude-code']
  const weak: readonly (readonly [string, (folder: string) => void])[] = [
    ['that every user may write', (folder) => chmodSync(folder, 0o777)],
    ['that its group may write', (folder) => chmodSync(folder, 0o775)],
    ['to which anybody may add', (folder) => chmodSync(folder, 0o1777)],
    ['below one that every user may write', (folder) => chmodSync(dirname(folder), 0o777)],
    [
      'that is a link to one that every user may write',
      (folder) => {
        rmSync(folder, { recursive: true })
        mkdirSync(`${folder}-open`)
        chmodSync(`${folder}-open`, 0o777)
        symlinkSync(`${folder}-open`, folder)
      },
    ],
    ...(process.getuid?.() === 0
      ? [['of another owner', (folder: string) => chownSync(folder, 4321, 4321)] as const]
      : []),
  ]
  it.each(weak)('%s gets nothing written into it, and it is said how to mend that', async (_, weaken) => {
    const { context, at, exists } = machine({ [file]: '' })
    rmSync(at(file))
    chmodSync(dirname(at(file)), 0o755)
    weaken(dirname(at(file)))
    await expect(enableManaged(['claude-code'], context, plain)).rejects.toMatchObject({
      code: 'settingsUnwritable',
      message: expect.stringMatching(/may |owns it/),
      remedy: expect.stringMatching(/chmod go-w|chown|link/),
    })
    expect(exists(file)).toBe(false)
  })

  it('that is a link to one that only the administrator may write is named in a note', async () => {
    const { context, at } = machine({ [file]: '' })
    const folder = dirname(at(file))
    rmSync(folder, { recursive: true })
    mkdirSync(`${folder}-real`, { mode: 0o755 })
    symlinkSync(`${folder}-real`, folder)
    const { notes } = await enableManaged(['claude-code'], context, plain)
    expect(notes.join()).toContain(`${folder}-real/50-hookgate.json, where a link leads`)
  })
})

describe('who asks, where an administrator has registered an agent', () => {
  const off = { '.claude/settings.json': '{"disableAllHooks": true}' }
  it('is not what a user has switched off of their own hooks', async () => {
    const { context } = machine({ 'home/.claude/settings.json': off['.claude/settings.json'] })
    await enableManaged(['claude-code'], context, plain)
    expect(await agentStatus('claude-code', context)).toMatchObject({ calls: true, obstacles: [] })
    expect(await switchedOffHere(await registeredAgents(context), context)).toEqual([])
    await disableManaged(['claude-code'], context)
    expect(await agentStatus('claude-code', context)).toMatchObject({ calls: false })
  })

  it('is switched off by a project’s setting where no pin of the administrator holds it on', async () => {
    const { context, changes } = machine({ 'project/.qwen/settings.json': '{"disableAllHooks": true}' })
    await enableManaged(['qwen-code'], context, plain)
    expect(await agentStatus('qwen-code', context)).toMatchObject({ calls: true, obstacles: [] })
    changes(files['qwen-code'], (text) => text.replace('"disableAllHooks": false', '"other": false'))
    const { calls, obstacles } = await agentStatus('qwen-code', context)
    expect([calls, obstacles.length]).toEqual([false, 1])
    expect(await switchedOffHere(await registeredAgents(context), context)).toEqual(obstacles)
  })

  it('is named with every way past it that is open', async () => {
    const { context, changes } = machine()
    await enableManaged(['codex'], context, plain)
    changes(files.codex, (text) => text.replace('hooks = true', 'hooks = false'))
    const { calls, scopes } = await agentStatus('codex', context)
    expect([calls, scopes[0]?.state]).toEqual([true, 'works'])
    expect(scopes[0]?.problems).toEqual([expect.stringContaining('`features.hooks` is not true')])
  })
})
