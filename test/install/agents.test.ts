import { agentNames, type KnownAgent } from '../../src/agents/registry.ts'
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { agentStatus, type InstallContext, disable, enable } from '../../src/install/index.ts'
import { type Registered, registered } from '../support/registrations.ts'
import { installUser, guarded } from '../support/asker.ts'
import { sampleOf } from '../support/sample.ts'
import { writeFiles } from '../support/workspace.ts'

const casesIn = (scope: 'user' | 'project') => registered.map((row) => ({ agent: row.agent, row, scope }))
const cases = [...casesIn('user'), ...casesIn('project')]
/** Cases for tests that start processes. In a project, agents differ by what is written alone, which other tests compare. */
const runCases = [...casesIn('user'), ...sampleOf(casesIn('project'), 3)]
const commandOf = ({ agent, event }: Registered, scope: InstallContext['scope']): unknown =>
  scope === 'user'
    ? expect.stringMatching(new RegExp(`^/bin/sh (-p )?\\S+/state/hooks/${agent}/${event} \\|\\| \\{ .* exit 2; \\}$`))
    : `hookgate run --agent ${agent} || exit 2`
const entryOf = (row: Registered, scope: InstallContext['scope']) =>
  (scope === 'project' && row.projectEntry) || row.entry

/** A settings file with unusual formatting and a hook of the user's own. */
function theirs(row: Registered, scope: InstallContext['scope']): string {
  const list = `[\n\t\t ${JSON.stringify(entryOf(row, scope)('their-own'))}   ]`
  const hooks = `{ "${row.event}" : ${list},\t"ofTheirs":[ ]}`
  if (row.list.length === 1) return `${hooks}\r\n\r\n`
  return `{${row.ownKeys === undefined ? '"first" : {}, "version"  :1' : row.ownKeys}, "hooks": ${hooks}\n}`
}

function listIn(text: string, path: readonly string[]): readonly unknown[] {
  const found = path.reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], JSON.parse(text))
  return found as readonly unknown[]
}

/** Decodes the registered command as a shell would. */
function run(command: string, input: object, { cwd, env }: { cwd: string; env: Record<string, string> }) {
  return spawnSync('/bin/sh', ['-c', command], { cwd, env, input: JSON.stringify(input), encoding: 'utf8' })
}

