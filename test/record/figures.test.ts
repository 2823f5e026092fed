import { describe, expect, it, onTestFinished } from 'vitest'
import type { FiguresFilter } from '../../src/record/figures.ts'
import { liftRemark } from '../../src/model/exception.ts'
import { openReader } from '../../src/record/read.ts'
import { dayOf } from '../../src/words/moment.ts'
import { bucketOf } from '../../src/record/durations.ts'
import { append, databaseWith, recordWith, refusedBy } from '../support/records.ts'

const hourMs = 3_600_000
const failedBy = (ruleId: string, message: string) => ({
  evaluations: [{ ruleId, durationMs: 1, failure: { code: 'nonzeroExit' as const, message } }],
})
const observedBy = (ruleId: string) => ({
  evaluations: [{ ruleId, durationMs: 1, effect: 'deny' as const, observed: true as const }],
})

function figuresIn(file: string, filter: FiguresFilter) {
  return readerOf(file).figures(filter)
}

function readerOf(file: string) {
  const reader = openReader(file)
  if (reader === undefined) throw new Error('nothing is recorded')
  onTestFinished(() => reader.close())
  return reader
}

describe('the figures of the record', () => {
  // In Berlin the clock is set back at 01:00 UTC: the hour from 2 to 3 comes twice, and is two spans.
  const startMs = Date.UTC(2026, 9, 24, 22)
  const hour = (index: number): number => startMs + index * hourMs
  const startsMs = [hour(0), hour(1), hour(2), hour(3), hour(4)] as const

  it('counts what was decided in each span, a moment at its beginning in it and one before the first in none', () => {
    const file = databaseWith([
      recordWith(refusedBy('early'), hour(0) - 1),
      recordWith(refusedBy('strict'), hour(0)),
      recordWith(refusedBy('strict'), hour(1) - 1),
      recordWith({ decision: 'ask', told: 'ask' }, hour(1)),
      recordWith({ decision: 'defer', told: 'defer' }, hour(2)),
      recordWith(observedBy('careful'), hour(3)),
      recordWith(failedBy('broken', 'x'), hour(9)),
    ])
    const none = { decided: 0, refused: 0, asked: 0, observed: 0, failed: 0 }
    append(file, [
      recordWith(
        refusedBy('strict', {
          evaluations: [...(refusedBy('strict').evaluations ?? []), ...observedBy('careful').evaluations],
        }),
        hour(9),
      ),
    ])
    expect(figuresIn(file, { startsMs: [...startsMs] }).observedAlone).toEqual([0, 0, 0, 1, 0])
    expect(figuresIn(file, { startsMs: [...startsMs] }).spans).toEqual([
      { ...none, decided: 2, refused: 2 },
      { ...none, decided: 1, asked: 1 },
      { ...none, decided: 1, asked: 1 },
      { ...none, decided: 1, observed: 1 },
      { ...none, decided: 2, refused: 1, observed: 1, failed: 1 },
    ])
  })

  it('is of an agent and a project, and names those that there are', () => {
    const file = databaseWith([
      recordWith({ ...refusedBy('a'), agent: 'codex', project: '/b/c' }, hour(0)),
      recordWith({ ...refusedBy('b'), agent: 'codex', project: '/bc' }, hour(0)),
      recordWith({ ...refusedBy('c'), agent: 'cursor', project: '/b' }, hour(0)),
    ])
    const count = { event: 'PreToolUse', tool: 'shell', decision: 'abstain', day: dayOf(hour(0)), number: 5 }
    append(file, [], {
      counts: [
        { ...count, agent: 'codex', project: '/b' },
        { ...count, agent: 'cursor', project: '/x' },
      ],
    })
    const history = figuresIn(file, { startsMs: [hour(0)], agent: 'codex', project: '/b' })
    expect([...history.rules.keys()]).toEqual(['a'])
    expect(history.spans).toMatchObject([{ decided: 1, refused: 1 }])
    expect([...history.counted]).toEqual([[dayOf(hour(0)), 5]])
    expect(history.allAgents.toSorted()).toEqual(['codex', 'cursor'])
    expect(history.allProjects.toSorted()).toEqual(['/b', '/b/c', '/bc', '/x'])
  })

  it('counts a call once, whatever its agent reports after it', () => {
    const call = { call: 'toolu_1', session: 's' }
    const file = databaseWith([
      recordWith(call, hour(0)),
      recordWith({ ...call, event: 'PostToolUse', result: { succeeded: true, durationMs: 1200 } }, hour(0) + 1),
      recordWith({ event: 'SessionStart', tool: undefined, toolName: undefined, subject: undefined }, hour(0) + 2),
      recordWith({ event: 'PostToolUse', ...failedBy('formatter', 'x') }, hour(0) + 3),
      recordWith({ event: 'UserPromptSubmit', ...refusedBy('no-secrets') }, hour(0) + 4),
    ])
    const { spans } = figuresIn(file, { startsMs: [hour(0)] })
    expect(spans).toEqual([{ decided: 3, refused: 1, asked: 0, observed: 0, failed: 1 }])
    const rows = [...readerOf(file).rows({ listed: true })]
    expect(rows.map(({ seq, ran }) => [seq, ran])).toEqual([
      [1, { succeeded: true, durationMs: 1200 }],
      [4, undefined],
      [5, undefined],
    ])
    expect([...readerOf(file).rows({ event: 'SessionStart' })]).toHaveLength(1)
  })

  it('says what failed, how often, and what the last failure was', () => {
    const error = { code: 'internal', message: 'no room' }
    const last = recordWith(failedBy('broken', 'second'), hour(1))
    const own = recordWith({ decision: 'deny', told: 'deny', error }, hour(1))
    // Written in another order than decided, as by writers that take turns.
    const file = databaseWith([last, recordWith(failedBy('broken', 'first'), hour(0)), own])
    expect([...figuresIn(file, { startsMs: [hour(0)] }).failures]).toEqual([
      ['broken', { number: 2, code: 'nonzeroExit', message: 'second', id: last.id }],
      [undefined, { number: 1, ...error, id: own.id }],
    ])
  })

  it('has the distribution of times, each at most 6 % too long', () => {
    const time = (ms: number, number: number) => ({ day: dayOf(hour(0)), rule: 'slow', bucket: bucketOf(ms), number })
    const file = databaseWith([recordWith({}, hour(0))])
    append(file, [], { times: [time(1, 90), time(50, 8), time(700, 2), { ...time(9, 9), day: dayOf(hour(-48)) }] })
    const slow = readerOf(file).durations(hour(0)).rules.get('slow')
    const recorded = { p50Ms: 1, p95Ms: 50, p99Ms: 700, maxMs: 700 }
    for (const [name, ms] of Object.entries(recorded)) {
      const shown = Number(slow?.[name as keyof typeof recorded])
      expect(shown / ms).toBeGreaterThanOrEqual(1)
      expect(shown / ms).toBeLessThan(1.06)
    }
    const bars = slow?.bars ?? []
    expect(bars.filter(({ number }) => number > 0).map(({ number }) => number)).toEqual([90, 8, 2])
    for (const [index, { upToMs }] of bars.entries())
      if (index > 0) expect(upToMs / (bars[index - 1]?.upToMs ?? 0)).toBeCloseTo(Math.SQRT2)
  })

  it('counts what each exception has lifted, by the rule whose answer it was', () => {
    const lifted = (ruleId: string, ...remarks: readonly string[]) => ({
      evaluations: [{ ruleId, durationMs: 1, remarks: [...remarks] }],
    })
    const first = liftRemark({ name: 'user:hooks.json#exceptions[0]', reason: undefined }, 'deny')
    const second = liftRemark({ name: 'user:hooks.json#exceptions[1]', reason: 'ours: (only)' }, 'ask')
    const file = databaseWith([
      recordWith(lifted('a', first), hour(0) - 1),
      recordWith(lifted('a', first, 'another remark'), hour(0)),
      recordWith(lifted('a', first), hour(1)),
      recordWith(lifted('b', second), hour(1)),
    ])
    expect(figuresIn(file, { startsMs: [hour(0)] }).lifted).toEqual([
      { exception: 'user:hooks.json#exceptions[0]', ruleId: 'a', times: 2 },
      { exception: 'user:hooks.json#exceptions[1]: ours: (only)', ruleId: 'b', times: 1 },
    ])
  })

  it('counts rows that are no records, and reads all others', () => {
    const hostile = ['{}', '[]', '1', '{"evaluations":["x",1,{"ruleId":5}],"decision":"deny"}', '{"error":1}']
    const history = figuresIn(databaseWith([recordWith(refusedBy('strict')), ...hostile]), { startsMs: [hour(0)] })
    expect(history.unreadable).toBe(4)
    expect([...history.rules.keys()]).toEqual(['strict'])
  })
})
