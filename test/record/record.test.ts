import { describe, expect, it } from 'vitest'
import { combine } from '../../src/gate/combine/combine.ts'
import { maskSecrets } from '../../src/mask/mask.ts'
import { DecisionRecord, recordOf } from '../../src/record/record.ts'
import { indeterminate, planOf, ruleNamed, applicable, shellAction, shellEvent } from '../support/plans.ts'

const ours = { via: 'library', version: '1.0.0', durationMs: 1.5 } as const
const atMs = Date.UTC(2026, 8, 21, 14, 13, 20)

describe('a record', () => {
  it('contains the event, the decision, its determining rules and the durations', () => {
    const plan = planOf(ruleNamed('a'), ruleNamed('b'))
    const verdict = combine(plan, [applicable('a', { effect: 'deny', reason: 'no' }), indeterminate('b')], shellEvent)
    expect(DecisionRecord.parse(recordOf(shellEvent, verdict, ours, atMs))).toMatchObject({
      at: '2026-09-21T14:13:20.000Z',
      event: 'PreToolUse',
      tool: 'shell',
      subject: 'ls',
      decision: 'deny',
      determining: ['a'],
      rules: 2,
      via: 'library',
      durationMs: 1.5,
      evaluations: [
        { ruleId: 'a', effect: 'deny', reason: 'no' },
        { ruleId: 'b', failure: { code: 'nonzeroExit' } },
      ],
    })
  })

  it.each([
    ['one that is given whole', ['short'], { contextBytes: 5, contextTruncatedBytes: 0 }],
    ['one that is cut', ['x'.repeat(60_000)], { contextBytes: 60_000, contextTruncatedBytes: expect.any(Number) }],
    ['one that is cut within a character', ['語'.repeat(20_000)], { contextBytes: 60_000 }],
    ['several', ['x'.repeat(30_000), 'y'.repeat(29_998)], { contextBytes: 60_000 }],
  ])('has the length of a context before it is cut: %s', (_what, texts, lengths) => {
    const rules = texts.map((_text, at) => ruleNamed(`r${at}`))
    const answers = texts.map((text, at) => applicable(`r${at}`, { advice: [{ kind: 'addContext', text }] }))
    expect(recordOf(shellEvent, combine(planOf(...rules), answers, shellEvent), ours, atMs)).toMatchObject(lengths)
  })

  it('masks a secret before it cuts the command, so that no half of a secret remains', () => {
    const command = `${'x'.repeat(2035)} ghp_${'a1B2'.repeat(10)}`
    const event = { ...shellEvent, tool: { ...shellAction, command } }
    expect(recordOf(event, combine(planOf(), [], event), ours, atMs).subject).toBe(`${'x'.repeat(2035)} ***`)
  })

  it('marks the first of several files as less than what the agent sent', () => {
    const tool = { kind: 'edit', name: 'apply_patch', input: {}, path: 'a' } as const
    const recorded = (paths: readonly string[]) =>
      recordOf({ ...shellEvent, tool: { ...tool, paths } }, combine(planOf(), [], shellEvent), ours, atMs)
    expect(recorded(['a', 'b'])).toMatchObject({ subject: 'a', subjectAltered: true })
    expect(recorded(['a'])).not.toHaveProperty('subjectAltered')
  })

  it('masks the output of a failed hook', () => {
    const verdict = combine(
      planOf(ruleNamed('a')),
      [indeterminate('a', 'it exited with 1: bad password=hunter22')],
      shellEvent,
    )
    const record = recordOf(shellEvent, verdict, ours, atMs)
    expect(record.evaluations).toMatchObject([{ failure: { message: 'it exited with 1: bad password=***' } }])
    expect(JSON.stringify(record)).not.toContain('hunter22')
  })
})

describe('masking', () => {
  it.each([
    ['export AWS_KEY=AKIAABCDEFGHIJKLMNOP', 'export AWS_KEY=***'],
    ['curl -H "Authorization: Bearer abc.def-123"', 'curl -H "Authorization: Bearer ***"'],
    ['git clone https://me:hunter22@example.com/r.git', 'git clone https://me:***@example.com/r.git'],
    ['mysql --password=hunter22 -u root', 'mysql --password=*** -u root'],
    ['API_KEY: "s3cr3tvalue"', 'API_KEY: "***"'],
  ])('hides the secret in %s, and nothing else', (text, masked) => {
    expect(maskSecrets(text)).toBe(masked)
  })

  it.each(['a.', 'eyJ-', 'a-', 'eyJaaaaaaaa.', 'pass ', '-----BEGIN '])(
    'gets through two megabytes of %j, which is a minute and more for a pattern that starts anew inside of itself',
    (unit) => {
      const text = unit.repeat((2 * 1024 * 1024) / unit.length)
      expect(maskSecrets(`${text} ghp_${'a1B2'.repeat(10)}`)).toMatch(/ \*\*\*$/)
    },
  )

  it('hides a token that follows another after a dash', () => {
    const token = 'eyJhbGciOiJIUzI1.eyJzdWIiOiIx.SflKxwRJSMeKKF2QT4'
    expect(maskSecrets(`eyJ-${token} eyJ`)).toBe('eyJ-*** eyJ')
  })

  it('leaves ordinary commands as they are', () => {
    const text = 'git log --author=me && npm test -- --grep token'
    expect(maskSecrets(text)).toBe(text)
  })
})
