import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { combine } from '../../../src/gate/combine/combine.ts'
import { Effect, OnFailure } from '../../../src/model/effect.ts'
import type { Evaluation } from '../../../src/model/evaluation.ts'
import { FailureCode } from '../../../src/model/failure.ts'
import type { Json } from '../../../src/model/json.ts'
import { abstention, Verdict } from '../../../src/model/verdict.ts'
import { indeterminate, planOf, ruleNamed, applicable, notApplicable, shellEvent } from '../../support/plans.ts'

const decisionOf = (...evaluations: readonly Evaluation[]) =>
  combine(planOf(...evaluations.map(({ ruleId }) => ruleNamed(ruleId))), evaluations, shellEvent)

describe('the decision', () => {
  it('is abstain when no rule applies', () => {
    expect(combine(planOf(), [], shellEvent)).toBe(abstention)
  })

  it('is abstain, not allow, when every rule abstains', () => {
    expect(decisionOf(notApplicable('a'), notApplicable('b'))).toMatchObject({
      decision: 'abstain',
      cancel: false,
      reason: '',
    })
  })

  it.each([
    [['allow', 'ask'], 'ask'],
    [['ask', 'defer'], 'defer'],
    [['defer', 'deny'], 'deny'],
    [['deny', 'allow'], 'deny'],
    [['allow'], 'allow'],
  ] as const)('of %j is %s', (effects, decision) => {
    const evaluations = effects.map((effect, at) => applicable(`r${at}`, { effect, reason: effect }))
    expect(decisionOf(...evaluations)).toMatchObject({ decision, cancel: decision === 'deny' })
  })

  it('has the reasons of the determining rules, in plan order, each with its id', () => {
    const plan = planOf(ruleNamed('first'), ruleNamed('second'), ruleNamed('third'))
    const verdict = combine(
      plan,
      [
        applicable('third', { effect: 'deny', reason: 'no pushing' }),
        applicable('second', { effect: 'allow', reason: 'fine' }),
        applicable('first', { effect: 'deny', reason: 'no force' }),
      ],
      shellEvent,
    )
    expect(verdict.reason).toBe('no force (first)\nno pushing (third)')
    expect(verdict.determining).toEqual(['first', 'third'])
  })

  it.each([
    [
      ['low', 'critical'],
      [1, 0],
    ],
    [
      ['medium', 'high', 'critical', 'low'],
      [2, 1, 0, 3],
    ],
    [
      ['high', 'high'],
      [0, 1],
    ],
    [
      [undefined, 'critical', 'high', 'medium'],
      [1, 0, 2, 3],
    ],
    [
      ['medium', undefined],
      [1, 0],
    ],
    [
      ['high', undefined, 'low'],
      [0, 1, 2],
    ],
  ] as const)('has the most severe reason first: of %j, in this order: %j', (severities, order) => {
    const evaluations = severities.map((severity, at) =>
      applicable(`r${at}`, { effect: 'deny', reason: 'no', ...(severity !== undefined && { severity }) }),
    )
    expect(decisionOf(...evaluations).determining).toEqual(order.map((at) => `r${at}`))
  })

  it('has a default reason if a rule gave none', () => {
    expect(decisionOf(applicable('r', { effect: 'deny' })).reason).toBe('refused without a reason (r)')
  })
})

