import { describe, expect, it } from 'vitest'
import { encodeVerdict } from '../../../src/agents/claude-code/encode-verdict.ts'
import { support } from '../../../src/agents/claude-code/index.ts'
import type { ProtocolSupport } from '../../../src/model/dialect.ts'
import { Decision } from '../../../src/model/effect.ts'
import { EventName, type HookEvent } from '../../../src/model/event.ts'
import type { Advice, Obligation } from '../../../src/model/evaluation.ts'
import type { Verdict } from '../../../src/model/verdict.ts'
import { answerOf, applicable, failureAt, fielded, noticed } from '../../support/claude-hooks.ts'
import { claudeHookEvent } from '../../support/claude-wires.ts'
import { verdictOf } from '../../support/verdicts.ts'

const demands: readonly Obligation[] = [
  { kind: 'replaceInput', input: { command: 'ls' } },
  { kind: 'replaceOutput', output: { stdout: '***' } },
  { kind: 'stop', reason: 'enough' },
]
const subsets = demands.reduce<Obligation[][]>((all, demand) => all.flatMap((some) => [some, [...some, demand]]), [[]])

/** Yields every decision with every set of obligations, with and without context and notices. */
function* verdicts(event: HookEvent): Generator<Verdict> {
  // Without a path this event can only be refused.
  const agentFields = event.name === 'WorktreeCreate' ? { worktreePath: '/w' } : {}
  for (const decision of Decision.options) {
    for (const obligations of subsets) {
      for (const context of ['', 'for the model']) {
        for (const notices of [[], ['careful', 'slow']]) {
          const reason = decision === 'abstain' ? '' : `because (${decision})`
          yield verdictOf({ decision, reason, obligations, context, notices, agentFields })
        }
      }
    }
  }
}

/** Derives from the support table alone what must survive the round trip. */
function expected(event: HookEvent, verdict: Verdict, table: ProtocolSupport) {
  const supported = { ...table }
  // Only this depends on the decision: a replaced input is part of an allow.
  if (event.name === 'PermissionRequest' && !['allow', 'deny'].includes(verdict.decision))
    supported.replaceInput = 'asDeny'
  const unmet = verdict.obligations.filter(({ kind }) => supported[kind] === 'asDeny')
  const wanted = unmet.length > 0 ? 'deny' : verdict.decision
  const how = wanted === 'abstain' ? 'implicit' : supported[wanted]
  const effect = how === 'native' ? wanted : how === 'asDeny' ? 'deny' : undefined
  const denied = effect === 'deny'

  const advice: Advice[] = []
  if (verdict.context !== '' && supported.context === 'native' && !(denied && event.name === 'PreCompact')) {
    advice.push({ kind: 'addContext', text: verdict.context })
  }
  if (verdict.notices.length > 0 && supported.notice === 'native') advice.push(noticed('careful\nslow'))
  if (event.name === 'WorktreeCreate' && !denied) advice.push(fielded('worktreePath', '/w'))
  return {
    effect: effect === 'abstain' ? undefined : effect,
    obligations: verdict.obligations.filter(
      ({ kind }) => supported[kind] === 'native' && !(denied && kind === 'replaceInput'),
    ),
    advice,
    unexpressed:
      (how === 'unsupported' ? 1 : 0) +
      verdict.obligations.filter(({ kind }) => supported[kind] === 'unsupported').length +
      (verdict.context !== '' && supported.context === 'dropped' ? 1 : 0) +
      (verdict.context !== '' && event.name === 'PreCompact' && denied ? 1 : 0) +
      (supported.notice === 'dropped' ? verdict.notices.length : 0),
  }
}

describe.each(EventName.options)('at %s', (name) => {
  const event = claudeHookEvent(name)
  const all = [...verdicts(event)]

  it('round-trips everything in a verdict that the protocol can express', () => {
    for (const verdict of all) {
      const answer = encodeVerdict(event, verdict)
      const { effect, obligations, advice } = expected(event, verdict, support(event))
      const failure = answer.exitCode === 0 ? undefined : failureAt(answer.exitCode)
      const outcome = answerOf(event, answer.stdout, { ...answer, failure })
      const reason = outcome.kind === 'applicable' ? outcome.reason : undefined
      const again = effect === undefined ? {} : { effect, ...(reason !== undefined && { reason }) }
      const nothing = effect === undefined && obligations.length + advice.length === 0
      expect(outcome).toEqual(nothing ? { kind: 'notApplicable' } : applicable({ ...again, obligations, advice }))
      // An allowed permission request cannot carry a reason.
      const reasoned = effect !== undefined && !(name === 'PermissionRequest' && effect === 'allow')
      // A refusal because the protocol can't express an obligation must not start with the reason of an allow.
      const kept = effect === verdict.decision ? verdict.reason : ''
      expect(reasoned ? reason : kept).toContain(kept)
    }
  })

  it('names on stderr everything that the protocol can’t express', () => {
    for (const verdict of all) {
      const { stderr } = encodeVerdict(event, verdict)
      const lines = stderr.split('\n').filter((line) => line.startsWith('hookgate: '))
      expect(lines).toHaveLength(expected(event, verdict, support(event)).unexpressed)
    }
  })

  it('encodes a refusal as JSON on stdout, a reason on stderr and exit code 2; anything else exits with 0', () => {
    const [refusals, others] = [true, false].map((denied) =>
      all.filter((verdict) => (expected(event, verdict, support(event)).effect === 'deny') === denied),
    )
    for (const verdict of others ?? []) expect(encodeVerdict(event, verdict).exitCode).toBe(0)
    for (const verdict of refusals ?? []) {
      const answer = encodeVerdict(event, verdict)
      expect(answer.exitCode).toBe(2)
      expect(answer.stdout).toMatch(/^\{.+\}\n$/)
      expect(answer.stderr).toMatch(/^(?!hookgate: )\S/)
    }
  })
})
