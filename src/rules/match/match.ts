import type { AgentName, HookEvent } from '../../model/event.ts'
import { mcpUse } from '../../tools/mcp-call.ts'
import type { Handler, Matcher, Rule } from '../../model/rule.ts'
import type { ShellFacts } from '../../model/shell.ts'
import { quoted } from '../../model/text.ts'
import type { StepBudget } from './glob.ts'
import { conditionMet, conditionSteps, isOnCommand } from './condition.ts'
import { matcherMatches, subjectsOf, takesLong, takesTool } from './matcher.ts'

export type Match = { readonly applies: true } | { readonly applies: false; readonly why: string }

/** Decides whether a rule applies to an event and, if not, why. */
export function matchRule(rule: Rule, event: HookEvent, facts?: ShellFacts): Match {
  const by = mismatchOf(rule, event) ?? (meetsCondition(rule, event, facts) ? undefined : 'condition')
  return by === undefined ? { applies: true } : { applies: false, why: reason(by, rule, event) }
}

type Mismatch = 'event' | 'trigger' | 'matcher' | 'subject'

/** Returns whether a rule matches an event by its name, trigger and matcher, regardless of its condition. */
export const ruleMatches = (rule: Rule, event: HookEvent): boolean => mismatchOf(rule, event) === undefined

/**
 * Returns whether the call also meets the rule's `if`.
 *
 * An untrusted hook will not run, so its condition is not evaluated; an untrusted policy does run, so its condition is
 * evaluated within a small budget.
 */
export function meetsCondition(
  { match: { condition }, handler, untrustedReason }: Rule,
  event: HookEvent,
  facts: ShellFacts | undefined,
  budget?: StepBudget,
): boolean {
  if (condition === undefined) return true
  if (untrustedReason === undefined) return conditionMet(condition, event, facts, budget)
  if (handler.kind === 'command' || handler.kind === 'remote') return true
  return conditionSteps(condition, event) > untrustedConditionStepsMax || conditionMet(condition, event, facts, budget)
}
/** `conditionStepsMax` for untrusted policies, of which there may be thousands. Beyond it a match is assumed. */
export const untrustedConditionStepsMax = 1e5

/** Returns whether the rule's `if` is judged on what the call's commands would do. */
export const isJudgedOnFacts = ({ match: { condition }, handler, untrustedReason }: Rule, event: HookEvent): boolean =>
  condition !== undefined &&
  (untrustedReason === undefined || (handler.kind !== 'command' && handler.kind !== 'remote')) &&
  isOnCommand(condition, event)

function mismatchOf({ match, handler, untrustedReason }: Rule, event: HookEvent): Mismatch | undefined {
  if (!match.events.includes(event.name)) return 'event'
  if (match.triggers !== undefined && !match.triggers.includes(event.trigger ?? '')) return 'trigger'
  // An untrusted rule is not worth the time: there may be thousands, and it will not run or can only tighten.
  if (untrustedReason !== undefined && takesLong(match.matcher)) return undefined
  const writtenFor = agentOf(handler)
  if (!matcherMatches(match.matcher, event, writtenFor)) return 'matcher'
  // A policy's tool filter is irrelevant to events without a tool.
  return !takesTool(event.name) || isSubject(match.subject, event, writtenFor) ? undefined : 'subject'
}

/** Returns whether a policy is about a tool: by its name, its kind, or by what a call of an MCP tool does. */
function isSubject(subject: Matcher, event: HookEvent, writtenFor: AgentName): boolean {
  if (matcherMatches(subject, event, writtenFor)) return true
  const use = event.tool && mcpUse(event.tool)
  return use !== undefined && subject.kind === 'names' && subject.names.includes(use.kind)
}

/**
 * Returns the agent whose tool names a rule uses. A policy is for every agent, and its file is in Claude Code's format.
 */
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
