import { chmodSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { AgentHere, AgentStatus } from '../../src/install/index.ts'
import { agentNames } from '../../src/agents/registry.ts'
import { agentUser, firstTimeUser } from '../support/enabling.ts'
import { otherVersion } from '../support/other-version.ts'
import { freePort } from '../support/resident.ts'
import { rulesWith } from '../support/workspace.ts'

const hand = '#!/bin/sh\nexec hookgate run --agent cline\n'
const entry = { type: 'command', command: 'hookgate', args: ['run', '--agent', 'claude-code'], timeout: 60 }
const settingsWith = (hooks: Readonly<Record<string, object>>) =>
  JSON.stringify({ hooks: Object.fromEntries(Object.entries(hooks).map(([on, hook]) => [on, [{ hooks: [hook] }]])) })

it('hooks of another version work, and are to be written again', async () => {
  const user = agentUser()
  await user.cli(['enable', 'cline'], { bin: otherVersion('0.0.1') })
  const { stdout } = await user.cli(['status', 'cline'])
  expect(stdout).toMatch(/^Cline asks hookgate\n/)
  expect(stdout).toContain('its hooks were written by hookgate 0.0.1')
  await user.cli(['enable', 'cline'])
  expect((await user.cli(['status', 'cline'])).stdout).not.toContain('0.0.1')
})

describe('a manual setup', () => {
  it('of Cline is distinguished from an unrelated hook, probed, and replaced only with `--replace`', async () => {
    const user = agentUser()
    const file = 'home/Documents/Cline/Hooks/PreToolUse'
    user.write(file, hand, 0o755)
    const status = await user.agentStatus('cline')
    expect(status.calls).toBe(true)
    expect(status.scopes.find(({ state }) => state !== 'absent')).toMatchObject({
      state: 'works',
      by: 'hand',
      events: ['PreToolUse'],
      canaries: [{ answered: true, by: 'process' }],
    })
    expect((await user.cli(['status', 'cline'])).stdout).toContain('works, registered by hand at PreToolUse\n')

    const refused = await user.cli(['enable', 'cline'])
    expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('`hookgate enable cline --replace`') })
    expect(refused.stderr).not.toContain('dialect')
    expect(user.read(file)).toBe(hand)

    expect(await user.cli(['enable', 'cline', '--replace'])).toMatchObject({ exitCode: 0 })
    expect(Object.values(user.files('state/backups'))).toEqual([hand])
    expect((await user.agentStatus('cline')).scopes).toContainEqual(
      expect.objectContaining({ state: 'works', by: 'enable' }),
    )
  })

  it('of Cline that does more than call hookgate counts as the user’s own hook', async () => {
    const user = agentUser()
    const file = 'home/Documents/Cline/Hooks/PreToolUse'
    user.write(file, `${hand}rm -f x\n`, 0o755)
    expect(await user.agentStatus('cline')).toMatchObject({ calls: false })
    expect((await user.cli(['enable', 'cline', '--replace'])).stderr).toContain('"dialect": "cline"')
    expect(user.read(file)).toBe(`${hand}rm -f x\n`)
  })

  it('of Claude Code is probed, and reported where its gate cannot be started', async () => {
    const user = agentUser({ 'home/.claude/settings.json': settingsWith({ PreToolUse: entry }) })
    expect(await user.agentStatus('claude-code')).toMatchObject({
      calls: true,
      scopes: [{ state: 'works', by: 'hand', events: ['PreToolUse'] }, { state: 'absent' }],
    })
    rmSync(user.at('bin/hookgate'))
    expect(await user.agentStatus('claude-code')).toMatchObject({ calls: false, scopes: [{ state: 'broken' }, {}] })
  })

  it('of Claude Code is replaced by `enable --replace`, which backs the file up and keeps other hooks', async () => {
    const own = { type: 'command', command: 'echo mine; hookgate run --agent claude-code' }
    const text = settingsWith({ PreToolUse: entry, Stop: own })
    const user = agentUser({ 'home/.claude/settings.json': text })
    expect((await user.cli(['enable', 'claude-code'])).stdout).toContain(
      'runs hookgate at PreToolUse (`hookgate run --agent claude-code`)',
    )
    await user.cli(['enable', 'claude-code', '--replace'])
    const enabled = user.read('home/.claude/settings.json')
    expect(enabled).not.toContain('"command":"hookgate"')
    expect(enabled).toContain(own.command)
    expect(Object.values(user.files('state/backups'))).toContain(text)
    await user.cli(['disable', 'claude-code'])
    expect(JSON.parse(user.read('home/.claude/settings.json'))).toEqual(JSON.parse(settingsWith({ Stop: own })))
  })

  it('of a project may come from a cloned repository, and is not run', async () => {
    const user = agentUser({
      'project/.claude/settings.json': settingsWith({ PreToolUse: entry }),
      'bin/hookgate': { script: '#!/bin/sh\ntouch "$HOME/pwned"\n' },
    })
    user.write('project/.clinerules/hooks/PreToolUse', hand, 0o755)
    for (const agent of ['claude-code', 'cline']) {
      // oxlint-disable-next-line no-await-in-loop -- two short ones
      const status = await user.agentStatus(agent)
      expect(status.scopes.at(-1)).toMatchObject({ state: 'unproved', by: 'hand', canaries: [] })
    }
    expect(user.exists('home/pwned')).toBe(false)
  })
})

