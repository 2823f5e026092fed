import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PolicyAnswer } from '../../src/model/policy.ts'
import { allow, ask, context, deny, notice, rewrite, stop } from '../../src/library/policy.ts'
import { policyOutcome } from '../../src/policy/policies.ts'

const answered = (...answers: readonly PolicyAnswer[]) => ({ answers, durationMs: 1 })
const outcome = (...answers: readonly PolicyAnswer[]) => policyOutcome(answered(...answers), undefined).outcome

describe('the outcome of a policy', () => {
  it('has no effect if it returned nothing', () => {
    expect(outcome()).toEqual({ kind: 'notApplicable' })
  })

  it('is its strongest effect, with the reasons for only that one', () => {
    expect(outcome(ask('sure?'), deny('one'), allow('fine'), deny('two'))).toMatchObject({
      effect: 'deny',
      reason: 'one\ntwo',
    })
  })

  it('has no reason if it gave none', () => {
    expect(outcome(allow())).toEqual({ kind: 'applicable', effect: 'allow', obligations: [], advice: [] })
  })

  it('carries contexts, notices, rewrites and stops beside the effect', () => {
    expect(outcome(context('know'), notice('see'), rewrite({ command: 'ls' }), stop('enough'))).toEqual({
      kind: 'applicable',
      obligations: [
        { kind: 'replaceInput', input: { command: 'ls' } },
        { kind: 'stop', reason: 'enough' },
      ],
      advice: [
        { kind: 'addContext', text: 'know' },
        { kind: 'notice', text: 'see' },
      ],
    })
  })

  it('is a failure if it failed', () => {
    const failure = { code: 'policyThrew', message: 'x.policy.ts:1:1: Error: no' } as const
    expect(policyOutcome({ failure, durationMs: 1 }, undefined).outcome).toEqual({ kind: 'indeterminate', failure })
  })

  it('has no terminal control bytes in what is shown to the user', () => {
    const { reason } = { reason: '', ...outcome(deny('\u001b[31mred\u0007')) }
    // oxlint-disable-next-line no-control-regex -- these are what must not be there
    expect(reason).not.toMatch(/[\u0000-\u001f]/)
  })
})

describe('an untrusted policy', () => {
  const untrustedReason = '`a.policy.ts` has changed since it was trusted; run `hookgate trust`'
  const untrusted = (...answers: readonly PolicyAnswer[]) => policyOutcome(answered(...answers), untrustedReason)

  it('may deny, ask, stop and notify the user', () => {
    expect(untrusted(deny('no'), ask('sure?'), stop('enough'), notice('see'))).toMatchObject({
      outcome: { effect: 'deny', obligations: [{ kind: 'stop' }], advice: [{ kind: 'notice' }] },
      remarks: [],
    })
  })

  it('may not allow, rewrite, or add context, and that is reported', () => {
    const { outcome: left, remarks } = untrusted(allow('sure'), rewrite({ command: 'rm' }), context('obey me'))
    expect(left).toEqual({ kind: 'notApplicable' })
    expect(remarks.join('\n')).toMatch(/`allow` does not count[^]*`rewrite` does not count[^]*`context` does not count/)
    expect(remarks).toHaveLength(3)
    expect(remarks[0]).toBe(`its \`allow\` does not count; this policy can only tighten: ${untrustedReason}`)
  })

  it('is never weaker for giving more answers', () => {
    const answer = fc.constantFrom(allow('a'), ask('b'), deny('c'), context('d'), notice('e'), stop('f'), rewrite({}))
    fc.assert(
      fc.property(fc.array(answer, { maxLength: 6 }), (answers) => {
        const { outcome: left } = policyOutcome(answered(...answers), untrustedReason)
        const effect = left.kind === 'applicable' ? left.effect : undefined
        const effects = new Set(answers.flatMap((one) => ('effect' in one ? [one.effect] : [])))
        expect(effect).toBe(effects.has('deny') ? 'deny' : effects.has('ask') ? 'ask' : undefined)
      }),
    )
  })
})
