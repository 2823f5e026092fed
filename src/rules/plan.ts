import { stricter } from '../model/effect.ts'
import type { AgentName, HookEvent } from '../model/event.ts'
import { type Handler, type Matcher, Plan, type Program, type Rule, type RuleSet } from '../model/rule.ts'
import { limits } from '../model/limits.ts'
import { mcpUse } from '../tools/mcp-call.ts'
import type { ShellFacts } from '../model/shell.ts'
import { stepBudget, type StepBudget } from './match/glob.ts'
import { quoted } from '../model/text.ts'
import { conditionMet, conditionSteps, isOnCommand } from './match/condition.ts'
import { matcherMatches, subjectsOf, takesLong, takesTool } from './match/matcher.ts'

const emptyPlan = new Plan([])

/**
 * Returns the rules that apply to an event, in the order of their sources. Copies of one hook run once.
 *
 * An event that no rule matches costs about a microsecond: most events of a session are of this kind. Events with the
 * same key share one frozen plan if none of the matched rules has an `if`.
 *
 * @param facts what a shell call would run, required where `needsShellFacts` returns true; without them every `if` on
 * commands counts as met
 */
export function planFor(event: HookEvent, ruleSet: RuleSet, facts?: ShellFacts): Plan {
  const { rules, plan } = matchRules(event, ruleSet)
  if (plan !== undefined) return plan
  const budget = stepBudget()
  return planOf(
    rules.filter((rule) => meetsCondition(rule, event, facts, budget)),
    oneFolderOf(event),
    ruleSet.prepared(newHandlerKeys),
  )
}

/** Returns whether planning needs the event's shell facts, i.e. whether the `if` of a matched rule is judged on them. */
export function needsShellFacts(event: HookEvent, ruleSet: RuleSet): boolean {
  if (!ruleSet.prepared(hasConditions)) return false
  const { rules, plan } = matchRules(event, ruleSet)
  return plan === undefined && rules.some((rule) => isJudgedOnFacts(rule, event))
}

/** Returns whether any rule has an `if`. */
const hasConditions = ({ rules }: RuleSet): boolean => rules.some(({ match }) => match.condition !== undefined)

/** Returns the working directory if it is also the project's root, so that hooks have a single folder to run in. */
function oneFolderOf({ session: { cwd }, workspaceRoots: [root = cwd] }: HookEvent): string | undefined {
  return root === cwd ? root : undefined
}

function planOf(rules: readonly Rule[], folder: string | undefined, keys: HandlerKeys): Plan {
  if (rules.length === 0) return emptyPlan
  const once: Rule[] = []
  const indexOf = new Map<string, number>()
  for (const rule of rules) {
    const key = hookKey(rule, folder, keys)
    const index = indexOf.get(key)
    const earlier = index === undefined ? undefined : once[index]
    if (index !== undefined && earlier !== undefined) once[index] = onceFor(earlier, rule)
    else indexOf.set(key, once.push(rule) - 1)
  }
  return new Plan(once)
}

/** The rules that match an event, conditions aside, and the finished plan if none of them has a condition. */
interface MatchedRules {
  readonly rules: readonly Rule[]
  readonly plan: Plan | undefined
}

const newMatches = () => new Map<string, MatchedRules>()
const noMatch: MatchedRules = Object.freeze({ rules: Object.freeze([]), plan: emptyPlan })

/**
 * Finds the rules that match an event, and caches the result for up to `limits.matchesCachedMax` keys.
 *
 * The match depends only on a few fields of the event, whose values repeat within a session.
 */
function matchRules(event: HookEvent, ruleSet: RuleSet): MatchedRules {
  const rulesOfEvent = ruleSet.byEvent.get(event.name)
  if (rulesOfEvent === undefined) return noMatch
  const { name, agent, trigger, tool } = event
  const folder = oneFolderOf(event)
  const use = tool && mcpUse(tool)
  const key = `${name}\0${agent}\0${tool?.kind ?? ''}\0${use?.kind ?? ''}\0${tool?.name ?? ''}\0${trigger ?? ''}\0${folder ?? ''}`
  const known = ruleSet.prepared(newMatches)
  const found =
    known.get(key) ??
    matchedBy(
      rulesOfEvent.filter((rule) => ruleMatches(rule, event)),
      folder,
      ruleSet.prepared(newHandlerKeys),
    )
  const isCacheable = known.size < limits.matchesCachedMax && key.length <= limits.cacheKeyCharactersMax
  if (isCacheable) known.set(key, found)
  return found
}