describe('status of one agent', () => {
  it.each([['claude-code'], ['cline']])('leaves no gate behind, and names what answered: %s', async (agent) => {
    const user = agentUser({}, '2.1.290')
    await user.cli(['enable', agent])
    const { stdout, exitCode } = await user.cli(['status', agent])
    expect({ exitCode, stdout }).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('the gate is not running'),
    })
    expect(stdout).toContain('a separate process')
    expect(user.gates()).toEqual([])
    // A client writes this file before it starts a gate, and the gate may take a while to appear.
    expect(user.exists('state/last-start')).toBe(false)

    await user.cli(['up'])
    expect((await user.cli(['status', agent])).stdout).not.toContain('not running')
    expect(user.gates()).toHaveLength(1)
  })

  it('stops the gate started to probe an HTTP setup, and keeps one that was already running', async () => {
    const user = agentUser({}, '2.1.329')
    await user.cli(['enable', 'claude-code', '--via', 'http', '--port', `${await freePort()}`])
    const [pid] = user.gates()
    expect(await user.agentStatus('claude-code')).toMatchObject({ calls: true, gateRuns: true })
    expect(user.gates()).toEqual([pid])
    await user.cli(['down'])
    expect(await user.agentStatus('claude-code')).toMatchObject({ calls: true, gateRuns: false })
    expect(user.gates()).toEqual([])
  })
})

describe('rules that do not load', () => {
  const asking = ['command', 'http'].flatMap((via) => [true, false].map((runs) => [via, runs] as const))

  it.each(asking)('are said first, with exit code 1: by %s, and a gate runs: %s', async (via, runs) => {
    const user = agentUser({ 'home/.config/hookgate/hooks.json': '{ "hooks": 1 }' }, '2.1.329')
    const port = via === 'http' ? ['--port', `${await freePort()}`] : []
    expect(await user.cli(['enable', 'claude-code', '--via', via, ...port])).toMatchObject({ exitCode: 0 })
    await user.cli([runs ? 'up' : 'down', ...(runs && via === 'http' ? ['--http', port[1] ?? ''] : [])])
    for (const argv of [['status', 'claude-code'], ['status', '--all'], ['status']]) {
      // oxlint-disable-next-line no-await-in-loop -- three short ones
      const { exitCode, stdout } = await user.cli(argv)
      expect({ argv, exitCode, first: stdout.split('\n')[0] }).toEqual({
        argv,
        exitCode: 1,
        first: expect.stringMatching(
          /^the rules do not load; until this is fixed, every call is refused, unless the gate still has older ones: .*hooks\.json:1:/,
        ),
      })
    }
  })
})

