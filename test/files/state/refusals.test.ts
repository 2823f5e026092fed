import {
  appendFileSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openKeyValueStore } from '../../../src/files/key-value-store.ts'
import { createGate, type GateOptions } from '../../../src/library/index.ts'
import type { HookEvent } from '../../../src/model/event.ts'
import { limits } from '../../../src/model/limits.ts'
import type { KeptRefusal } from '../../../src/model/refusal.ts'
import type { DecisionRecord } from '../../../src/record/record.ts'
import { refusalOf } from '../../../src/gate/memory/stop-refusals.ts'
import { openRefusals, refusalsKeptMax, grantsMax } from '../../../src/files/state/refusals.ts'
import { pushRules } from '../../support/refused.ts'
import { sampleEvent } from '../../support/samples.ts'
import { folderWith } from '../../support/workspace.ts'

const rules = { '.config/hookgate/hooks.json': pushRules }

/** Opens a gate that refuses pushes. */
function pushGate(options: GateOptions = {}, home = folderWith(rules)) {
  const state = join(home, 'state')
  const refusalsFolder = join(state, 'refusals')
  const gate = createGate({ home, env: {}, managedFolder: join(home, 'managed'), state, record: false, ...options })
  onTestFinished(() => gate.close())
  const event = (command: string, more: Partial<HookEvent> = {}): HookEvent => ({
    ...sampleEvent('PreToolUse', 'claude-code'),
    tool: { kind: 'shell', name: 'Bash', input: { command }, command },
    session: { id: 's', cwd: home },
    workspaceRoots: [home],
    ...more,
  })
  return { gate, home, event, refusals: openRefusals(refusalsFolder), refusalsFolder }
}

const remote = (url: string, name = 'origin') => `[remote "${name}"]\n\turl = ${url}\n`

/** Allows a kept refusal once, as `hookgate allow ID --once` does. */
function allowOnce({ refusals }: Pick<ReturnType<typeof pushGate>, 'refusals'>, id: string | undefined) {
  const kept = refusals.find(id ?? '')
  if (kept === undefined) throw new Error('it is not kept')
  const lifted = kept.rules.map((rule) => rule.id)
  refusals.grant({ kind: 'once', id: kept.id, call: kept.call, rules: lifted, endsAtMs: Date.now() + 60_000 })
}

