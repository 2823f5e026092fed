import type { HookEvent } from '../model/event.ts'
import type { Rule } from '../model/rule.ts'
import { conditionMet } from './condition.ts'
import { matcherHears } from './matcher.ts'
import { quoted } from './problem.ts'
import { subjectsOf } from './subject.ts'

export type Match = { readonly applies: true } | { readonly applies: false; readonly why: string }

/** Whether a rule applies to an event and, for whoever asks, why it does not. */
export function matchRule(rule: Rule, event: HookEvent): Match {
  const by = mismatch(rule, event)
  return by === undefined ? { applies: true } : { applies: false, why: reason(by, rule, event) }
}

export const ruleApplies = (rule: Rule, event: HookEvent): boolean => mismatch(rule, event) === undefined

type Mismatch = 'event' | 'trigger' | 'matcher' | 'condition'

function mismatch({ match, handler }: Rule, event: HookEvent): Mismatch | undefined {
  if (!match.events.includes(event.name)) return 'event'
  if (match.triggers !== undefined && !match.triggers.includes(event.trigger ?? '')) return 'trigger'
  if (!matcherHears(match.matcher, event, handler.dialect)) return 'matcher'
  return match.condition === undefined || conditionMet(match.condition, event) ? undefined : 'condition'
}

function reason(by: Mismatch, { match }: Rule, event: HookEvent): string {
  switch (by) {
    case 'event':
      return `it is for ${match.spelled}`
    case 'trigger':
      return `${match.spelled} is ${event.name} only by ${(match.triggers ?? []).join(' or ')}, not by ${event.trigger ?? 'anything else'}`
    case 'matcher':
      return `its matcher ${matcherText(match.matcher)} does not match ${quoted(subjectsOf(event)?.[0] ?? '')}`
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