describe('a failed rule', () => {
  it.each([
    ['block', 'deny'],
    ['ask', 'ask'],
    ['continue', 'abstain'],
  ] as const)('with onFailure %s counts as %s', (onFailure, decision) => {
    expect(combine(planOf(ruleNamed('r', onFailure)), [indeterminate('r')], shellEvent).decision).toBe(decision)
  })

  it.each(['Stop', 'SubagentStop', 'TaskCompleted', 'TeammateIdle'] as const)(
    'does not keep an agent going at %s, whatever its onFailure',
    (name) => {
      const verdict = combine(planOf(ruleNamed('r', 'block')), [indeterminate('r')], { ...shellEvent, name })
      expect(verdict.decision).toBe('abstain')
      expect(verdict.notices).toEqual([expect.stringContaining('exited with code 1')])
    },
  )

  it('is named together with those that failed for the same reason, and apart from all others', () => {
    const names = ['a', 'b', 'c', 'd']
    const evaluations = names.map((name) => indeterminate(name, name === 'c' ? 'timed out' : 'no such file'))
    const verdict = combine(
      planOf(...names.map((name) => ruleNamed(name, name === 'd' ? 'ask' : 'block'))),
      evaluations,
      shellEvent,
    )
    const because = 'counts as deny because its onFailure is `block`'
    expect(verdict.reason).toBe(`no such file; ${because} (a; b)\ntimed out; ${because} (c)`)
    expect(verdict.determining).toEqual(['a', 'b', 'c'])
  })

  it('that blocks reports why it failed and that its onFailure denies', () => {
    const verdict = combine(planOf(ruleNamed('r', 'block')), [indeterminate('r', 'timed out after 30 s')], shellEvent)
    expect(verdict.reason).toBe('timed out after 30 s; counts as deny because its onFailure is `block` (r)')
    expect(verdict.notices).toEqual([])
  })

  it('that is skipped is reported as a notice, so that an error is not silence', () => {
    expect(decisionOf(indeterminate('r', 'exited with code 1: boom')).notices).toEqual(['exited with code 1: boom (r)'])
  })

  it('keeps its answer: a cancel counts even if the hook then fails', () => {
    const failure = { code: 'nonzeroExit', message: 'exited with code 1' } as const
    const verdict = decisionOf(applicable('r', { effect: 'deny', reason: 'no', failure }))
    expect(verdict).toMatchObject({ decision: 'deny', reason: 'no (r)', notices: ['exited with code 1 (r)'] })
  })

  it.each(['block', 'ask'] as const)('that also gave advice is reported once if its onFailure is %s', (onFailure) => {
    const failure = { code: 'nonzeroExit', message: 'exited with code 1' } as const
    const advice = [{ kind: 'notice', text: 'look out' }] as const
    const verdict = combine(planOf(ruleNamed('r', onFailure)), [applicable('r', { advice, failure })], shellEvent)
    expect(verdict.reason).toMatch(/^exited with code 1; counts as/)
    expect(verdict.notices).toEqual(['look out (r)'])
  })

  it('is reported beside a decision that it did not determine', () => {
    const failure = { code: 'nonzeroExit', message: 'exited with code 1' } as const
    const plan = planOf(ruleNamed('r', 'ask'), ruleNamed('s'))
    const verdict = combine(
      plan,
      [applicable('r', { failure }), applicable('s', { effect: 'deny', reason: 'no' })],
      shellEvent,
    )
    expect(verdict).toMatchObject({ reason: 'no (s)', notices: ['exited with code 1 (r)'] })
  })

  it.each(['cancelled', 'exhausted', 'workerLost', 'factsFailed'] as const)(
    'is never ignored when it is %s: the rule’s answer is unknown',
    (code) => {
      const failure = { code, message: 'no answer' }
      const unanswered: Evaluation = { kind: 'indeterminate', ruleId: 'r', failure, durationMs: 1 }
      expect(decisionOf(unanswered)).toMatchObject({ decision: 'deny', reason: 'no answer (r)' })
    },
  )

  it('shares its notice with others that failed in the same way', () => {
    expect(decisionOf(indeterminate('a'), indeterminate('b'), indeterminate('c', 'timed out')).notices).toEqual([
      'exited with code 1 (a, b)',
      'timed out (c)',
    ])
  })
})

describe('obligations', () => {
  const rewrite = (ruleId: string, input: Record<string, string>) =>
    applicable(ruleId, { obligations: [{ kind: 'replaceInput', input }] })

  it('of different fields are merged', () => {
    const verdict = decisionOf(
      rewrite('a', { command: 'ls -l', description: 'list' }),
      rewrite('b', { command: 'ls', description: 'list files' }),
    )
    expect(verdict.obligations).toEqual([
      { kind: 'replaceInput', input: { command: 'ls -l', description: 'list files' } },
    ])
  })

  it('with different values for one field deny the action and name both rules and the field', () => {
    const verdict = decisionOf(rewrite('a', { command: 'ls -a' }), rewrite('b', { command: 'ls -b' }))
    expect(verdict).toMatchObject({ decision: 'deny', determining: ['a', 'b'], obligations: [] })
    expect(verdict.reason).toContain('`command` (a, b)')
  })

  it('with the same change agree, and a field that both omit is removed', () => {
    const verdict = decisionOf(rewrite('a', { command: 'pwd' }), rewrite('b', { command: 'pwd' }))
    expect(verdict.obligations).toEqual([{ kind: 'replaceInput', input: { command: 'pwd' } }])
  })

  it('to stop are merged, with every reason', () => {
    const stop = (ruleId: string, reason: string) => applicable(ruleId, { obligations: [{ kind: 'stop', reason }] })
    expect(decisionOf(stop('a', 'enough'), stop('b', '')).obligations).toEqual([{ kind: 'stop', reason: 'enough (a)' }])
  })

  it('to replace the output differently deny', () => {
    const output = (ruleId: string, text: string) =>
      applicable(ruleId, { obligations: [{ kind: 'replaceOutput', output: text }] })
    expect(decisionOf(output('a', 'x'), output('b', 'y'))).toMatchObject({ decision: 'deny', determining: ['a', 'b'] })
    expect(decisionOf(output('a', 'x'), output('b', 'x')).obligations).toEqual([{ kind: 'replaceOutput', output: 'x' }])
  })

  it('to replace the input are dropped if the action is denied', () => {
    expect(decisionOf(rewrite('a', { command: 'pwd' }), applicable('b', { effect: 'deny' })).obligations).toEqual([])
  })

  it('do not confuse a field named __proto__ with a prototype', () => {
    const input = JSON.parse('{"command":"ls","description":"list","__proto__":"x"}') as Record<string, string>
    const verdict = decisionOf(rewrite('a', input))
    expect(JSON.stringify(verdict.obligations)).toContain('"__proto__":"x"')
  })
})