describe('a kept refusal', () => {
  it('is found by its id, or has none, whatever its length', () => {
    const { event, refusals } = pushGate()
    const kept = (length: number) => {
      const project = '/'.padEnd(length, 'p')
      const id = refusals.keep(
        refusalOf(event('git push', { workspaceRoots: [project] }), 'deny', [], 'call', 'git push'),
      )
      return id === undefined || refusals.find(id) !== undefined
    }
    const all = Array.from({ length: 16 }, (_, at) => limits.gateFileBytesMax - 480 + at * 32)
    expect(all.filter((length) => !kept(length))).toEqual([])
  })

  it('has an id, which the verdict and the record bear', async () => {
    const records: DecisionRecord[] = []
    const { gate, event, refusals } = pushGate({ onRecord: (record) => records.push(record) })
    const verdict = await gate.decide(event('git push'))
    expect(verdict).toMatchObject({ decision: 'deny', id: expect.any(String), liftable: true })
    expect(records[0]?.refusal).toBe(verdict.id)
    expect(refusals.find(verdict.id ?? '')).toMatchObject({ session: 's', subject: 'git push', decision: 'deny' })
  })

  it('is none of a gate that has no folder for it', async () => {
    const home = folderWith(rules)
    const gate = createGate({ home, env: {}, managedFolder: join(home, 'managed') })
    onTestFinished(() => gate.close())
    const command = 'git push'
    const verdict = await gate.decide({
      ...sampleEvent('PreToolUse', 'codex'),
      tool: { kind: 'shell', name: 'Bash', input: { command }, command },
    })
    expect(verdict.decision).toBe('deny')
    expect(verdict).not.toHaveProperty('id')
    expect(readdirSync(home)).toEqual(['.config'])
  })

  it('is none of what is not refused, or is no call', async () => {
    const { gate, event, home } = pushGate()
    expect(await gate.decide(event('ls'))).not.toHaveProperty('id')
    const result = { succeeded: true }
    expect(await gate.decide(event('git push', { name: 'PostToolUse', result }))).not.toHaveProperty('id')
    expect(readdirSync(home)).toEqual(['.config'])
  })

  it('costs its id, and not the answer, where it cannot be written', async () => {
    const home = folderWith({ ...rules, state: 'a file in the place of the folder' })
    const { gate, event } = pushGate({}, home)
    const verdict = await gate.decide(event('git push'))
    expect(verdict.decision).toBe('deny')
    expect(verdict).not.toHaveProperty('id')
  })

  it('is for its owner only, and holds no secret', async () => {
    const { gate, event, refusals, refusalsFolder } = pushGate()
    const secret = `ghp_${'a1B2'.repeat(10)}`
    const { id = '' } = await gate.decide(event(`git push https://me:hunter22@example.com/r.git ${secret}`))
    const folder = join(refusalsFolder, 'kept')
    const files = readdirSync(folder).map((name) => join(folder, name))
    const texts = files.map((file) => readFileSync(file, 'utf8')).join('')
    expect(texts).toContain(id)
    expect(texts).not.toMatch(/hunter22|a1B2/)
    expect([refusalsFolder, folder, ...files].map((one) => statSync(one).mode & 0o077)).toEqual([0, 0, 0])
    // An exception would have to hold the secret.
    expect(refusals.find(id)?.rules).toMatchObject([expect.not.objectContaining({ exceptions: expect.anything() })])
  })

  it('says how much of a long call it leaves out', async () => {
    const { gate, event, refusals } = pushGate()
    const { id = '' } = await gate.decide(event(`git push ${'x'.repeat(10_000)}`))
    expect(refusals.find(id)?.subject).toMatch(/x… \(\d+ more characters\)$/)
  })

  it('of a managed rule names no command, as nothing lifts it', async () => {
    const home = folderWith({ 'managed/hooks.json': pushRules })
    const { gate, event, refusals } = pushGate({}, home)
    const { id = '', liftable } = await gate.decide(event('git push'))
    expect(liftable).toBeUndefined()
    expect(refusals.find(id)?.rules).toMatchObject([{ obstacle: expect.stringContaining('is managed') }])
    allowOnce({ refusals }, id)
    expect((await gate.decide(event('git push'))).decision).toBe('deny')
  })

  it('has an id of its own each time, of which the latest remain', async () => {
    const folder = join(folderWith(), 'refusals')
    const refusals = openRefusals(folder)
    const event = sampleEvent('PreToolUse', 'codex')
    const ids = Array.from({ length: refusalsKeptMax + 5 }, () => refusals.keep(refusalOf(event, 'deny', [], 'a call')))
    expect(new Set(ids).size).toBe(refusalsKeptMax + 5)
    const kept = refusals.all().map(({ id }) => id)
    expect(kept.length).toBeLessThanOrEqual(refusalsKeptMax)
    expect(kept).toContain(ids.at(-1))
  })
})

describe('a file that hookgate has not written is no permission and no refusal', () => {
  /** What a script can do that knows everything but the key. */
  const forgeries: Readonly<Record<string, (folder: string, kept: KeptRefusal) => void>> = {
    'a grant in plain JSON': (folder, kept) => plant(folder, 'granted', grantOf(kept)),
    'a grant that lasts for ever': (folder, kept) =>
      plant(folder, 'granted', { ...grantOf(kept), kind: 'while', endsAtMs: 9e15 }),
    'a grant with a seal of its own': (folder, kept) => plant(folder, 'granted', grantOf(kept), 'f'.repeat(64)),
    'a grant for a session': (folder, { id, rules: [rule] }) =>
      plant(folder, 'granted', {
        kind: 'session',
        id,
        session: 's',
        exceptions: rule?.exceptions ?? [],
        endsAtMs: Date.now() + 60_000,
      }),
    'a refusal that was moved among the grants': (folder) => {
      mkdirSync(join(folder, 'granted'), { mode: 0o700 })
      for (const name of readdirSync(join(folder, 'kept')))
        copyFileSync(join(folder, 'kept', name), join(folder, 'granted', name))
    },
  }
  it.each(Object.keys(forgeries))('%s', async (name) => {
    const { gate, event, refusals, refusalsFolder } = pushGate()
    const { id = '' } = await gate.decide(event('git push'))
    const kept = refusals.find(id)
    if (kept === undefined) throw new Error('it is not kept')
    forgeries[name]?.(refusalsFolder, kept)
    expect((await gate.decide(event('git push'))).decision).toBe('deny')
    expect(refusals.grants()).toEqual([])
  })

  it('a kept refusal that was altered, so that a person would allow another call', async () => {
    const { gate, event, refusals, refusalsFolder } = pushGate()
    const harmless = await gate.decide(event('git push'))
    const other = await gate.decide(event('git push --mirror'))
    const [shown, meant] = [harmless.id ?? '', other.id ?? ''].map((id) => refusals.find(id))
    const file = readdirSync(join(refusalsFolder, 'kept')).find((name) =>
      readFileSync(join(refusalsFolder, 'kept', name), 'utf8').includes(harmless.id ?? '-'),
    )
    const text = readFileSync(join(refusalsFolder, 'kept', file ?? ''), 'utf8')
    writeFileSync(join(refusalsFolder, 'kept', file ?? ''), text.replace(shown?.call ?? '-', meant?.call ?? '-'))
    expect(refusals.find(harmless.id ?? '')).toBeUndefined()
    expect(refusals.all().map(({ id }) => id)).toEqual([other.id])
  })

  it('a grant of hookgate, whose end is later than any that can be given', () => {
    const refusals = openRefusals(join(folderWith(), 'refusals'))
    const grant = { kind: 'while', id: 'a', call: 'c', rules: [] } as const
    refusals.grant({ ...grant, endsAtMs: Date.now() + limits.grantRepeatMsMax + 60_000 })
    expect(refusals.grants()).toEqual([])
    refusals.grant({ ...grant, endsAtMs: Date.now() + limits.grantRepeatMsMax })
    expect(refusals.grants()).toHaveLength(1)
  })

  it('anything, where the key of the seals is gone or damaged', async () => {
    const one = pushGate()
    allowOnce(one, (await one.gate.decide(one.event('git push'))).id)
    rmSync(join(one.refusalsFolder, 'seal.key'))
    writeFileSync(join(one.refusalsFolder, 'seal.key'), '\0'.repeat(64), { mode: 0o600 })
    expect((await one.gate.decide(one.event('git push'))).decision).toBe('deny')
    allowOnce(one, (await one.gate.decide(one.event('git push'))).id)
    expect((await one.gate.decide(one.event('git push'))).decision).toBe('abstain')
  })
})