const commandsBelow = (value: unknown): readonly string[] =>
  [...JSON.stringify(value).matchAll(/"(?:command|bash)":"((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) =>
    String(JSON.parse(`"${text}"`)),
  )

describe.each(runCases)('$agent, run in the scope $scope,', ({ agent, row, scope }) => {
  const { files, list } = row
  const file = files[scope]

  it('is registered beside existing hooks, probed, run for real, and removed to the byte', async () => {
    const user = installUser(scope)
    const before = theirs(row, scope)
    writeFiles(user.folder, { [`${scope === 'user' ? 'home' : 'project'}/${file}`]: before })
    for (const [name, text] of Object.entries(row.trust?.(user.at(file), user.cwd) ?? {})) {
      writeFiles(user.home, { [name]: text })
    }

    expect((await enable(agent, user.context)).changed).toMatchObject([{ file: user.at(file), what: 'wrote' }])
    const own = entryOf(row, scope)(commandOf(row, scope))
    const other = entryOf(row, scope)('their-own')
    expect(listIn(user.read(file), list)).toEqual(row.position === 'first' ? [own, other] : [other, own])

    const enabled = user.read(file)
    expect((await enable(agent, user.context)).changed).toEqual([])
    expect(user.read(file)).toBe(enabled)

    const { scopes: found, obstacles } = await agentStatus(agent, user.context)
    expect(obstacles).toEqual([])
    expect(found.find((one) => one.scope === scope)).toMatchObject({
      state: 'works',
      by: 'enable',
      problems: [],
      canaries: [{ answered: true, by: 'process' }],
    })

    const command = commandsBelow(listIn(enabled, list)).find((one) => one !== 'their-own') ?? ''
    const hook = run(command, row.wire('git push', user.cwd), user)
    const reason: unknown = expect.stringContaining(guarded)
    const refusal = row.refusal(reason)
    expect({ exitCode: hook.status, stdout: JSON.parse(hook.stdout || '{}') as object }).toEqual({
      exitCode: refusal.exitCode,
      stdout: expect.objectContaining(refusal.stdout) as unknown,
    })
    expect(hook.stderr).toContain(guarded)

    await disable(agent, user.context)
    expect(user.read(file)).toBe(before)
    expect((await disable(agent, user.context)).changed).toEqual([])
  })

  it('refuses where the program that it starts is gone', async () => {
    const user = installUser(scope)
    await enable(agent, user.context)
    const [command = ''] = commandsBelow(listIn(user.read(file), list))
    rmSync(join(user.folder, 'state/hooks'), { recursive: true, force: true })
    const hook = run(command, row.wire('ls', user.cwd), { ...user, env: { ...user.env, PATH: '/usr/bin:/bin' } })
    expect(hook).toMatchObject({ status: 2, stdout: '' })
    const gone = join(user.folder, `state/hooks/${agent}/${row.event}`)
    const said = scope === 'user' ? `${gone} is gone: run \`hookgate enable ${agent}\`` : 'hookgate'
    expect(hook.stderr).toContain(said)
  })
})

describe.each(cases)('$agent, written in the scope $scope,', ({ agent, row, scope }) => {
  const { files, list } = row
  const file = files[scope]

  it('gets a new file where there is none, which is removed again with its folders', async () => {
    const user = installUser(scope)
    const below = readdirSync(user.at('.'))
    await enable(agent, user.context)
    const made = JSON.parse(user.read(file)) as Record<string, unknown>
    expect(made).toMatchObject(row.beside ?? {})
    expect(listIn(user.read(file), list)).toEqual([entryOf(row, scope)(commandOf(row, scope))])
    await disable(agent, user.context)
    expect(readdirSync(user.at('.'))).toEqual(below)
  })

  it('is not registered in a file that does not parse, and reports the place', async () => {
    const user = installUser(scope)
    writeFiles(user.folder, { [`${scope === 'user' ? 'home' : 'project'}/${file}`]: '{\n  "hooks": {,}\n}\n' })
    await expect(enable(agent, user.context)).rejects.toMatchObject({
      code: 'settingsMalformed',
      place: { file: user.at(file), line: 2 },
    })
    expect(user.read(file)).toBe('{\n  "hooks": {,}\n}\n')
    expect(existsSync(join(user.folder, 'state/hooks'))).toBe(false)
  })
})

describe('a registration', () => {
  it('exists for every agent, and is tested here or elsewhere', () => {
    const elsewhere: readonly KnownAgent[] = ['claude-code', 'cline', 'opencode', 'kilo', 'kimi-code', 'pi', 'openclaw']
    expect([...registered.map(({ agent }) => agent), ...elsewhere].toSorted()).toEqual(agentNames.toSorted())
  })

  it.each(registered.filter(({ agent }) => agent === 'qwen-code' || agent === 'droid'))(
    'of $agent that is no longer in its position is detected, and moved back',
    async (row) => {
      const user = installUser('user')
      const { agent, event, list } = row
      const file = row.files.user
      await enable(agent, user.context)
      const enabled = user.read(file)
      const whole = JSON.parse(enabled) as Record<string, unknown>
      const all = (list.length === 1 ? whole : whole['hooks']) as Record<string, unknown[]>
      const own = all[event] ?? []
      const other = row.entry('their-own')
      all[event] = row.position === 'first' ? [other, ...own] : [...own, other]
      writeFiles(user.home, { [file]: { json: whole } })
      const { scopes: found } = await agentStatus(agent, user.context)
      expect(found[0]?.state).toBe('broken')
      expect(found[0]?.problems.join()).toContain(`at ${event}`)
      await enable(agent, user.context)
      const entries = listIn(user.read(file), list)
      expect(entries.at(row.position === 'first' ? 0 : -1)).toEqual(own[0])
      expect(entries).toHaveLength(2)
    },
  )

  it('of droid is written into the settings if these would hide other hooks, and is moved there', async () => {
    const user = installUser('user')
    const settings = '{ "hooks": { "Stop": [] }, "theme": "x" }'
    writeFiles(user.home, { '.factory/settings.json': settings })
    await enable('droid', user.context)
    expect(existsSync(user.at('.factory/hooks.json'))).toBe(false)
    expect(user.read('.factory/settings.json')).toContain('/hooks/droid/PreToolUse')

    writeFiles(user.home, { '.factory/hooks.json': '{}' })
    const { scopes: found, calls } = await agentStatus('droid', user.context)
    expect(calls).toBe(false)
    expect(found[0]?.problems.join()).toContain('which droid does not read')
    await enable('droid', user.context)
    expect(user.read('.factory/settings.json')).toBe(settings)
    expect(user.read('.factory/hooks.json')).toContain('/hooks/droid/PreToolUse')
    expect((await agentStatus('droid', user.context)).notes.join()).toContain('does not run the hooks in')
    await disable('droid', user.context)
    expect(user.read('.factory/hooks.json')).toBe('{}')
  })

  it.each<[KnownAgent, Readonly<Record<string, string>>, string]>([
    ['gemini-cli', { '.gemini/settings.json': '{"hooksConfig":{"enabled":false}} // off' }, 'hooksConfig.enabled'],
    ['gemini-cli', { '.gemini/settings.json': '{"hooksConfig":{"disabled":["hookgate"]}}' }, 'hooksConfig.disabled'],
    ['gemini-cli', { '.gemini/settings.json': '{"security":{"folderTrust":{"enabled":true}}}' }, 'untrusted folder'],
    ['qwen-code', { '.qwen/settings.json': '{"disableAllHooks":true}' }, 'disableAllHooks'],
    [
      'copilot-cli',
      { '.copilot/hooks/hookgate.json': '{"version":1,"disableAllHooks":true}' },
      'switches this file off',
    ],
    ['codex', { '.codex/config.toml': 'model = "x"\n[features]\nhooks = false # for now\n' }, 'features.hooks'],
    ['codex', {}, 'not trusted'],
    ['droid', { '.factory/settings.json': '{"hooks":{"hooksDisabled":true}}' }, 'hooksDisabled'],
    ['droid', { '.factory/hooks.json': '{"hooksDisabled":true}' }, 'hooksDisabled'],
    ['codex', { '.codex/hooks.json': '{"$schema":"x"}' }, 'has the key `$schema`'],
    ['cursor', { '.cursor/hooks.json': '{"hooks":{}}' }, 'lacks `"version": 1`'],
    ['grok-build', { '.grok/disabled-hooks': 'global/hookgate:pre_tool_use[0].hooks[0]\n' }, 'switches it off'],
    ['grok-build', { '.grok/requirements.toml': 'allow_managed_hooks_only = true\n' }, 'the organization’s'],
  ])('of %s does not count as working where %o', async (agent, files, why) => {
    const user = installUser('user')
    writeFiles(user.home, files)
    await enable(agent, user.context)
    const { calls, obstacles, scopes: found } = await agentStatus(agent, user.context)
    expect(calls).toBe(false)
    expect([...obstacles, ...found.flatMap(({ problems }) => problems)].join()).toContain(why)
  })

  it('of Codex is reported where the user has switched a hook off', async () => {
    const user = installUser('user')
    const row = registered.find(({ agent }) => agent === 'codex')
    const file = user.at('.codex/hooks.json')
    const trust = row?.trust?.(file, user.cwd)['.codex/config.toml'] ?? ''
    const key = `"${file}:pre_tool_use:0:0"]`
    writeFiles(user.home, { '.codex/config.toml': trust.replace(key, `${key}\nenabled = false`) })
    await enable('codex', user.context)
    const { calls, scopes: found } = await agentStatus('codex', user.context)
    expect(calls).toBe(false)
    expect(found[0]?.problems).toEqual([expect.stringContaining('it is switched off at PreToolUse')])
  })

  it('of Gemini CLI works in a trusted folder', async () => {
    const user = installUser('user')
    writeFiles(user.home, {
      '.gemini/settings.json': '{"security":{"folderTrust":{"enabled":true}}}',
      '.gemini/trustedFolders.json': JSON.stringify({ [user.cwd]: 'TRUST_FOLDER' }),
    })
    await enable('gemini-cli', user.context)
    expect(await agentStatus('gemini-cli', user.context)).toMatchObject({ calls: true, obstacles: [] })
  })

  it('of VS Code and of Claude Code, in one file, are removed independently', async () => {
    const user = installUser('user')
    const before = '{ "model": "opus" }\n'
    writeFiles(user.home, { '.claude/settings.json': before })
    await enable('claude-code', user.context)
    const claude = user.read('.claude/settings.json')
    await enable('vscode', user.context)
    await disable('vscode', user.context)
    expect(user.read('.claude/settings.json')).toBe(claude)
    await disable('claude-code', user.context)
    expect(user.read('.claude/settings.json')).toBe(before)
  })

  it('that came with a project is not run as a probe', async () => {
    const user = installUser('project')
    await enable('gemini-cli', user.context)
    rmSync(join(user.folder, 'state/enabled'), { recursive: true })
    const { scopes: found, calls } = await agentStatus('gemini-cli', user.context)
    expect(calls).toBe(false)
    expect(found[1]).toMatchObject({ state: 'unproved', canaries: [] })
    await disable('gemini-cli', user.context)
    expect(existsSync(user.at('.gemini/settings.json'))).toBe(true)
    expect(JSON.parse(user.read('.gemini/settings.json'))).toEqual({})
  })

  it('by hand is kept and probed, and is replaced by `enable --replace`', async () => {
    const user = installUser('user')
    const command = `${join(user.folder, 'bin/hookgate')} run --agent qwen-code`
    const before = JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command }] }] } })
    writeFiles(user.home, { '.qwen/settings.json': before })
    const { scopes: found } = await agentStatus('qwen-code', user.context)
    expect(found[0]).toMatchObject({ by: 'hand', state: 'works', events: ['Stop'], canaries: [{ answered: true }] })
    expect((await enable('qwen-code', user.context)).notes.join()).toContain('asked twice')
    await disable('qwen-code', user.context)
    expect(user.read('.qwen/settings.json')).toBe(before)
    await enable('qwen-code', { ...user.context, replace: true })
    expect(user.read('.qwen/settings.json')).not.toContain(command)
  })
})

describe('a registered end of a turn', () => {
  it('lets the turn end where hookgate’s own files are gone, while every call is refused', async () => {
    const user = installUser('user')
    await enable('codex', user.context)
    const { hooks } = JSON.parse(user.read('.codex/hooks.json')) as {
      hooks: Record<string, [{ hooks: [{ command: string }] }]>
    }
    rmSync(join(user.context.places.folder, 'hooks'), { recursive: true })
    const codeAt = (event: string) =>
      run(hooks[event]?.[0].hooks[0].command ?? '', {}, { cwd: user.cwd, env: {} }).status
    expect({ Stop: codeAt('Stop'), SubagentStop: codeAt('SubagentStop'), PreToolUse: codeAt('PreToolUse') }).toEqual({
      Stop: 0,
      SubagentStop: 0,
      PreToolUse: 2,
    })
  })
})
