import { agentNames, type KnownAgent } from '../../src/agents/registry.ts'
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { agentStatus, type InstallContext, disable, enable } from '../../src/install/index.ts'
import { type Registered, registered } from '../support/registrations.ts'
import { asker, guarded } from '../support/asker.ts'
import { writeFiles } from '../support/workspace.ts'

const scopes = ['user', 'project'] as const
const cases = registered.flatMap((row) => scopes.map((scope) => ({ agent: row.agent, row, scope })))
const commandOf = ({ agent, event }: Registered, scope: InstallContext['scope']): unknown =>
  scope === 'user'
    ? expect.stringMatching(new RegExp(`^/bin/sh (-p )?\\S+/state/hooks/${agent}/${event} \\|\\| exit 2$`))
    : `hookgate run --agent ${agent} || exit 2`
const entryOf = (row: Registered, scope: InstallContext['scope']) =>
  (scope === 'project' && row.projectEntry) || row.entry

/** A file that somebody has laid out in their own way, with a hook of their own. */
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

/** What a shell makes of the registered command. */
function run(command: string, input: object, { cwd, env }: { cwd: string; env: Record<string, string> }) {
  return spawnSync('/bin/sh', ['-c', command], { cwd, env, input: JSON.stringify(input), encoding: 'utf8' })
}

