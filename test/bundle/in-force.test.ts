import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { pollStateIn } from '../../src/bundle/machine/poll-state.ts'
import { openPoller } from '../../src/bundle/machine/poller.ts'
import { promote, publish, throwSwitch } from '../../src/bundle/team/publish.ts'
import { refresh } from '../../src/bundle/team/repository.ts'
import { onlineKeys } from '../../src/bundle/team/roles.ts'
import { placesOf } from '../../src/files/state/places.ts'
import { openRefusals } from '../../src/files/state/refusals.ts'
import { createGate } from '../../src/gate/gate.ts'
import type { GateOptions } from '../../src/gate/gate-options.ts'
import { checkRules } from '../../src/install/doctor/examine.ts'
import { placesFor, problemText, readRules } from '../../src/rules/index.ts'
import { bundleInForce, checkBundle } from '../../src/rules/bundle-rules.ts'
import { openReadiness } from '../../src/service/server/http/listener.ts'
import { serveFolder } from '../support/bundle-server.ts'
import { channel, denyRm, makeTeam, packed } from '../support/bundles.ts'
import { policyText } from '../support/policies.ts'
import { testPolicies } from '../support/sandbox.ts'
import { folderWith, writeFiles } from '../support/workspace.ts'

const soon = { timeout: 120_000, interval: 50 }

const gateAt = ({ stateFolder, ...around }: { readonly stateFolder: string } & Omit<GateOptions, 'state'>) =>
  createGate({ ...around, state: stateFolder })

/** A laptop whose managed file names the channel, with a gate and its poller. */
async function laptop(
  team: ReturnType<typeof makeTeam>,
  { bundle = {}, beside = {}, user = {} }: { bundle?: object; beside?: object; user?: object } = {},
) {
  const server = await serveFolder(team.repository.folder)
  const settings = { url: server.url, channel, ...bundle }
  const folder = folderWith({
    'work/.git/HEAD': '',
    'managed/hooks.json': { json: { bundle: settings, ...beside } },
    'managed/root.json': readFileSync(team.file('metadata/1.root.json'), 'utf8'),
    'home/.config/hookgate/hooks.json': { json: { hooks: {}, ...user } },
  })
  const places = {
    home: join(folder, 'home'),
    env: {},
    managedFolder: join(folder, 'managed'),
    stateFolder: join(folder, 'state'),
  }
  mkdirSync(places.stateFolder, { mode: 0o700 })
  const gate = gateAt(places)
  onTestFinished(() => gate.close())
  const logged: string[] = []
  const note = (text: string) => void logged.push(text)
  const rules = () => gate.rulesFor({ workspaceRoots: [join(folder, 'work')] })
  const poller = openPoller({
    folder: join(places.stateFolder, 'bundles'),
    env: {},
    check: async (one) => checkBundle(one, testPolicies(), places),
    current: async () => (await rules()).bundle?.state,
    log: { warn: note, info: note },
  })
  onTestFinished(() => poller.close())
  return {
    folder,
    places,
    server,
    gate,
    poller,
    logged,
    rules,
    async doctor() {
      const env = { HOOKGATE_HOME: places.stateFolder }
      const own = placesOf({ env, platform: 'linux', uid: 0, home: places.home })
      return checkRules({ ...places, env, cwd: join(folder, 'work'), places: own, version: '0' }, [])
    },
    /** Looks at the server every 50 ms. */
    async follow() {
      const { bundle: inForce } = await rules()
      if (inForce !== undefined) poller.use({ ...inForce, settings: { ...inForce.settings, poll: 0.05 } })
    },
    async decide(command: string) {
      return (await this.answer(command)).decision
    },
    async answer(command: string) {
      const wire = {
        hook_event_name: 'PreToolUse',
        session_id: 's',
        transcript_path: '/t',
        cwd: join(folder, 'work'),
        tool_name: 'Bash',
        tool_input: { command },
      }
      return gate.decide(await gate.decode(wire, { agent: 'claude-code' }))
    },
    inForce: async () => (await rules()).bundle?.state,
  }
}

