import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { DecisionFilter } from '../../src/record/filter.ts'
import { openReader } from '../../src/record/read.ts'
import type { DecisionRecord } from '../../src/record/record.ts'
import { append, databaseWith, recordWith, refusedBy } from '../support/records.ts'
import { folderWith } from '../support/workspace.ts'

const noonMs = Date.UTC(2026, 9, 1, 12)
const minuteMs = 60_000

function reading(file: string) {
  const reader = openReader(file)
  if (reader === undefined) throw new Error('nothing is recorded')
  onTestFinished(() => reader.close())
  return reader
}

const subjects = (rows: Iterable<{ readonly record: DecisionRecord }>) => [...rows].map(({ record }) => record.subject)

describe('the record', () => {
  it('is read in the order of writing, all of it or the last rows', () => {
    const reader = reading(databaseWith(['a', 'b', 'c'].map((subject) => recordWith({ subject }))))
    expect([...reader.rows()].map(({ seq }) => seq)).toEqual([1, 2, 3])
    expect(subjects(reader.rows({}, 2))).toEqual(['b', 'c'])
    expect(subjects(reader.rows({ afterSeq: 2 }))).toEqual(['c'])
  })

  it('has every row that is young enough, whatever the order of the ids: writers take turns', () => {
    const file = databaseWith([2, 1, 0].map((ms) => recordWith({ subject: String(ms) }, Date.now() + ms)))
    expect(subjects(reading(file).rows())).toEqual(['2', '1', '0'])
  })

  const failed = { ruleId: 'failing', durationMs: 1, failure: { code: 'nonzeroExit', message: 'x' } } as const
  const filters: readonly (readonly [string, DecisionFilter, Partial<DecisionRecord>, Partial<DecisionRecord>])[] = [
    ['agent', { agent: 'codex' }, { agent: 'codex' }, { agent: 'codex2' }],
    ['session', { session: 's1' }, { session: 's1' }, { session: 's' }],
    ['project, for a folder below', { project: '/a/b' }, { project: '/a/b/c' }, { project: '/a/bc' }],
    ['project, for the folder itself', { project: '/a/b' }, { project: '/a/b' }, { project: '/a' }],
    ['project of a name with an emoji', { project: '/a/🦊' }, { project: '/a/🦊/x' }, { project: '/a/🦊x' }],
    ['project, for the root', { project: '/' }, { project: '/a' }, { project: undefined }],
    ['part of a rule that answered', { rule: 'force' }, refusedBy('git-safety/force-push'), refusedBy('git/other')],
    ['a rule that failed', { rule: 'failing' }, { evaluations: [failed] }, {}],
    ['decision', { decisions: ['ask', 'deny'] }, { decision: 'ask', told: 'deny' }, { decision: 'abstain' }],
    [
      'what the agent was told',
      { outcomes: ['deny'] },
      { decision: 'ask', told: 'deny' },
      { decision: 'deny', told: 'abstain' },
    ],
    ['what was decided, where no agent was told', { outcomes: ['deny'] }, { decision: 'deny', told: undefined }, {}],
    ['a tool’s kind', { tool: 'shell' }, { tool: 'shell', toolName: 'Bash' }, { tool: 'read', toolName: 'Read' }],
    ['a tool’s name', { tool: 'Bash' }, { tool: 'shell', toolName: 'Bash' }, { tool: 'shell', toolName: 'Bash2' }],
    ['text of the subject, in either case', { text: 'PUSH' }, { subject: 'git push' }, { subject: 'git pull' }],
    ['text of the reason', { text: 'shared' }, { reason: 'it is shared' }, { subject: undefined }],
    ['text with a percent sign', { text: '100%' }, { subject: 'echo 100% x' }, { subject: 'echo 100 x' }],
    ['text with an underscore', { text: 'a_b' }, { subject: 'a_b' }, { subject: 'axb' }],
  ]
  it.each(filters)('is filtered by %s', (_, filter, matching, other) => {
    // JSON leaves out what is undefined.
    const reader = reading(databaseWith([recordWith(other), recordWith(matching)]))
    expect([...reader.rows(filter)].map(({ seq }) => seq)).toEqual([2])
    expect(reader.unreadable).toBe(0)
  })

  it('is filtered by time, from a moment and up to another', () => {
    const at = [0, 1, 2].map((minutes) => recordWith({ subject: String(minutes) }, noonMs + minutes * minuteMs))
    const reader = reading(databaseWith(at))
    expect(subjects(reader.rows({ sinceMs: noonMs + minuteMs }))).toEqual(['1', '2'])
    expect(subjects(reader.rows({ untilMs: noonMs + minuteMs }))).toEqual(['0'])
  })

  it('finds a row by the beginning of its id, and by the id of its refusal', () => {
    const refused = recordWith({ ...refusedBy('r'), refusal: 'k3x7qd' })
    const reader = reading(databaseWith([recordWith({}, noonMs), refused]))
    expect(reader.find('k3x7qd')?.seq).toBe(2)
    expect(reader.find(refused.id.slice(0, 12))?.seq).toBe(2)
    expect(reader.find(refused.id.slice(0, 5))).toBeUndefined()
    expect(reader.find('zzzzzz')).toBeUndefined()
  })

  it('counts rows that are no records, and reads all others', () => {
    const hostile = [
      '{}',
      '[]',
      '1',
      '"text"',
      '{"evaluations":["x",1,{"remarks":"no list"}],"at":5}',
      '{"project":[]}',
    ]
    const file = databaseWith([recordWith({ subject: 'first' }), ...hostile, recordWith({ subject: 'last' })])
    const reader = reading(file)
    expect(subjects(reader.rows())).toEqual(['first', 'last'])
    expect(reader.unreadable).toBe(hostile.length)
    expect(subjects(reader.rows({ rule: 'r', project: '/x', text: 'x', tool: 'x' }))).toEqual([])
    expect(reader.figures({ startsMs: [0] }).spans).toMatchObject([{ decided: hostile.length + 2 }])
  })

  it('is absent before the first decision, and reading creates nothing', () => {
    const file = join(folderWith(), 'decisions.db')
    expect(openReader(file)).toBeUndefined()
    writeFileSync(file, '')
    expect(openReader(file)).toBeUndefined()
    expect(statSync(file).size).toBe(0)
  })

  it('is refused with its file and a remedy where it is no database', () => {
    const file = join(folderWith({ 'decisions.db': 'no database at all\n'.repeat(100) }), 'decisions.db')
    expect(() => openReader(file)).toThrow(
      expect.objectContaining({
        code: 'unavailable',
        place: { file },
        remedy: expect.stringContaining('sets the file aside'),
      }),
    )
  })

  it('says how many decisions are lost', () => {
    const file = databaseWith([recordWith()])
    expect(reading(file).lost()).toBe(0)
    append(file, [recordWith()], {}, 3)
    expect(reading(file).lost()).toBe(3)
  })

  it('has the hash of a row for whoever keeps it elsewhere', () => {
    const reader = reading(databaseWith([recordWith(), recordWith()]))
    const check = reader.check()
    expect(check).toMatchObject({ kind: 'whole', rows: 2 })
    expect(check.kind === 'whole' && reader.hashAt(2)).toEqual(check.kind === 'whole' && check.head.hash)
    expect(reader.hashAt(3)).toBeUndefined()
  })
})

it('sees rows that came after it had read only some', () => {
  const file = databaseWith([recordWith(), recordWith()])
  const reader = reading(file)
  const [first] = reader.rows()
  expect(first?.seq).toBe(1)
  append(file, [recordWith()])
  expect([...reader.rows()]).toHaveLength(3)
})