const grantOf = ({ id, call, rules: own }: KeptRefusal) => ({
  kind: 'once',
  id,
  call,
  rules: own.map((rule) => rule.id),
  endsAtMs: Date.now() + 60_000,
})

function plant(folder: string, name: string, grant: object, seal?: string): void {
  mkdirSync(join(folder, name), { recursive: true, mode: 0o700 })
  const text = JSON.stringify(grant)
  writeFileSync(join(folder, name, 'planted'), seal === undefined ? text : `${seal}\n${text}`, { mode: 0o600 })
}

describe('an old refusal', () => {
  it('is not found, and is removed with the next that is kept', async () => {
    const { gate, event, refusals, refusalsFolder } = pushGate()
    const { id = '' } = await gate.decide(event('git push'))
    const folder = join(refusalsFolder, 'kept')
    const [name = ''] = readdirSync(folder)
    const file = join(folder, name)
    const longAgo = Date.now() - limits.refusalMsMax - 1
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + limits.refusalMsMax + 1 })
    expect([refusals.find(id), refusals.all()]).toEqual([undefined, []])
    vi.useRealTimers()
    utimesSync(file, longAgo / 1000, longAgo / 1000)
    openRefusals(refusalsFolder).keep(refusalOf(event('git push'), 'deny', [], 'a call'))
    expect(readdirSync(folder)).toHaveLength(1)
    expect(readdirSync(folder)).not.toContain(name)
  })
})