describe('a registration of `enable` that is broken', () => {
  const [hook, client] = ['state/hooks/gemini-cli/BeforeTool', 'state/clients']
  const remove = (name: string) => (user: ReturnType<typeof agentUser>) => rmSync(user.at(name), { recursive: true })

  it.each([
    ['gemini-cli', 'a file that the agent runs is gone', remove(hook), `${hook} was gone`],
    [
      'gemini-cli',
      'a file that the agent runs is empty, which lets everything pass',
      (user: ReturnType<typeof agentUser>) => user.write(hook, ''),
      `${hook} was not as`,
    ],
    ['gemini-cli', 'the client is gone', remove(client), client],
    [
      'gemini-cli',
      'an entry was removed from the settings',
      (user: ReturnType<typeof agentUser>) => user.write('home/.gemini/settings.json', edited(user, 'BeforeTool')),
      'home/.gemini/settings.json was not as this hookgate writes it',
    ],
    ['cline', 'a hook is gone', remove('home/Documents/Cline/Hooks/PreToolUse'), 'Hooks/PreToolUse was gone'],
    [
      'cline',
      'a hook is not executable',
      (user: ReturnType<typeof agentUser>) => chmodSync(user.at('home/Documents/Cline/Hooks/PreToolUse'), 0o644),
      'Hooks/PreToolUse had other rights',
    ],
  ])(
    'of %s, since %s, has its remedy named by `status`, and what `enable` repaired',
    async (agent, _what, damage, repaired) => {
      const user = agentUser()
      await user.cli(['enable', agent])
      damage(user)
      const broken = await user.cli(['status', agent])
      expect(broken.exitCode).toBe(1)
      expect(broken.stdout).toContain(`\`hookgate enable ${agent}\``)
      const gate = await user.cli(['status'])
      expect(gate.exitCode).toBe(1)
      expect(gate.stdout).toMatch(/^(?:Gemini CLI|Cline) may not ask: /m)
      expect(gate.stdout).not.toContain('starts it')
      const { exitCode, stdout } = await user.cli(['enable', agent])
      expect({ exitCode, stdout }).toEqual({
        exitCode: 0,
        stdout: expect.stringMatching(/was enabled, and is repaired\n/),
      })
      expect(stdout).toMatch(new RegExp(`^ {2}repaired: .*${repaired}`, 'm'))
      expect((await user.cli(['status', agent])).exitCode).toBe(0)
      expect((await user.cli(['enable', agent])).stdout).toContain('already enabled: nothing was changed')
    },
  )

  /** Returns the settings without the hooks of one event. */
  function edited(user: ReturnType<typeof agentUser>, event: string): string {
    const settings = JSON.parse(user.read('home/.gemini/settings.json')) as { hooks: Record<string, unknown> }
    delete settings.hooks[event]
    return JSON.stringify(settings)
  }
})

describe('status of all agents', () => {
  it('reports each registered agent as `status AGENT` does, names the others, and fails where one is off', async () => {
    const user = agentUser()
    const none = await user.cli(['status', '--all'])
    expect(none).toMatchObject({ exitCode: 1, stderr: '' })
    expect(none.stdout).toMatch(/^not registered: claude-code, cline, [^]*windsurf\nnext: `hookgate init`\n$/)

    await user.cli(['enable', 'cline'])
    const one = await user.cli(['status', '--all'])
    expect(one.exitCode).toBe(0)
    const words = (text: string) => text.replaceAll(/in \d+ ms/g, '')
    const [own, others] = words(one.stdout).split('not registered: ')
    expect(own).toBe(words((await user.cli(['status', 'cline'])).stdout))
    expect(others).toMatch(/^claude-code, gemini-cli, [^]*windsurf\n$/)

    user.write('home/.claude/settings.json', settingsWith({ PreToolUse: entry }))
    rmSync(user.at('bin/hookgate'))
    const { exitCode, stdout } = await user.cli(['status', '--all', '--json'])
    expect(exitCode).toBe(1)
    const { agents } = JSON.parse(stdout) as { agents: readonly AgentStatus[] }
    expect(agents.map(({ agent }) => agent)).toEqual(agentNames)
    expect(agents.filter(({ calls }) => calls).map(({ agent }) => agent)).toEqual(['cline'])
    expect(agents.find(({ agent }) => agent === 'claude-code')).toMatchObject({ scopes: [{ state: 'broken' }, {}] })

    expect(await user.cli(['status', '--all', 'cline'])).toMatchObject({
      exitCode: 1,
      stderr: 'hookgate: --all cannot be combined with an agent; see `hookgate status --help`\n',
    })
  })
})