function matchedBy(rules: readonly Rule[], folder: string | undefined, keys: HandlerKeys): MatchedRules {
  const conditional = rules.some(({ match }) => match.condition !== undefined)
  return { rules, plan: conditional ? undefined : planOf(rules, folder, keys) }
}

/**
 * Returns a key that is equal for two rules that are the same hook.
 *
 * As in Claude Code, a hook is identified by its command, arguments and `if`; a plugin's root is part of it.
 *
 * @param folder the working directory if it is also the project's root, otherwise `undefined`
 */
function hookKey(rule: Rule, folder: string | undefined, keys: HandlerKeys): string {
  return JSON.stringify([handlerKey(rule.handler, keys), placeOf(rule, folder), rule.match.condition?.text])
}

/**
 * Returns the folder that distinguishes copies of a command.
 *
 * INVARIANT: one command in two places is two hooks. The `./guard.sh` of each workspace is a file of its own, and so is
 * the value of `$CLAUDE_PROJECT_DIR`. A rule of no workspace runs in the agent's working directory.
 */
function placeOf({ handler, source }: Rule, folder: string | undefined): string | undefined {
  // Each list of permissions starts from its own file's folder.
  if (handler.kind === 'builtin' || handler.kind === 'remote') return source.id
  // A policy has no working directory, and a script is the same file wherever it runs.
  if (handler.kind === 'policy' || handler.program.form === 'script') return undefined
  return source.workspaceRoot ?? folder
}

/** The keys of a rule set's handlers, made once: a plan that depends on conditions is rebuilt for each event. */
type HandlerKeys = Map<Handler, string>
const newHandlerKeys = (): HandlerKeys => new Map()

function handlerKey(handler: Handler, keys: HandlerKeys): string {
  const known = keys.get(handler)
  if (known !== undefined) return known
  const key = JSON.stringify(handlerParts(handler), inOrder)
  keys.set(handler, key)
  return key
}

function handlerParts(handler: Handler): readonly unknown[] {
  switch (handler.kind) {
    case 'command':
      return [...programParts(handler.program), handler.dialect, handler.env]
    case 'policy':
      return [handler.kind, handler.file, handler.params]
    case 'builtin':
      return [handler.kind, handler.builtin]
    case 'remote':
      return [handler.kind, handler.server, handler.asks]
  }
}

function programParts(program: Program): readonly unknown[] {
  switch (program.form) {
    case 'shell':
      return [program.form, program.command, program.shell]
    case 'exec':
      return [program.form, program.file, program.args]
    case 'script':
      return [program.form, program.file]
  }
}

/** Sorts keys for `JSON.stringify`, since the order of params and variables does not matter. */
function inOrder(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/**
 * Merges two copies of one hook into one rule, in the place of the earlier.
 *
 * INVARIANT: a copy never loosens the other. The stricter `onFailure` wins, the hook is awaited if either copy is, its
 * answer counts if that of either copy does, and a trusted copy replaces an untrusted one, never the reverse.
 */
function onceFor(earlier: Rule, later: Rule): Rule {
  const kept = earlier.untrustedReason !== undefined && later.untrustedReason === undefined ? later : earlier
  const onFailure = stricter(earlier.onFailure, later.onFailure)
  const handler = waitedFor(kept.handler, [earlier.handler, later.handler])
  const mode = earlier.mode === 'enforce' ? earlier.mode : later.mode
  if (kept.onFailure === onFailure && kept.handler === handler && kept.mode === mode) return kept
  return Object.freeze({ ...kept, onFailure, handler, mode })
}

const isUnawaited = (handler: Handler) => (handler.kind === 'command' ? handler.async : false)

function waitedFor(kept: Handler, copies: readonly Handler[]): Handler {
  if (kept.kind !== 'command' || kept.async === copies.every(isUnawaited)) return kept
  return Object.freeze({ ...kept, async: false })
}

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
function meetsCondition(
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
const isJudgedOnFacts = ({ match: { condition }, handler, untrustedReason }: Rule, event: HookEvent): boolean =>
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