describe('a machine that follows a channel', () => {
  it('has the rules of the newest release in force, and each change without a restart', async () => {
    const team = makeTeam()
    team.publish('r1', denyRm, { mode: 'observe' })
    const machine = await laptop(team)
    expect(await machine.decide('rm -rf x')).toBe('abstain')
    expect(await machine.inForce()).toMatchObject({ freshness: 'fresh' })
    await machine.follow()
    expect((await machine.rules()).rules.map(({ id, mode }) => [id, mode])).toContainEqual([
      'managed:bundle/hooks.json#permissions.deny',
      'observe',
    ])
    expect(await machine.decide('rm -rf x')).toBe('abstain')
    promote(team.repository, channel, { mode: 'enforce' }, team.signing)
    await vi.waitFor(async () => expect(await machine.decide('rm -rf x')).toBe('deny'), soon)
    // Nobody finds a file of the bundle on the machine.
    const refused = openRefusals(join(machine.places.stateFolder, 'refusals')).all()
    expect(refused[0]?.rules[0]?.obstacle).toMatch(/^it is one of the signed rules of this machine: only whoever signs/)
    const until = Math.floor(Date.now() / 1000) + 600
    throwSwitch(team.repository, channel, { action: { kind: 'observe' }, until, reason: 'a test' }, team.signing)
    await vi.waitFor(async () => expect(await machine.decide('rm -rf x')).toBe('abstain'), soon)
    expect((await machine.rules()).notes).toContainEqual(
      expect.stringMatching(/^the kill switch lets all rules .*: a test$/),
    )
    throwSwitch(team.repository, channel, undefined, team.signing)
    await vi.waitFor(async () => expect(await machine.decide('rm -rf x')).toBe('deny'), soon)
    // It is said once a look has ended, and the rules count before.
    await vi.waitFor(() => expect(machine.logged).toContain('the bundle team r1 is in force: enforce'), soon)
  })

  it('is named by a managed file with comments, as `hookgate new managed` writes it', async () => {
    const machine = await laptop(makeTeam())
    const named = readFileSync(join(machine.places.managedFolder, 'hooks.json'), 'utf8')
    writeFiles(machine.places.managedFolder, { 'hooks.json': `// whom we follow\n${named}` })
    expect(await bundleInForce(placesFor(machine.places))).toMatchObject({ state: { freshness: 'missing' } })
  })

  it('evaluates the policies of a bundle, and its params, and refuses one whose examples fail', async () => {
    const team = makeTeam()
    const rules = { hooks: { PreToolUse: [{ hooks: [{ type: 'policy', policy: './p/a.policy.ts', id: 'named' }] }] } }
    const params = "params: { word: { type: 'string', default: 'none' } },"
    const decide = "if (tool.command?.includes(params.word)) return deny('no')"
    const files = {
      'p/a.policy.ts': policyText('a', params, decide),
      'policies/b.policy.ts': policyText('b', '', "if (tool.command === 'b') return ask('b?')"),
    }
    const rollout = { percent: 100, mode: 'enforce' } as const
    const release = (revision: string, changes: object) =>
      publish(team.repository, channel, packed(revision, rules, { files, ...changes }), rollout, team.signing)
    release('r1', { params: { './p/a.policy.ts': { word: 'forbidden' } } })
    const machine = await laptop(team)
    await machine.follow()
    await vi.waitFor(async () => expect(await machine.decide('say forbidden')).toBe('deny'), soon)
    expect(await machine.decide('b')).toBe('ask')
    expect(await machine.decide('say hello')).toBe('abstain')
    const examples = "examples: [{ name: 'fails', given: {}, want: 'allow' }],"
    release('r2', { files: { ...files, 'policies/b.policy.ts': policyText('b', examples) } })
    await vi.waitFor(() => expect(machine.poller.status()?.problem).toMatch(/r2 does not load: .*b\.policy\.ts/), soon)
    expect(await machine.inForce()).toMatchObject({ release: { revision: 'r1' } })
    expect(await machine.decide('say forbidden')).toBe('deny')
  })

  it('keeps what it has while the server is away, also after a restart', async () => {
    const team = makeTeam()
    team.publish('r1')
    const machine = await laptop(team)
    await machine.follow()
    await vi.waitFor(async () => expect(await machine.decide('rm x')).toBe('deny'), soon)
    await machine.server.close()
    await vi.waitFor(
      () =>
        expect(machine.poller.status()?.problem).toMatch(
          /: it cannot be reached \(ECONNREFUSED\); .*; until then, nothing changes on this machine$/,
        ),
      soon,
    )
    const next = gateAt(machine.places)
    onTestFinished(() => next.close())
    expect((await next.rulesFor({ workspaceRoots: [] })).bundle?.state).toMatchObject({ release: { revision: 'r1' } })
    expect(machine.logged.filter((line) => line.startsWith('new bundles cannot be had'))).toHaveLength(1)
  })

  it('says that its rules are stale, and blocks or asks after some days only if an administrator says so', async () => {
    const day = 86_400_000
    const team = makeTeam()
    team.publish('r1')
    refresh(team.repository, onlineKeys(team.signing), Date.now())
    const machine = await laptop(team, { bundle: { staleDays: 3 } })
    await machine.follow()
    await vi.waitFor(async () => expect(await machine.inForce()).toMatchObject({ freshness: 'fresh' }), soon)
    await machine.poller.close()
    const at = async (days: number, onStale: string) => {
      writeFiles(machine.folder, {
        'managed/hooks.json': { json: { bundle: { url: 'https://x', channel, staleDays: 3, onStale } } },
      })
      vi.spyOn(Date, 'now').mockReturnValue(Date.parse(new Date().toISOString()) + days * day)
      const gate = gateAt(machine.places)
      try {
        const { rules, bundle } = await gate.rulesFor({ workspaceRoots: [] })
        return [bundle?.state.freshness, rules.some(({ id }) => id === 'hookgate:stale-bundle')]
      } finally {
        vi.restoreAllMocks()
        await gate.close()
      }
    }
    expect(await at(0, 'block')).toEqual(['fresh', false])
    expect(await at(2, 'block')).toEqual(['stale', false])
    expect(await at(5, 'block')).toEqual(['stale', true])
    expect(await at(5, 'continue')).toEqual(['stale', false])
  })

  it('says that its rules are fresh once a clock that was ahead is set back, with what it has', async () => {
    const team = makeTeam()
    team.publish('r1')
    const machine = await laptop(team, { bundle: { onStale: 'block', staleDays: 3 } })
    await machine.follow()
    await vi.waitFor(async () => expect(await machine.decide('ls')).toBe('abstain'), soon)
    await machine.poller.close()
    const now = Date.now()
    const at = (days: number, freshness: string, decision: string) => {
      vi.spyOn(Date, 'now').mockReturnValue(now + days * 86_400_000)
      return vi.waitFor(async () => {
        expect(await machine.inForce()).toMatchObject({ freshness, release: { revision: 'r1' } })
        expect([await machine.decide('ls'), await machine.decide('rm x')]).toEqual([decision, 'deny'])
      }, soon)
    }
    try {
      await at(5, 'stale', 'deny')
      await at(0, 'fresh', 'abstain')
      await at(-365, 'fresh', 'abstain')
    } finally {
      vi.restoreAllMocks()
    }
  })

  it('decides by the rules of the channel from its first decision on', async () => {
    const team = makeTeam()
    team.publish('r1')
    const machine = await laptop(team)
    expect(await Promise.all([machine.decide('rm -rf x'), machine.decide('rm -rf y')])).toEqual(['deny', 'deny'])
    expect(machine.server.requests.filter((path) => path.endsWith('bundle.json.gz'))).toHaveLength(1)
  })

  it.each([
    [{ onMissing: 'block' }, 'deny'],
    [{ onMissing: 'ask' }, 'ask'],
    [{ onMissing: 'continue', onStale: 'block' }, 'abstain'],
    [{ onMissing: 'block', onStale: 'continue' }, 'deny'],
    [{ onStale: 'block' }, 'deny'],
    [{ onStale: 'ask' }, 'ask'],
    [{}, 'abstain'],
  ])(
    'that cannot fetch its rules answers as %j says, says so in each answer, and is not ready',
    async (bundle, decision) => {
      const team = makeTeam()
      team.publish('r1')
      const machine = await laptop(team, { bundle })
      await machine.server.close()
      expect([await machine.decide('ls'), await machine.decide('ls')]).toEqual([decision, decision])
      const why = 'the signed rules of the channel laptops are not in force: nothing has been fetched yet'
      expect((await machine.answer('ls')).notices).toContainEqual(expect.stringContaining(why))
      expect(await openReadiness(machine.gate).look()).toMatchObject({ ready: false })
      expect(pollStateIn(join(machine.places.stateFolder, 'bundles'))?.problem).toMatch(/ECONNREFUSED/)
    },
  )

  it('with a pinned root that is damaged says what to put there, and not to look at the server', async () => {
    const team = makeTeam()
    team.publish('r1')
    const machine = await laptop(team, { bundle: { onMissing: 'block' } })
    writeFileSync(join(machine.places.managedFolder, 'root.json'), '{"x": 1}')
    expect(await machine.decide('ls')).toBe('deny')
    expect((await machine.answer('ls')).notices).toEqual([
      'the signed rules of the channel laptops are not in force: the pinned root is damaged; put the team’s `1.root.json` beside the managed hooks.json, as `root.json`',
    ])
    const what = expect.stringContaining('are in force: the pinned root is damaged; put')
    expect(await machine.doctor()).toContainEqual({ about: 'rules', state: 'notSafe', what })
  })

  it('whose rules are stale is not all good for `doctor`, and says for how long they have been', async () => {
    const team = makeTeam()
    team.publish('r1')
    const machine = await laptop(team, { bundle: { onStale: 'block', staleDays: 1 } })
    expect(await machine.decide('ls')).toBe('abstain')
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 5 * 86_400_000)
    onTestFinished(() => void vi.restoreAllMocks())
    await vi.waitFor(async () => expect(await machine.decide('ls')).toBe('deny'), soon)
    expect((await machine.answer('ls')).reason).toMatch(/laptops have been stale for more than 1 day; see `hookgate/)
    const what = expect.stringMatching(/^the bundle .* r1 .* is stale: nothing newer came for too long$/)
    const remedy = 'see `hookgate bundle status`'
    expect(await machine.doctor()).toContainEqual({ about: 'rules', state: 'notSafe', what, remedy })
  })

  it('that has lost its rules fetches them again', async () => {
    const team = makeTeam()
    team.publish('r1')
    const machine = await laptop(team)
    expect(await machine.decide('rm x')).toBe('deny')
    rmSync(join(machine.places.stateFolder, 'bundles'), { recursive: true })
    await vi.waitFor(async () => {
      expect(await machine.decide('rm x')).toBe('deny')
      expect(machine.server.requests.filter((path) => path.endsWith('bundle.json.gz'))).toHaveLength(2)
    }, soon)
  })
})

describe('a bundle', () => {
  it('loosens nothing that an administrator has put beside it, nor self-protection', async () => {
    const team = makeTeam()
    const exceptions = [
      { rule: 'permissions.deny', command: 'rm x' },
      { rule: 'permissions.deny', command: 'cp a' },
      { rule: 'self-protection', command: 'hookgate disable **' },
    ]
    team.publish('r1', { permissions: { deny: ['Bash(rm *)', 'Bash(touch *)'], allow: ['Bash(dd *)'] }, exceptions })
    const machine = await laptop(team, {
      beside: { permissions: { deny: ['Bash(rm x)', 'Bash(dd *)'] } },
      user: { permissions: { deny: ['Bash(cp *)'] } },
    })
    await machine.follow()
    await vi.waitFor(async () => expect(await machine.decide('touch y')).toBe('deny'), soon)
    expect(await machine.decide('rm y')).toBe('deny')
    expect(await machine.decide('rm x')).toBe('deny')
    expect(await machine.decide('dd if=a')).toBe('deny')
    expect(await machine.decide('cp a')).toBe('abstain')
    expect(await machine.decide('hookgate disable claude-code')).toBe('deny')
    expect(await machine.decide(`rm -rf ${join(machine.places.stateFolder, 'bundles')}`)).toBe('deny')
  })

  it('takes exceptions with it when it only observes', async () => {
    const team = makeTeam()
    team.publish(
      'r1',
      { ...denyRm, exceptions: [{ rule: 'permissions.deny', command: 'touch x' }] },
      { mode: 'observe' },
    )
    const machine = await laptop(team, { user: { permissions: { deny: ['Bash(touch *)'] } } })
    await machine.follow()
    await vi.waitFor(async () => expect(await machine.inForce()).toMatchObject({ release: { mode: 'observe' } }), soon)
    expect(await machine.decide('touch x')).toBe('deny')
  })

  it('is read from memory, whatever stands where its files seem to be', async () => {
    const team = makeTeam()
    const files = { 'policies/a.policy.ts': policyText('a', '', "if (tool.command === 'a') return deny('a')") }
    publish(team.repository, channel, packed('r1', {}, { files }), { percent: 100, mode: 'enforce' }, team.signing)
    const machine = await laptop(team)
    await machine.follow()
    await vi.waitFor(async () => expect(await machine.decide('a')).toBe('deny'), soon)
    const [source] = (await machine.rules()).rules.filter(({ id }) => id.includes('bundle/')).map((rule) => rule.source)
    expect(source?.file).toBe(join(machine.places.managedFolder, 'bundle', 'r1', 'policies'))
    cpSync(
      join(machine.places.managedFolder, 'root.json'),
      join(machine.places.stateFolder, 'bundles', 'x-000000000000'),
    )
    expect(readdirSync(machine.places.managedFolder).toSorted()).toEqual(['hooks.json', 'root.json'])
  })
})

describe('`bundle` in a rules file', () => {
  const problemsOf = async (files: Parameters<typeof folderWith>[0]) => {
    const folder = folderWith({ 'home/x': '', 'work/.git/HEAD': '', ...files })
    const places = placesFor({
      home: join(folder, 'home'),
      managedFolder: join(folder, 'managed'),
      env: {},
      cwd: folder,
    })
    const { problems } = await readRules(places, [join(folder, 'work')], testPolicies())
    return problems.map((one) => problemText(one).replaceAll(`${folder}/`, ''))
  }
  const good = { url: 'https://rules.example', channel }

  it.each(['home/.config/hookgate/hooks.json', 'work/.hookgate/hooks.json'])('is refused in %s', async (file) => {
    expect(await problemsOf({ [file]: { json: { bundle: good } } })).toContainEqual(
      expect.stringMatching(/hooks\.json:2:3: only the managed hooks\.json may set `bundle`/),
    )
  })

  it.each([
    [{ ...good, url: 'rules.example' }, /no URL of https:/],
    [{ ...good, url: 'http://rules.example' }, /unencrypted/],
    [{ ...good, url: 'https://me:secret@rules.example' }, /no user, password/],
    [{ ...good, channel: '../x' }, /`channel` must be lower-case/],
    [{ ...good, root: '/etc/passwd' }, /`root` must be the name/],
    [{ ...good, poll: 1 }, /`poll` must be at least 5/],
    [{ ...good, onStale: 'panic' }, /`onStale`/],
    [{ ...good, headers: { 'a b': 'x' } }, /no name of a header/],
    [{ ...good, chanel: 'x' }, /unknown key `chanel`/],
    [{ url: good.url }, /`channel` is missing/],
  ])('%j is refused, and so is every call', async (bundle, message) => {
    expect(await problemsOf({ 'managed/hooks.json': { json: { bundle } } })).toContainEqual(
      expect.stringMatching(message),
    )
  })

  it('may stand alone, with a pinned root or without', async () => {
    expect(await problemsOf({ 'managed/hooks.json': { json: { bundle: good } } })).toEqual([])
  })
})