describe('the slowest rule', () => {
  it('is in every verdict, the first in plan order among equals', () => {
    const verdict = decisionOf(
      applicable('a', { durationMs: 3 }),
      applicable('b', { durationMs: 12.5 }),
      applicable('c', { durationMs: 12.5 }),
    )
    expect(verdict.slowest).toEqual({ ruleId: 'b', durationMs: 12.5 })
  })
})

describe('a notice', () => {
  it('names the rule that gave it', () => {
    expect(decisionOf(applicable('r', { advice: [{ kind: 'notice', text: 'look out' }] })).notices).toEqual([
      'look out (r)',
    ])
  })
})

describe('agent fields', () => {
  it('cannot be merged if one rule has a text and another a list, and the loss is reported', () => {
    const field = (ruleId: string, value: Json) =>
      applicable(ruleId, { advice: [{ kind: 'agentField', agent: 'claude-code', field: 'watchPaths', value }] })
    const verdict = decisionOf(field('a', ['x']), field('b', 'y'), field('c', ['z']))
    expect(verdict.agentFields).toEqual({ watchPaths: ['x', 'z'] })
    expect(verdict.notices).toEqual(['`watchPaths` is from a; b gave a different one'])
  })

  it('that differ are those of the first rule, and the loss is reported', () => {
    const title = (ruleId: string, value: string) =>
      applicable(ruleId, { advice: [{ kind: 'agentField', agent: 'claude-code', field: 'sessionTitle', value }] })
    const verdict = decisionOf(title('a', 'x'), title('b', 'y'), title('c', 'x'))
    expect(verdict.agentFields).toEqual({ sessionTitle: 'x' })
    expect(verdict.notices).toEqual(['`sessionTitle` is from a; b gave a different one'])
  })

  const field = (ruleId: string, agent: 'claude-code' | 'cline', value: string | string[]) =>
    applicable(ruleId, { advice: [{ kind: 'agentField', agent, field: 'watchPaths', value }] })

  it('of several rules are joined if they are lists', () => {
    const verdict = decisionOf(field('a', 'claude-code', ['x']), field('b', 'claude-code', ['y']))
    expect(verdict.agentFields).toEqual({ watchPaths: ['x', 'y'] })
  })

  it('of another agent than the calling one are left out', () => {
    expect(decisionOf(field('a', 'cline', 'x')).agentFields).toEqual({})
  })
})

const anyEvaluation = (ruleId: string): fc.Arbitrary<Evaluation> => {
  const failure = fc.record({ code: fc.constantFrom(...FailureCode.options), message: fc.string({ minLength: 1 }) })
  const durationMs = fc.double({ min: 0, max: 1e6, noNaN: true })
  const advice = fc.array(
    fc.oneof(
      fc.record({ kind: fc.constant('addContext' as const), text: fc.string({ unit: 'grapheme' }) }),
      fc.record({ kind: fc.constant('notice' as const), text: fc.string() }),
    ),
    { maxLength: 3 },
  )
  return fc.oneof(
    fc.record({ kind: fc.constant('notApplicable' as const), ruleId: fc.constant(ruleId), durationMs }),
    fc.record({ kind: fc.constant('indeterminate' as const), ruleId: fc.constant(ruleId), failure, durationMs }),
    fc.record(
      {
        kind: fc.constant('applicable' as const),
        ruleId: fc.constant(ruleId),
        effect: fc.constantFrom(...Effect.options),
        reason: fc.string(),
        obligations: fc.constant([]),
        advice,
        failure,
        durationMs,
      },
      { requiredKeys: ['kind', 'ruleId', 'obligations', 'advice', 'durationMs'] },
    ),
  )
}