describe('settings that cannot be read', () => {
  it('are reported once, and nothing counts as registered in them', async () => {
    const user = agentUser({ 'home/.claude/settings.json/x': '', 'home/.gemini/settings.json/x': '' })
    for (const agent of ['claude-code', 'gemini-cli']) {
      // oxlint-disable-next-line no-await-in-loop -- two short ones
      const { stdout, exitCode } = await user.cli(['status', agent])
      expect(exitCode).toBe(1)
      expect(stdout).toMatch(/^ {2}user .*settings\.json: broken$/m)
      expect(stdout.split('it is a folder')).toHaveLength(2)
    }
  })
})

describe('rules at events that hookgate is not registered for', () => {
  it('are named, whether that can be fixed or not', async () => {
    const events = ['WorktreeCreate', 'FileChanged', 'Stop', 'PreToolUse']
    const both = { hooks: Object.fromEntries(events.map((event) => [event, hooksAt])) }
    const user = agentUser({ 'home/.config/hookgate/hooks.json': JSON.stringify(both) })
    user.write('home/.claude/settings.json', settingsWith({ PreToolUse: entry }))
    const byHand = await user.cli(['status', 'claude-code'])
    expect(byHand.exitCode).toBe(1)
    expect(byHand.stdout).toMatch(
      /rules listen to `Stop`, `FileChanged` and `PreSkillShellCommand`, but hookgate is not called there, so they are off/,
    )
    expect(byHand.stdout).toContain('rules listen to `WorktreeCreate`, where hookgate is never registered')

    await user.cli(['enable', 'claude-code', '--replace'])
    const enabled = await user.cli(['status', 'claude-code', '--json'])
    expect(enabled.exitCode).toBe(0)
    expect(JSON.parse(enabled.stdout)).toMatchObject({
      calls: true,
      uncoveredEvents: ['WorktreeCreate'],
      // Registered, but useless alone.
      notes: expect.arrayContaining([expect.stringContaining('`FileChanged`: Claude Code watches only')]),
    })
  })

  it('are named for Cline too, by its own names', async () => {
    const user = agentUser({ 'home/.config/hookgate/hooks.json': JSON.stringify({ hooks: { SessionStart: hooksAt } }) })
    user.write('home/Documents/Cline/Hooks/PreToolUse', hand, 0o755)
    const { exitCode, stdout } = await user.cli(['status', 'cline', '--json'])
    expect(exitCode).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({ calls: true, uncoveredEvents: ['TaskStart', 'TaskResume'] })
  })

  it('are not named for Claude Code where only Cline uses them', async () => {
    const settings = settingsWith({ PreToolUse: entry, PreSkillShellCommand: entry })
    const user = agentUser({ 'home/.claude/settings.json': settings })
    user.write('home/.cline/hooks/TaskCancel', '#!/bin/sh\ntrue\n', 0o755)
    const { exitCode, stdout } = await user.cli(['status', 'claude-code', '--json'])
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ calls: true, uncoveredEvents: [] })
  })

  it('are named after an event was removed from the settings', async () => {
    const user = agentUser({ 'project/.hookgate/hooks.json': rulesWith('SessionEnd', 'true') })
    await user.cli(['enable', 'claude-code'])
    const { hooks } = JSON.parse(user.read('home/.claude/settings.json')) as { hooks: Record<string, unknown> }
    delete hooks['SessionEnd']
    delete hooks['PostCompact']
    user.write('home/.claude/settings.json', JSON.stringify({ hooks }))
    const { exitCode, stdout } = await user.cli(['status', 'claude-code', '--json'])
    expect(exitCode).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({ uncoveredEvents: ['SessionEnd'], scopes: [{ state: 'works' }, {}] })
  })
})

