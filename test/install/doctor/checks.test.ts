import { agentNames } from '../../../src/agents/registry.ts'
import { chmodSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  agentFindings,
  bundleNotes,
  checkGate,
  checkPrivacy,
  checkPast,
  checkRules,
  recentFailures,
} from '../../../src/install/doctor/examine.ts'
import type { AgentStatus } from '../../../src/install/index.ts'
import { placesOf } from '../../../src/files/state/places.ts'
import { tokenOf } from '../../../src/files/state/keys.ts'
import { version } from '../../../src/files/program-files.ts'
import { askHook } from '../../support/ask-hook.ts'
import { residentUser } from '../../support/resident.ts'
import { folderWith, rulesWith } from '../../support/workspace.ts'
import { missing } from '../../support/own-folder.ts'

function installedWith(files: Parameters<typeof folderWith>[0] = {}) {
  const folder = folderWith({ 'home/x': '', 'work/x': '', ...files })
  const home = join(folder, 'home')
  const env = { HOME: home, HOOKGATE_HOME: join(folder, 'state') }
  const places = placesOf({ env, platform: process.platform, uid: process.getuid?.(), home })
  return { env, cwd: join(folder, 'work'), home, places, version: version() }
}

describe('access to the gate for other users', () => {
  it('is impossible with the permissions that hookgate sets', () => {
    const installed = installedWith()
    tokenOf(installed.places)
    expect(checkPrivacy(installed).map(({ state }) => state)).toEqual(['ok', 'ok'])
  })

  it('is reported with a remedy where folder or token are open', () => {
    const installed = installedWith()
    tokenOf(installed.places)
    chmodSync(installed.places.folder, 0o755)
    chmodSync(installed.places.token, 0o644)
    const [folder, token] = checkPrivacy(installed)
    expect(folder).toMatchObject({ state: 'notSafe', what: expect.stringContaining('`chmod 700 ') as unknown })
    expect(token).toMatchObject({ state: 'notSafe', what: expect.stringContaining('remove it') as unknown })
  })

  it('is not checked where there is no folder yet', () => {
    expect(checkPrivacy(installedWith())).toEqual([])
  })
})

describe('signed rules', () => {
  const release = { name: 'main', revision: '7', mode: 'enforce', isNewest: true } as const
  const why = 'it was never fetched'

  it.each([
    ['missing', {}, 'no signed rules of the channel laptops are in force'],
    ['missing', { problem: why }, `no signed rules of the channel laptops are in force: ${why}`],
    ['fresh', {}, 'the channel laptops has no release for this machine, and its word is fresh'],
    [
      'stale',
      {},
      'the channel laptops has no release for this machine, and its word is stale: nothing newer came for too long',
    ],
    ['fresh', { release }, 'the bundle main 7 (enforce) of the channel laptops is fresh'],
    [
      'stale',
      { release },
      'the bundle main 7 (enforce) of the channel laptops is stale: nothing newer came for too long',
    ],
  ] as const)('that are %s with %j are said in words that mean what is so', (freshness, more, what) => {
    const notes = bundleNotes({ channel: 'laptops', freshness, switched: [], ...more })
    expect(notes).toEqual([{ isFine: freshness === 'fresh', what }])
  })
})

describe('the rules', () => {
  it('are counted where they load, and their absence is noted', async () => {
    const rules = { 'home/.config/hookgate/hooks.json': rulesWith('PreToolUse', 'true') }
    expect(await checkRules(installedWith(rules), [])).toEqual([{ about: 'rules', state: 'ok', what: '1 rule loads' }])
    expect(await checkRules(installedWith(), [])).toMatchObject([{ state: 'notSafe' }])
  })

  it('that do not load are reported as not safe, with the place', async () => {
    const [finding] = await checkRules(installedWith({ 'home/.config/hookgate/hooks.json': '{' }), [])
    expect(finding).toMatchObject({ state: 'notSafe', what: expect.stringMatching(/hooks\.json:1:\d+: /) as unknown })
  })
})

