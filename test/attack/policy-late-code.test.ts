import { onBusyMachine } from '../policy/sandbox/attacked.ts'
import { describe, expect, it } from 'vitest'
import { answerOf, handPolicy, inPolicy, isolateOf } from '../support/isolates.ts'

const denies = handPolicy('denies', 'return deny("no")')
const no = [{ effect: 'deny', reason: 'no' }]

describe('no code runs after the answer', () => {
  it.each([
    '(async () => {})()',
    '(async () => { await 0; return deny("late") })()',
    'Promise.resolve(deny("late"))',
    '({ then(resolve) { resolve(deny("late")) } })',
  ])('what `%s` is to become is no answer', (expression) => {
    expect(answerOf(handPolicy('late', `return ${expression}`))).toHaveProperty('failure.code', 'policyThrew')
  })

  it('rejects a promise as an answer', () => {
    expect(JSON.stringify(answerOf(handPolicy('late', 'return (async () => {})()')))).toContain('must not be `async`')
  })

  it.each([
    '(async () => {})().then(() => 0)',
    '(async () => {})().constructor.resolve(0)',
    'new ((async () => {})().constructor)(() => 0)',
    'Array.fromAsync([1])',
    '(async function* () {})().next()',
    'new AsyncDisposableStack()',
    'new FinalizationRegistry(() => 0)',
    'new WeakRef({})',
  ])('`%s` throws', (expression) => {
    expect(inPolicy(expression)).toContain('policyThrew')
  })

  it('an endless loop behind an `await` fails its own policy only', onBusyMachine, () => {
    const late = handPolicy('late', '(async () => { await 0; for (;;); })()')
    const { ask } = isolateOf(denies, late)
    expect(ask([1, 0])).toEqual([
      expect.objectContaining({ failure: expect.objectContaining({ code: 'policyTimeout' }) }),
      no,
    ])
    expect(ask([0])).toEqual([no])
  })

  it('code behind an `await` changes no answer, its own or another’s', () => {
    const late = handPolicy(
      'late',
      `const answer = { effect: 'deny', reason: 'at once' };
       (async () => { await 0; answer.reason = 'late'; try { Map.kept = 'late' } catch {} })(); return answer`,
    )
    const reads = handPolicy('reads', 'return deny(String(Map.kept))')
    const { ask } = isolateOf(late, reads)
    const both = [[{ effect: 'deny', reason: 'at once' }], [{ effect: 'deny', reason: 'undefined' }]]
    expect([ask([0, 1]), ask([0, 1])]).toEqual([both, both])
  })
})