describe('an `enable` that fails', () => {
  it('leaves nothing of its own, and restores what was there', async () => {
    const user = firstTimeUser()
    user.write('home/.claude/settings.json', '{}', 0o444)
    expect(await user.cli(['enable', 'claude-code'])).toMatchObject({ exitCode: 1 })
    expect(Object.keys(user.files('state'))).toEqual([user.at('state/enable.lock')])

    await user.cli(['enable', 'cline'])
    const before = user.files('state')
    expect(await user.cli(['enable', 'claude-code'])).toMatchObject({ exitCode: 1 })
    expect(user.files('state')).toEqual(before)
  })
})

const hooksAt = [{ hooks: [{ type: 'command', command: 'true' }] }]

describe('an agent that has two folders of hooks, each read by another part of it', () => {
  const documents = 'home/Papers/Cline/Hooks/PreToolUse'
  const usual = 'home/Documents/Cline/Hooks/PreToolUse'
  /** A system whose documents are in another folder than the usual one. */
  const elsewhere = () => agentUser({ 'bin/xdg-user-dir': { script: '#!/bin/sh\necho "$HOME/Papers"\n' } })

  it.each([
    ['one hook of one folder is gone', (user: ReturnType<typeof agentUser>) => rmSync(user.at(usual))],
    ['one hook is not executable', (user: ReturnType<typeof agentUser>) => chmodSync(user.at(usual), 0o644)],
    [
      'a whole folder is gone',
      (user: ReturnType<typeof agentUser>) => rmSync(dirname(user.at(documents)), { recursive: true }),
    ],
  ])('does not ask if %s', async (_what, breakIt) => {
    const user = elsewhere()
    expect(await user.cli(['enable', 'cline'])).toMatchObject({ exitCode: 0 })
    expect([user.exists(documents), user.exists(usual)]).toEqual([true, true])
    expect(await user.agentStatus('cline')).toMatchObject({ calls: true })
    breakIt(user)
    expect(await user.cli(['status', 'cline'])).toMatchObject({
      exitCode: 1,
      stdout: expect.stringContaining('Cline does not ask hookgate'),
    })
  })
})

describe('the list of agents', () => {
  it('says which are on this machine and where hookgate is registered, and tries nothing', async () => {
    const user = agentUser({ 'home/.codex/x': '', 'home/.vscode/x': '' })
    await user.cli(['enable', 'claude-code'])
    const { stdout, exitCode } = await user.cli(['status', '--list', '--json'])
    expect(exitCode).toBe(0)
    const { agents } = JSON.parse(stdout) as { readonly agents: readonly AgentHere[] }
    expect(agents.map(({ agent }) => agent)).toEqual(agentNames)
    const found = agents.filter(({ folder }) => folder !== null)
    expect(found.map(({ agent, folder }) => [agent, folder])).toEqual([
      ['claude-code', user.at('home/.claude')],
      ['codex', user.at('home/.codex')],
      ['vscode', user.at('home/.vscode')],
    ])
    const registered = agents.flatMap(({ agent, places }) => places.filter(({ by }) => by).map(({ by }) => [agent, by]))
    expect(registered).toEqual([['claude-code', 'enable']])
    const lines = (await user.cli(['status', '--list'])).stdout.split('\n')
    expect(lines[0]).toBe(`claude-code  registered (user): ${user.settings}`)
    expect(lines).toContain('cline        not found on this machine')
    expect(await user.cli(['status', '--list', 'cline'])).toMatchObject({ exitCode: 1 })
  })
})
