import { supportedPart } from '../../agents/codec/supported-verdict.ts'
import { titleOf } from '../../agents/registry.ts'
import type { ProtocolSupport } from '../../model/dialect.ts'
import { type Decision, restricts } from '../../model/effect.ts'
import type { HookEvent } from '../../model/event.ts'
import { firstLine, quoted } from '../../model/text.ts'
import type { Verdict } from '../../model/verdict.ts'

/** A decision in plain words, and the reason. */
interface Headline {
  readonly word: string
  readonly why: string
  readonly decision: Decision
}

/**
 * Sums up in one sentence the answer that the agent gets, and why.
 *
 * @param support what the agent's protocol can express at this event; without it, the verdict itself is described
 */
export function headlineOf(event: HookEvent, verdict: Verdict, support: ProtocolSupport | undefined): Headline {
  const { decision } = verdict
  const title = titleOf(event.agent)
  const told = support && supportedPart(event, verdict, support, title)
  if (told?.decision === 'deny' && decision !== 'deny') {
    const isDemand = verdict.obligations.some(({ kind }) => support?.[kind] === 'asDeny')
    const word = isDemand ? words.deny : `denied, since ${title} can't be told to ${quoted(decision)}`
    return { word, why: isDemand ? firstLine(told.reason) : reasonOf(event, verdict), decision: 'deny' }
  }
  if (told?.decision === 'abstain' && support?.[decision === 'abstain' ? 'allow' : decision] === 'unsupported') {
    return {
      word: `goes on, since ${title} can't be told to ${quoted(decision)} at ${event.name}`,
      why: reasonOf(event, verdict),
      decision: 'abstain',
    }
  }
  return { word: words[decision], why: reasonOf(event, verdict), decision }
}

/** Each decision in plain words. */
export const words: Readonly<Record<Decision, string>> = {
  deny: 'denied',
  defer: 'deferred',
  ask: 'a person is asked',
  allow: 'allowed, without the agent’s own prompt',
  abstain: 'passes',
}

/** Returns the reason of the first rule that decides, and how many others say the same. */
function reasonOf(event: HookEvent, verdict: Verdict): string {
  const { decision, determining, evaluations, reason } = verdict
  if (decision === 'abstain') {
    const observes = evaluations.some((one) => one.observed && one.kind === 'applicable' && restricts(one.effect))
    const none = observes ? 'the rules that object only observe' : 'no rule objects'
    return event.name === 'PreToolUse' ? `${none}; ${titleOf(event.agent)}’s own permissions decide` : none
  }
  const [first, ...others] = determining
  // A rule may have judged a call as it was sent and as it was rewritten.
  const own =
    evaluations.flatMap((one) =>
      one.ruleId === first && one.kind === 'applicable' && one.effect === decision ? [firstLine(one.reason ?? '')] : [],
    )[0] ?? ''
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`
  return `${own === '' ? firstLine(reason) : own}${more}`
}
