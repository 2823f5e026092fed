import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { durationMs, type KeptStep, stepOutcomes } from '../../src/model/past.ts'
import { pastLimits } from '../../src/model/past-limits.ts'
import { fits } from '../../src/past/condition.ts'
import { openStepDatabase } from '../../src/past/database.ts'
import { type FoldedDeclaration, openFold } from '../../src/past/fold.ts'
import { Past } from '../../src/past/past.ts'
import { folderWith } from '../support/workspace.ts'

const step = (seq: number, more: Partial<KeptStep> = {}): KeptStep => ({
  seq,
  atMs: seq * 1000,
  agent: 'claude-code',
  session: 's',
  workspace: '/w',
  outcome: 'allowed',
  tool: 'shell',
  name: 'Bash',
  text: 'ls',
  key: 'k',
  commands: ['ls'],
  impacts: [],
  paths: [],
  hosts: [],
  ...more,
})

/** A generator whose numbers a seed repeats. */
function randomOf(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

function randomStep(seq: number, random: (below: number) => number): KeptStep {
  const command = ['git push', 'npm test', 'curl a.dev', 'ls'][random(4)] ?? 'ls'
  return step(seq, {
    atMs: seq * 1000 + random(5) * 20_000,
    outcome: stepOutcomes[random(stepOutcomes.length)] ?? 'done',
    key: command,
    commands: [command],
    hosts: command.startsWith('curl') ? ['a.dev'] : [],
  })
}

const declarations: readonly FoldedDeclaration[] = [
  { kind: 'count', of: { command: 'git push' } },
  { kind: 'count', of: { outcome: ['failed', 'done'] }, by: 'call' },
  { kind: 'count', of: {}, resetBy: { outcome: 'prompted' } },
  { kind: 'streak', of: { outcome: 'failed' }, by: 'call' },
  { kind: 'streak', of: { outcome: 'refused' } },
  { kind: 'streak', of: {}, resetBy: { outcome: 'failed' } },
  { kind: 'streak', of: { outcome: 'refused' }, by: 'call', resetBy: { outcome: 'prompted' } },
  { kind: 'since', of: { command: 'npm test', outcome: 'done' }, resetBy: { command: 'git' } },
  { kind: 'label', of: { host: 'a.dev' }, clearedBy: { outcome: 'prompted' } },
  { kind: 'last', of: { tool: 'shell', outcome: 'approved' } },
  { kind: 'budget', of: {}, cap: 5 },
]

/** The same values by another way: from all steps at once, in words of the documentation. */
function oracle(declared: FoldedDeclaration, steps: readonly KeptStep[], current: KeptStep): unknown {
  const isOf = (one: KeptStep) => fits(one, declared.of)
  const like = (one: KeptStep) => !('by' in declared) || declared.by === undefined || one.key === current.key
  const behind = (test: (one: KeptStep) => boolean) => steps.slice(steps.findLastIndex(test) + 1)
  const before = ['refused', 'asked', 'allowed', 'approved']
  switch (declared.kind) {
    case 'count': {
      const { resetBy } = declared
      const counted = resetBy === undefined ? steps : behind((one) => fits(one, resetBy))
      return counted.filter((one) => isOf(one) && like(one)).length
    }
    case 'budget': {
      const spent = steps.filter(isOf).length
      return { spent, left: Math.max(0, declared.cap - spent), exhausted: spent >= declared.cap }
    }
    case 'streak': {
      const { resetBy } = declared
      const [outcome] = [declared.of].flat().map((one) => one.outcome)
      const moment = outcome === 'failed' ? ['done', 'failed'] : before
      const kept = resetBy === undefined ? steps : behind((one) => fits(one, resetBy))
      const own = kept.filter((one) => like(one) && moment.includes(one.outcome))
      return own.length - 1 - own.findLastIndex((one) => !isOf(one))
    }
    case 'since':
      return steps.findLastIndex(isOf) > steps.findLastIndex((one) => fits(one, declared.resetBy))
    case 'label': {
      const { clearedBy } = declared
      const kept = clearedBy === undefined ? steps : behind((one) => fits(one, clearedBy))
      return kept.find(isOf)?.atMs
    }
    case 'last':
      return steps.findLast(isOf)?.atMs
  }
}

const comparable = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'atMs' in value ? value.atMs : value

describe('states are folds over the steps before', () => {
  it.each(declarations.map((one) => [`${one.kind} ${JSON.stringify(one)}`, one] as const))(
    'as an oracle that reads all steps at once says: %s',
    (_, declared) => {
      for (let seed = 1; seed <= 40; seed += 1) {
        const random = randomOf(seed)
        const steps = Array.from({ length: 60 }, (__, at) => randomStep(at + 1, random))
        let fold = openFold(declared)
        for (const [at, one] of steps.entries()) {
          expect(comparable(fold.valueFor(one, one.atMs)), `seed ${seed}, step ${at}`).toEqual(
            oracle(declared, steps.slice(0, at), one),
          )
          // A fold that is kept and opened again goes on as it was.
          if (random(4) === 0) fold = openFold(declared, structuredClone(fold.saved()))
          fold.add(one)
        }
      }
    },
  )

  it('a count within a time forgets older steps, exact to one part of that time', () => {
    const fold = openFold({ kind: 'count', of: {}, within: '10m' })
    const partMs = durationMs('10m') / pastLimits.stateWindowParts
    for (const atMs of [0, 60_000, 300_000]) fold.add(step(1, { atMs }))
    expect(fold.valueFor(undefined, 300_000)).toBe(3)
    expect(fold.valueFor(undefined, durationMs('10m') + partMs)).toBe(2)
    expect(fold.valueFor(undefined, durationMs('10m') + 60_000 + partMs)).toBe(1)
    expect(fold.valueFor(undefined, durationMs('1h'))).toBe(0)
  })

  it('groups are bounded: the one that was not seen for longest begins anew', () => {
    const fold = openFold({ kind: 'count', of: {}, by: 'call' })
    fold.add(step(1, { key: 'first' }))
    for (let at = 0; at < pastLimits.stateGroupsMax - 1; at += 1) fold.add(step(at, { key: `k${at}` }))
    expect(fold.valueFor(step(0, { key: 'first' }), 0)).toBe(1)
    fold.add(step(1, { key: 'one more' }))
    expect(fold.valueFor(step(0, { key: 'first' }), 0)).toBe(0)
    expect(fold.valueFor(step(0, { key: 'k5' }), 0)).toBe(1)
  })
})

describe('a state that a person has cleared', () => {
  /** What is read by one of two gates that share a file, which are opened anew now and then. */
  it.each(Array.from({ length: 12 }, (_, seed) => seed))(
    'is a fold of the steps behind that, in its own session and rule only, with seed %i',
    (seed) => {
      const random = randomOf(seed * 7919 + 11)
      const file = join(folderWith(), 'past.db')
      const open = () => new Past(openStepDatabase(file))
      const gates = [open(), open()]
      const kept: KeptStep[] = []
      for (let seq = 1; seq <= 60; seq += 1) {
        const session = random(2) === 0 ? 'a' : 'b'
        const { cleared: _, ...plain } = randomStep(seq, random)
        const name = `s${random(declarations.length)}`
        const isClear = random(4) === 0
        const told = isClear
          ? { ...plain, session, outcome: 'cleared' as const, cleared: { rule: 'r', state: name } }
          : { ...plain, session, outcome: plain.outcome === 'cleared' ? ('done' as const) : plain.outcome }
        const at = random(2)
        if (random(10) === 0) {
          gates[at]?.close()
          gates[at] = open()
        }
        const gate = gates[at] ?? open()
        gate.add(told)
        kept.push(told)
        for (const rule of ['r', 'another'])
          for (const [number, declaration] of declarations.entries()) {
            const own = kept.filter((one) => one.session === session)
            const isClearing = ({ cleared }: KeptStep) => cleared?.rule === rule && cleared.state === `s${number}`
            const behind = own.slice(own.findLastIndex(isClearing) + 1).filter(({ outcome }) => outcome !== 'cleared')
            const read = gate.viewFor(told).read({ rule, name: `s${number}`, declaration, code: '' })
            expect(read.kind === 'value' && comparable(read.value)).toEqual(oracle(declaration, behind, told))
          }
      }
      for (const gate of gates) gate.close()
    },
  )

  it('as a label, does not come back without new evidence, nor in another session', () => {
    const past = new Past(openStepDatabase(join(folderWith(), 'past.db')))
    const declaration = { kind: 'label', of: { host: 'a.dev' } } as const
    const read = (session: string) => {
      const found = past.viewFor(step(9, { session })).read({ rule: 'r', name: 's', declaration, code: '' })
      return found.kind === 'value' && found.value !== undefined
    }
    const evidence = (session: string) => past.add(step(1, { session, hosts: ['a.dev'] }))
    for (const session of ['a', 'b']) evidence(session)
    expect([read('a'), read('b')]).toEqual([true, true])
    past.add(step(2, { session: 'a', outcome: 'cleared', cleared: { rule: 'r', state: 's' } }))
    for (let at = 0; at < 5; at += 1) past.add(step(3 + at, { session: 'a' }))
    expect([read('a'), read('b')]).toEqual([false, true])
    evidence('a')
    expect(read('a')).toBe(true)
    past.close()
  })
})

describe('a condition', () => {
  const cases: readonly (readonly [string, Parameters<typeof fits>[1], Partial<KeptStep>, boolean])[] = [
    ['without keys fits each call that may run', {}, {}, true],
    ['without keys fits no refused one', {}, { outcome: 'refused' }, false],
    ['on a program fits each of its subcommands', { command: 'git' }, { commands: ['git push'] }, true],
    ['on a subcommand fits no other', { command: 'git push' }, { commands: ['git pull'] }, false],
    ['on a program does not fit one whose name begins so', { command: 'git' }, { commands: ['gitk all'] }, false],
    ['on a kind of tool', { tool: 'shell' }, {}, true],
    ['on the tools of a server', { tool: 'mcp__mail__*' }, { tool: 'mcp', name: 'mcp__mail__send' }, true],
    [
      'on an impact by kind and thing',
      { impact: 'show secret' },
      { impacts: [{ kind: 'show', thing: 'secret', area: 'environment', names: [] }] },
      true,
    ],
    [
      'on an impact by kind and thing fits no other thing',
      { impact: 'show secret' },
      { impacts: [{ kind: 'show', thing: 'data', area: 'environment', names: [] }] },
      false,
    ],
    [
      'on an access and a path fits what is touched so',
      { access: 'write', path: 'src/*' },
      { paths: [{ access: 'write', path: 'src/a/b.ts' }] },
      true,
    ],
    [
      'on an access and a path fits no path that is touched otherwise',
      { access: 'write', path: 'src/*' },
      {
        paths: [
          { access: 'read', path: 'src/a.ts' },
          { access: 'write', path: 'doc/a.md' },
        ],
      },
      false,
    ],
    ['on hosts', { host: '*.example.com' }, { hosts: ['a.example.com'] }, true],
    ['of several is one that fits', [{ command: 'npm' }, { tool: 'shell' }], {}, true],
  ]
  it.each(cases)('%s', (_, condition, more, wanted) => {
    expect(fits(step(1, more), condition)).toBe(wanted)
  })
})
