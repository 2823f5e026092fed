import type { HookEvent } from '../../model/event.ts'
import type { Handler, Rule } from '../../model/rule.ts'
import type { ShellFacts } from '../../model/shell.ts'
import { quoted } from '../../model/text.ts'
import { limits } from '../../model/limits.ts'
import { conditionMet, conditionSteps } from './condition.ts'
import { matcherMatches, takesLong } from './matcher.ts'
import { subjectsOf, takesTool } from './subject.ts'

export type Match = { readonly applies: true } | { readonly applies: false; readonly why: string }

/** Whether a rule applies to an event and, where it does not, why. */
export function matchRule(rule: Rule, event: HookEvent, facts?: ShellFacts): Match {
  const by = mismatchOf(rule, event) ?? (meetsCondition(rule, event, facts) ? undefined : 'condition')
  return by === undefined ? { applies: true } : { applies: false, why: reason(by, rule, event) }
}

type Mismatch = 'event' | 'trigger' | 'matcher' | 'subject'

/** Whether a rule matches an event by its name, its trigger and its matcher, whatever its condition says. */
export const ruleMatches = (rule: Rule, event: HookEvent): boolean => mismatchOf(rule, event) === undefined

/**
 * Whether the call meets the rule's `if` as well. An untrusted hook, which will not be run, is not worth the time to find
 * out; an untrusted policy is asked, and worth no more than a little.
 */
export function meetsCondition(
  { match: { condition }, handler, untrustedReason }: Rule,
  event: HookEvent,
  facts: ShellFacts | undefined,
): boolean {
  if (condition === undefined) return true
  if (untrustedReason === undefined) return conditionMet(condition, event, facts)
  if (handler.kind === 'command') return true
  return conditionSteps(condition, event) > limits.untrustedConditionStepsMax || conditionMet(condition, event, facts)
}

function mismatchOf({ match, handler, untrustedReason }: Rule, event: HookEvent): Mismatch | undefined {
  if (!match.events.includes(event.name)) return 'event'
  if (match.triggers !== undefined && !match.triggers.includes(event.trigger ?? '')) return 'trigger'
  // It came with somebody's repository, there may be thousands of them, and it will not be run or can only tighten.
  if (untrustedReason !== undefined && takesLong(match.matcher)) return undefined
  const writtenFor = agentOf(handler)
  if (!matcherMatches(match.matcher, event, writtenFor)) return 'matcher'
  // What a policy says of tools is of no consequence where there is none.
  return !takesTool(event.name) || matcherMatches(match.subject, event, writtenFor) ? undefined : 'subject'
}

/** Whose names a rule is written with: a policy is for every agent, and its file is in Claude Code's format. */
const agentOf = (handler: Handler) => (handler.kind === 'command' ? handler.dialect : 'claude-code')

function reason(by: Mismatch | 'condition', { match }: Rule, event: HookEvent): string {
  switch (by) {
    case 'event':
      return `it is for ${match.spelled}`
    case 'trigger':
      return `${match.spelled} is ${event.name} only with the trigger ${(match.triggers ?? []).join(' or ')}, not with ${event.trigger ?? 'anything else'}`
    case 'matcher':
      return `its matcher ${matcherText(match.matcher)} does not match ${quoted(subjectsOf(event)?.[0] ?? '')}`
    case 'subject':
      return `the policy is for ${matcherText(match.subject)}, not for ${quoted(subjectsOf(event)?.[0] ?? '')}`
    case 'condition':
      return `its condition ${quoted(match.condition?.text ?? '')} is not met`
  }
}

function matcherText(matcher: Rule['match']['matcher']): string {
  switch (matcher.kind) {
    case 'any':
      return '`*`'
    case 'names':
      return quoted(matcher.names.join('|'))
    case 'pattern':
      return quoted(matcher.pattern.source)
  }
}