describe('a call that is allowed once', () => {
  it('passes once of however many at the same time, in however many gates', async () => {
    const first = pushGate()
    const second = pushGate({}, first.home)
    allowOnce(first, (await first.gate.decide(first.event('git push'))).id)
    const gates = [first, second, first, second, first, second]
    const verdicts = await Promise.all(gates.map(({ gate, event }) => gate.decide(event('git push'))))
    expect(verdicts.map(({ decision }) => decision).toSorted()).toEqual([
      'abstain',
      ...gates.slice(1).map(() => 'deny'),
    ])
  })

  it('is the same call whatever its description and the order of its input', async () => {
    const one = pushGate()
    const call = (input: Readonly<Record<string, string>>) =>
      one.event('git push', { tool: { kind: 'shell', name: 'Bash', input, command: 'git push' } })
    const { id } = await one.gate.decide(call({ description: 'Push it', command: 'git push', timeout: '9' }))
    allowOnce(one, id)
    const again = call({ timeout: '9', command: 'git push', description: 'Try to push again' })
    expect((await one.gate.decide(again)).decision).toBe('abstain')
  })

  it.each<[string, Partial<HookEvent>]>([
    ['in another folder', { session: { id: 's', cwd: '/elsewhere' } }],
    ['in another project', { workspaceRoots: ['/elsewhere'] }],
    ['in another session', { session: { id: 't', cwd: '/' } }],
    ['of another agent', { agent: 'codex' }],
    [
      'with another input',
      { tool: { kind: 'shell', name: 'Bash', input: { command: 'git push', background: true }, command: 'git push' } },
    ],
  ])('is another call %s', async (_, more) => {
    const one = pushGate()
    const { id } = await one.gate.decide(one.event('git push'))
    allowOnce(one, id)
    expect((await one.gate.decide(one.event('git push', more))).decision).toBe('deny')
    expect((await one.gate.decide(one.event('git push'))).decision).toBe('abstain')
  })

  it.each<[string, string, (folder: string) => void]>([
    ['the branch', 'git push', (at) => writeFileSync(join(at, '.git/HEAD'), 'ref: refs/heads/main\n')],
    ['the remote', 'git push', (at) => writeFileSync(join(at, '.git/config'), remote('https://example.com/other.git'))],
    [
      'a remote that the command names',
      'git push backup main',
      (at) => appendFileSync(join(at, '.git/config'), remote('https://example.com/b.git', 'backup')),
    ],
    ['a script that it runs', './ship.sh && git push', (at) => writeFileSync(join(at, 'ship.sh'), 'rm -r src\n')],
    ['a program that it starts', './ship.py && git push', (at) => appendFileSync(join(at, 'ship.py'), 'wipe()\n')],
    [
      'the folder that a link leads to',
      'git push',
      (at) => (
        renameSync(at, `${at}-before`),
        cpSync(`${at}-before`, `${at}-now`, { recursive: true }),
        symlinkSync(`${at}-now`, at)
      ),
    ],
  ])('is another call once %s has changed', async (_, command, change) => {
    const home = folderWith({
      ...rules,
      'p/.git/HEAD': 'ref: refs/heads/topic\n',
      'p/.git/config': remote('https://example.com/own.git'),
      'p/ship.sh': { script: 'echo ship\n' },
      'p/ship.py': { script: '#!/usr/bin/env python3\nship()\n' },
    })
    const folder = join(home, 'p')
    const one = pushGate({}, home)
    const call = () => one.event(command, { session: { id: 's', cwd: folder }, workspaceRoots: [folder] })
    allowOnce(one, (await one.gate.decide(call())).id)
    change(folder)
    expect((await one.gate.decide(call())).decision).toBe('deny')
    // Seen to pass without the change.
    allowOnce(one, (await one.gate.decide(call())).id)
    expect((await one.gate.decide(call())).decision).toBe('abstain')
  })

  it('is another call once its rule answers otherwise', async () => {
    const policy = (reason: string) =>
      `import { definePolicy, deny } from 'hookgate/policy'
       export default definePolicy({ id: 'say', description: 'Says why', on: 'PreToolUse', tool: 'shell', decide: () => deny('${reason}') })`
    const home = folderWith({ '.config/hookgate/policies/say.policy.ts': policy('one table goes') })
    const [first, event] = [pushGate({}, home), pushGate({}, home).event('./drop')]
    allowOnce(first, (await first.gate.decide(event)).id)
    writeFileSync(join(home, '.config/hookgate/policies/say.policy.ts'), policy('all tables go'))
    expect((await pushGate({}, home).gate.decide(event)).decision).toBe('deny')
  })

  it('is refused again if a rule refuses it that the person has not seen', async () => {
    const one = pushGate()
    const { id } = await one.gate.decide(one.event('git push'))
    allowOnce(one, id)
    const more = { permissions: { deny: ['Bash(git push *)'], ask: ['Bash(git *)'] } }
    writeFileSync(join(one.home, '.config/hookgate/hooks.json'), JSON.stringify(more))
    const other = pushGate({}, one.home)
    expect((await other.gate.decide(other.event('git push'))).decision).toBe('deny')
  })
})

it('of the permissions of a person, the latest are in force', () => {
  const refusals = openRefusals(join(folderWith(), 'refusals'))
  const event = sampleEvent('PreToolUse', 'codex')
  for (let index = 0; index <= grantsMax; index++) {
    const endsAtMs = Date.now() + 60_000
    refusals.grant({ kind: 'session', id: `id-${index}`, session: event.session.id, exceptions: [], endsAtMs })
  }
  const ids = refusals.grants().map(({ id }) => id)
  expect(ids.length).toBeLessThanOrEqual(grantsMax)
  expect(ids).toContain(`id-${grantsMax}`)
  expect(ids).not.toContain('id-0')
})

describe('the store below', () => {
  it('gives an entry to one taker, and lists what can be read', () => {
    const folder = join(folderWith(), 'store')
    const [one, two] = [openKeyValueStore(folder, 10), openKeyValueStore(folder, 10)]
    one.set('a', 'A')
    two.set('b', 'B')
    mkdirSync(join(folder, 'not-ours'))
    writeFileSync(join(folder, 'readable-by-all'), 'C', { mode: 0o644 })
    expect(one.values().toSorted()).toEqual(['A', 'B'])
    expect([one.take('a'), two.take('a'), one.take('c')]).toEqual([true, false, false])
    expect(two.values()).toEqual(['B'])
  })
})