describe('the gate', () => {
  it('is safe while not running, but not in another version', async () => {
    const { places, cli } = residentUser()
    const installed = { ...installedWith(), places }
    expect(await checkGate(installed)).toMatchObject([{ state: 'note', remedy: 'run `hookgate up`' }])
    await cli(['up'])
    expect(await checkGate(installed)).toMatchObject([{ state: 'ok' }])
    expect(await checkGate({ ...installed, version: '9.9.9' })).toMatchObject([{ state: 'notSafe' }])
  })

  it('reports which rules failed recently, and how often', async () => {
    const failing = rulesWith('PreToolUse', missing)
    const { places, cli } = residentUser({ 'home/.config/hookgate/hooks.json': failing })
    expect(await recentFailures(places)).toEqual([])
    await cli(['up'])
    await askHook(places)
    await askHook(places)
    expect(await recentFailures(places)).toMatchObject([
      {
        state: 'note',
        what: expect.stringMatching(/hooks\[0\] failed 2 times in the last 2 events: .*does not exist/) as unknown,
      },
    ])
  })
})

describe('the file of earlier calls', () => {
  it('is not safe where it cannot be read, with what to do, and is not made where there is none', () => {
    const { places } = installedWith()
    expect([checkPast({ places }), existsSync(places.past)]).toEqual([[], false])
    expect(checkPast(installedWith({ 'state/past.db': 'no database' }))).toEqual([
      {
        about: 'record',
        state: 'notSafe',
        what: expect.stringMatching(/past\.db: the file of earlier calls cannot be read: .*; move it away: a new one/),
      },
    ])
  })
})

describe('an agent', () => {
  const canary = { way: '/x', answered: true, by: 'gate', durationMs: 7, problem: undefined } as const
  const scope = { scope: 'user', events: ['PreToolUse'], problems: [] } as const
  const absent: AgentStatus = { agent: 'cline', calls: false, scopes: [], obstacles: [], held: [], notes: [] }

  it('that is not registered is not safe only where it was named', () => {
    const others = agentNames.map((agent) => ({ ...absent, agent }))
    expect(agentFindings(others, new Map(), false)).toMatchObject([
      { state: 'note', what: `not registered: ${agentNames.join(', ')}` },
      { state: 'notSafe', what: 'no agent asks hookgate, so it guards nothing' },
    ])
    expect(agentFindings([absent], new Map(), true)).toMatchObject([
      { state: 'notSafe', what: 'Cline is not registered' },
    ])
  })

  it('is reported as missing only after all agents were checked', () => {
    const asking: AgentStatus = { ...absent, scopes: [{ ...scope, place: '/a', state: 'works', canaries: [canary] }] }
    const noneCalls = (statuses: readonly AgentStatus[], demanded: boolean) =>
      agentFindings(statuses, new Map(), demanded).some(({ what }) => what.startsWith('no agent asks hookgate'))
    expect(noneCalls([absent, absent], false)).toBe(true)
    expect(noneCalls([absent, asking], false)).toBe(false)
    expect(noneCalls([absent], true)).toBe(false)
  })

  it('of which some calls reach no hook is reported with what they are', () => {
    const open = ['what is typed reaches no hook']
    const status: AgentStatus = {
      ...absent,
      calls: true,
      scopes: [{ ...scope, place: '/a', state: 'works', canaries: [canary] }],
      open,
    }
    expect(agentFindings([status], new Map(), true)).toContainEqual({
      about: 'agent',
      state: 'note',
      what: 'Cline: what is typed reaches no hook',
    })
  })

  it('that calls hookgate from one file is still reported as broken for another', () => {
    const broken = { ...canary, answered: false, by: undefined, problem: 'it does not start' }
    const status: AgentStatus = {
      ...absent,
      calls: true,
      scopes: [
        { ...scope, place: '/a', state: 'works', canaries: [canary] },
        { ...scope, place: '/b', state: 'broken', canaries: [broken] },
      ],
    }
    const findings = agentFindings([status], new Map(), true)
    expect(findings.map(({ state, what }) => `${state}: ${what}`)).toEqual([
      'ok: Cline asks hookgate; the gate answered in 7 ms',
      'notSafe: Cline, /b: it does not start',
    ])
  })

  it('is mended as the problem says that was found, and set up again only where none was', () => {
    const silent = { ...canary, answered: false, by: undefined, problem: 'no answer' }
    const remedyOf = (problems: readonly string[]) =>
      agentFindings(
        [{ ...absent, scopes: [{ ...scope, place: '/a', state: 'broken', canaries: [silent], problems }] }],
        new Map(),
        true,
      )[0]?.remedy
    expect(remedyOf([])).toBe('see `hookgate status cline`, and run `hookgate enable cline` again')
    expect(remedyOf(['its hooks are not trusted: type `/hooks`'])).toBe('see `hookgate status cline`')
  })
})