const anyCase = fc.array(fc.constantFrom(...OnFailure.options), { maxLength: 6 }).chain((policies) =>
  fc.record({
    plan: fc.constant(planOf(...policies.map((onFailure, at) => ruleNamed(`rule${at}`, onFailure)))),
    evaluations: fc.tuple(...policies.map((_, at) => anyEvaluation(`rule${at}`))),
    seed: fc.integer(),
  }),
)

describe('for every plan and every set of evaluations', () => {
  it('the order in which rules answered changes nothing', () => {
    fc.assert(
      fc.property(anyCase, fc.infiniteStream(fc.nat()), ({ plan, evaluations }, random) => {
        const shuffled = evaluations
          .map((evaluation) => ({ evaluation, at: random.next().value }))
          .toSorted((a, b) => a.at - b.at)
          .map(({ evaluation }) => evaluation)
        expect(combine(plan, shuffled, shellEvent)).toEqual(combine(plan, evaluations, shellEvent))
      }),
    )
  })

  it('rules that only observe change nothing but the list of evaluations and the slowest rule', () => {
    fc.assert(
      fc.property(anyCase, anyCase, fc.array(fc.boolean()), ({ plan, evaluations }, other, before) => {
        const observing = other.plan.rules.map((rule) => ({
          ...rule,
          id: `${rule.id}-observing`,
          mode: 'observe' as const,
        }))
        const observed = other.evaluations.map((one) => ({ ...one, ruleId: `${one.ruleId}-observing` }))
        const first = observing.filter((_, at) => before[at] === true)
        const last = observing.filter((_, at) => before[at] !== true)
        const all = planOf(...first, ...plan.rules, ...last)
        const { slowest: _, evaluations: seen, ...verdict } = combine(all, [...evaluations, ...observed], shellEvent)
        const { slowest: _slowest, evaluations: enforced, ...expected } = combine(plan, evaluations, shellEvent)
        expect(verdict).toEqual(expected)
        expect(seen.filter((one) => one.observed !== true)).toEqual(enforced)
        expect(seen.filter((one) => one.observed === true)).toHaveLength(observed.length)
      }),
    )
  })

  const alwaysRefused = new Set(['cancelled', 'exhausted', 'workerLost', 'factsFailed', 'decisionLost'])

  it('no cancel is ever lost: one deny, or one failure that blocks, denies whatever the others answer', () => {
    fc.assert(
      fc.property(anyCase, ({ plan, evaluations }) => {
        const cancels = evaluations.some((evaluation, at) => {
          const blocks = plan.rules[at]?.onFailure === 'block'
          if (evaluation.kind === 'notApplicable') return false
          if (evaluation.kind === 'applicable' && evaluation.effect === 'deny') return true
          return evaluation.failure !== undefined && (blocks || alwaysRefused.has(evaluation.failure.code))
        })
        const { decision, cancel } = combine(plan, evaluations, shellEvent)
        expect([decision === 'deny', cancel]).toEqual([cancels, cancels])
      }),
    )
  })

  it('allow needs a rule that allows, and never overrides a failure that asks', () => {
    fc.assert(
      fc.property(anyCase, ({ plan, evaluations }) => {
        const { decision } = combine(plan, evaluations, shellEvent)
        if (decision !== 'allow') return
        expect(evaluations.some((one) => one.kind === 'applicable' && one.effect === 'allow')).toBe(true)
      }),
    )
  })

  it('the verdict fits its schema, names a slowest rule, and never leaves a decision without a reason', () => {
    fc.assert(
      fc.property(anyCase, ({ plan, evaluations }) => {
        const verdict = Verdict.parse(combine(plan, evaluations, shellEvent))
        expect(verdict.slowest === null).toBe(evaluations.length === 0)
        expect(verdict.reason === '').toBe(verdict.decision === 'abstain')
        expect(verdict.determining.length > 0).toBe(verdict.decision !== 'abstain')
      }),
    )
  })
})