const commandsBelow = (value: unknown): readonly string[] =>
  [...JSON.stringify(value).matchAll(/"(?:command|bash)":"((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) =>
    String(JSON.parse(`"${text}"`)),
  )

describe.each(cases)('$agent, in the scope $scope,', { timeout: 120_000 }, ({ agent, row, scope }) => {
  const { files, list } = row
  const file = files[scope]

  it('is registered beside what is there, proved, asked for real, and undone to the byte', async () => {
    const user = asker(scope)
    const before = theirs(row, scope)
    writeFiles(user.folder, { [`${scope === 'user' ? 'home' : 'project'}/${file}`]: before })
    for (const [name, text] of Object.entries(row.trust?.(user.at(file), user.cwd) ?? {})) {
      writeFiles(user.home, { [name]: text })
    }

    expect((await enable(agent, user.asked)).changed).toMatchObject([{ file: user.at(file), what: 'wrote' }])
    const own = entryOf(row, scope)(commandOf(row, scope))
    const other = entryOf(row, scope)('their-own')
    expect(listIn(user.read(file), list)).toEqual(row.position === 'first' ? [own, other] : [other, own])

    const enabled = user.read(file)
    expect((await enable(agent, user.asked)).changed).toEqual([])
    expect(user.read(file)).toBe(enabled)

    const { scopes: found, obstacles } = await agentStatus(agent, user.asked)
    expect(obstacles).toEqual([])
    expect(found.find((one) => one.scope === scope)).toMatchObject({
      state: 'works',
      by: 'enable',
      problems: [],
      canaries: [{ answered: true, by: 'process' }],
    })

    const command = commandsBelow(listIn(enabled, list)).find((one) => one !== 'their-own') ?? ''
    const said = run(command, row.wire('git push', user.cwd), user)
    const reason: unknown = expect.stringContaining(guarded)
    const refusal = row.refusal(reason)
    expect({ exitCode: said.status, stdout: JSON.parse(said.stdout || '{}') as object }).toEqual({
      exitCode: refusal.exitCode,
      stdout: expect.objectContaining(refusal.stdout) as unknown,
    })
    expect(said.stderr).toContain(guarded)

    await disable(agent, user.asked)
    expect(user.read(file)).toBe(before)
    expect((await disable(agent, user.asked)).changed).toEqual([])
  })

  it('is given a file where there is none, which goes again with its folders', async () => {
    const user = asker(scope)
    const below = readdirSync(user.at('.'))
    await enable(agent, user.asked)
    const made = JSON.parse(user.read(file)) as Record<string, unknown>
    expect(made).toMatchObject(row.beside ?? {})
    expect(listIn(user.read(file), list)).toEqual([entryOf(row, scope)(commandOf(row, scope))])
    await disable(agent, user.asked)
    expect(readdirSync(user.at('.'))).toEqual(below)
  })

  it('is not registered in a file that does not parse, whose place is named', async () => {
    const user = asker(scope)
    writeFiles(user.folder, { [`${scope === 'user' ? 'home' : 'project'}/${file}`]: '{\n  "hooks": {,}\n}\n' })
    await expect(enable(agent, user.asked)).rejects.toMatchObject({
      code: 'settingsMalformed',
      place: { file: user.at(file), line: 2 },
    })
    expect(user.read(file)).toBe('{\n  "hooks": {,}\n}\n')
    expect(existsSync(join(user.folder, 'state/hooks'))).toBe(false)
  })

  it('refuses where what it would start is gone', async () => {
    const user = asker(scope)
    await enable(agent, user.asked)
    const [command = ''] = commandsBelow(listIn(user.read(file), list))
    rmSync(join(user.folder, 'state/hooks'), { recursive: true, force: true })
    const said = run(command, row.wire('ls', user.cwd), { ...user, env: { ...user.env, PATH: '/usr/bin:/bin' } })
    expect(said).toMatchObject({ status: 2, stdout: '' })
    expect(said.stderr).not.toBe('')
  })
})

describe('a registration', () => {
  it('is there for every agent, and described in this test or another', () => {
    const elsewhere: readonly KnownAgent[] = ['claude-code', 'cline', 'opencode']
    expect([...registered.map(({ agent }) => agent), ...elsewhere].toSorted()).toEqual(agentNames.toSorted())
  })

  it.each(registered.filter(({ agent }) => agent === 'qwen-code' || agent === 'droid'))(
    'of $agent that has lost its place is seen, and given it again',
    async (row) => {
      const user = asker('user')
      const { agent, event, list } = row
      const file = row.files.user
      await enable(agent, user.asked)
      const enabled = user.read(file)
      const whole = JSON.parse(enabled) as Record<string, unknown>
      const all = (list.length === 1 ? whole : whole['hooks']) as Record<string, unknown[]>
      const own = all[event] ?? []
      const other = row.entry('their-own')
      all[event] = row.position === 'first' ? [other, ...own] : [...own, other]
      writeFiles(user.home, { [file]: { json: whole } })
      const { scopes: found } = await agentStatus(agent, user.asked)
      expect(found[0]?.state).toBe('broken')
      expect(found[0]?.problems.join()).toContain(`at ${event}`)
      await enable(agent, user.asked)
      const entries = listIn(user.read(file), list)
      expect(entries.at(row.position === 'first' ? 0 : -1)).toEqual(own[0])
      expect(entries).toHaveLength(2)
    },
  )

  it('of droid goes into the settings where their hooks would otherwise be hidden, and is moved where it is', async () => {
    const user = asker('user')
    const settings = '{ "hooks": { "Stop": [] }, "theme": "x" }'
    writeFiles(user.home, { '.factory/settings.json': settings })
    await enable('droid', user.asked)
    expect(existsSync(user.at('.factory/hooks.json'))).toBe(false)
    expect(user.read('.factory/settings.json')).toContain('/hooks/droid/PreToolUse')

    writeFiles(user.home, { '.factory/hooks.json': '{}' })
    const { scopes: found, calls } = await agentStatus('droid', user.asked)
    expect(calls).toBe(false)
    expect(found[0]?.problems.join()).toContain('which droid does not read')
    await enable('droid', user.asked)
    expect(user.read('.factory/settings.json')).toBe(settings)
    expect(user.read('.factory/hooks.json')).toContain('/hooks/droid/PreToolUse')
    expect((await agentStatus('droid', user.asked)).notes.join()).toContain('does not run the hooks in')
    await disable('droid', user.asked)
    expect(user.read('.factory/hooks.json')).toBe('{}')
  })

  it.each<[KnownAgent, Readonly<Record<string, string>>, string]>([
    ['gemini-cli', { '.gemini/settings.json': '{"hooksConfig":{"enabled":false}} // off' }, 'hooksConfig.enabled'],
    ['gemini-cli', { '.gemini/settings.json': '{"hooksConfig":{"disabled":["hookgate"]}}' }, 'hooksConfig.disabled'],
    ['gemini-cli', { '.gemini/settings.json': '{"security":{"folderTrust":{"enabled":true}}}' }, 'untrusted folder'],
    ['qwen-code', { '.qwen/settings.json': '{"disableAllHooks":true}' }, 'disableAllHooks'],
    ['copilot-cli', { '.copilot/settings.json': '{"disableAllHooks":true}' }, 'disableAllHooks'],
    ['codex', { '.codex/config.toml': 'model = "x"\n[features]\nhooks = false # for now\n' }, 'features.hooks'],
    ['codex', {}, 'not trusted'],
    ['droid', { '.factory/settings.json': '{"hooksDisabled":true}' }, 'hooksDisabled'],
    ['codex', { '.codex/hooks.json': '{"$schema":"x"}' }, 'has the key `$schema`'],
    ['cursor', { '.cursor/hooks.json': '{"hooks":{}}' }, 'lacks `"version": 1`'],
  ])('of %s is not taken for one that works where %o', async (agent, files, why) => {
    const user = asker('user')
    writeFiles(user.home, files)
    await enable(agent, user.asked)
    const { calls, obstacles, scopes: found } = await agentStatus(agent, user.asked)
    expect(calls).toBe(false)
    expect([...obstacles, ...found.flatMap(({ problems }) => problems)].join()).toContain(why)
  })

  it('of Codex is seen where a person has switched a hook off', async () => {
    const user = asker('user')
    const row = registered.find(({ agent }) => agent === 'codex')
    const file = user.at('.codex/hooks.json')
    const trust = row?.trust?.(file, user.cwd)['.codex/config.toml'] ?? ''
    const key = `"${file}:pre_tool_use:0:0"]`
    writeFiles(user.home, { '.codex/config.toml': trust.replace(key, `${key}\nenabled = false`) })
    await enable('codex', user.asked)
    const { calls, scopes: found } = await agentStatus('codex', user.asked)
    expect(calls).toBe(false)
    expect(found[0]?.problems).toEqual([expect.stringContaining('it is switched off at PreToolUse')])
  })

  it('of Gemini CLI works in a folder that somebody has trusted', async () => {
    const user = asker('user')
    writeFiles(user.home, {
      '.gemini/settings.json': '{"security":{"folderTrust":{"enabled":true}}}',
      '.gemini/trustedFolders.json': JSON.stringify({ [user.cwd]: 'TRUST_FOLDER' }),
    })
    await enable('gemini-cli', user.asked)
    expect(await agentStatus('gemini-cli', user.asked)).toMatchObject({ calls: true, obstacles: [] })
  })

  it('of VS Code and of Claude Code, in one file, are undone each by itself', async () => {
    const user = asker('user')
    const before = '{ "model": "opus" }\n'
    writeFiles(user.home, { '.claude/settings.json': before })
    await enable('claude-code', user.asked)
    const claude = user.read('.claude/settings.json')
    await enable('vscode', user.asked)
    await disable('vscode', user.asked)
    expect(user.read('.claude/settings.json')).toBe(claude)
    await disable('claude-code', user.asked)
    expect(user.read('.claude/settings.json')).toBe(before)
  })

  it('that came with a project is not run to see whether it answers', async () => {
    const user = asker('project')
    await enable('gemini-cli', user.asked)
    rmSync(join(user.folder, 'state/enabled'), { recursive: true })
    const { scopes: found, calls } = await agentStatus('gemini-cli', user.asked)
    expect(calls).toBe(false)
    expect(found[1]).toMatchObject({ state: 'unproved', canaries: [] })
    await disable('gemini-cli', user.asked)
    expect(existsSync(user.at('.gemini/settings.json'))).toBe(true)
    expect(JSON.parse(user.read('.gemini/settings.json'))).toEqual({})
  })

  it('by hand is left alone and proved, and gives way where it is asked to', async () => {
    const user = asker('user')
    const command = `${join(user.folder, 'bin/hookgate')} run --agent qwen-code`
    const before = JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command }] }] } })
    writeFiles(user.home, { '.qwen/settings.json': before })
    const { scopes: found } = await agentStatus('qwen-code', user.asked)
    expect(found[0]).toMatchObject({ by: 'hand', state: 'works', events: ['Stop'], canaries: [{ answered: true }] })
    expect((await enable('qwen-code', user.asked)).notes.join()).toContain('asked twice')
    await disable('qwen-code', user.asked)
    expect(user.read('.qwen/settings.json')).toBe(before)
    await enable('qwen-code', { ...user.asked, replace: true })
    expect(user.read('.qwen/settings.json')).not.toContain(command)
  })
})

describe('a registered end of a turn', () => {
  it('keeps no agent at work where hookgate’s own files are gone, and every call is refused', async () => {
    const user = asker('user')
    await enable('codex', user.asked)
    const { hooks } = JSON.parse(user.read('.codex/hooks.json')) as {
      hooks: Record<string, [{ hooks: [{ command: string }] }]>
    }
    rmSync(join(user.asked.places.folder, 'hooks'), { recursive: true })
    const codeAt = (event: string) =>
      run(hooks[event]?.[0].hooks[0].command ?? '', {}, { cwd: user.cwd, env: {} }).status
    expect({ Stop: codeAt('Stop'), SubagentStop: codeAt('SubagentStop'), PreToolUse: codeAt('PreToolUse') }).toEqual({
      Stop: 0,
      SubagentStop: 0,
      PreToolUse: 2,
    })
  })
})
