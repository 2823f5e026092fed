import { pastLimits } from '../model/past-limits.ts'
import { turn } from '../files/turns.ts'
import { errorText } from '../model/errors.ts'
import { isBelow } from '../words/machine-paths.ts'
import { encodeInput } from './sandbox/encoded-input.ts'
import type { HookEvent } from '../model/event.ts'
import {
  type Advice,
  type Evaluation,
  indeterminate,
  missingFact,
  notApplicable,
  type Obligation,
  type Outcome,
} from '../model/evaluation.ts'
import type { Failure } from '../model/failure.ts'
import type { Json, JsonObject } from '../model/json.ts'
import { PolicyCalls } from '../model/policy-interest.ts'
import { Preparing } from '../model/lazy.ts'
import { mcpUse } from '../tools/mcp-call.ts'
import type { FactRequest, FactValue, PolicyAnswer, PolicyCall, PolicyRequest, PolicyResult } from '../model/policy.ts'
import { policyInput } from './policy-input.ts'
import type { PolicyRule } from '../model/rule.ts'
import type { ToolFacts } from '../model/tool-facts.ts'
import { sentState, type StateReading, type PastView, uncounted } from '../past/past.ts'
import { indexInterests, interestedIn, type InterestIndex } from './interest.ts'
import { Effect } from '../model/effect.ts'
import { sayable } from '../model/text.ts'

/** The operations that evaluating policies depends on. */
export interface PolicyDependencies {
  readonly evaluate: (request: PolicyRequest, signal?: AbortSignal) => Promise<readonly PolicyResult[]>
  readonly gatherFacts: (requests: readonly FactRequest[]) => Promise<readonly FactValue[]>
  /** Finds what the event's tool call would do. */
  readonly toolFacts: (event: HookEvent) => Promise<ToolFacts>
  /** Adds to them which of the call's commands only look. */
  readonly withHarmless: (found: ToolFacts, event: HookEvent) => Promise<ToolFacts>
  readonly signal: AbortSignal | undefined
  /** What happened before the event, or why that cannot be read; absent where no rule asks. */
  readonly view?: PastView | string | undefined
}

/** Policies that apply to one kind of event, with all that is derived from them alone. */
export class PolicyList extends Preparing {
  readonly rules: readonly PolicyRule[]
  constructor(rules: readonly PolicyRule[]) {
    super()
    this.rules = rules
  }
}

/** Evaluates all policies that apply to an event: gathers their facts together, and asks the sandbox once for all. */
export async function evaluatePolicies(
  list: PolicyList,
  event: HookEvent,
  dependencies: PolicyDependencies,
): Promise<readonly Evaluation[]> {
  const { rules } = list
  if (rules.length === 0) return []
  const needsToolFacts = event.tool !== undefined && !list.prepared(policyDataOf).ignoresToolFacts
  const found = needsToolFacts ? await factsOrFailure(event, dependencies) : undefined
  if (found !== undefined && 'failure' in found)
    return rules.map((rule) => evaluationOf(rule, event, { ...found, durationMs: 0 }, []))
  const chosen = found === undefined ? undefined : chosenFor(list, found, event.tool?.kind === 'shell')
  if (chosen === undefined) return evaluateAll(list, event, found, dependencies)
  const all = [...list.prepared(silencesOf)]
  for (const [place, evaluation] of (await evaluateAll(chosen.list, event, found, dependencies)).entries())
    all[chosen.members[place] ?? -1] = evaluation
  return all
}

/** Evaluates policies, whether or not they are interested in the call. @param found what it would do, if there is one */
export async function evaluateAll(
  list: PolicyList,
  event: HookEvent,
  found: ToolFacts | undefined,
  dependencies: PolicyDependencies,
): Promise<readonly Evaluation[]> {
  const { rules } = list
  if (rules.length === 0) return []
  const { names, isFactless, asksForHarmless } = list.prepared(policyDataOf)
  const values = isFactless ? noFacts : await factsFor(rules, event, found, dependencies)
  if ('failure' in values) return rules.map((rule) => evaluationOf(rule, event, { ...values, durationMs: 0 }, []))
  await turn()
  const told = found !== undefined && asksForHarmless ? await dependencies.withHarmless(found, event) : found
  const results = await resultsFor(list, event, values, told, dependencies)
  let first = 0
  return rules.map((rule, index) => {
    const own = names[index] ?? []
    const unknown = own.length === 0 ? noRemarks : unknownFacts(own, values.slice(first, (first += own.length)))
    return evaluationOf(rule, event, results[index] ?? unanswered, unknown)
  })
}

/** Looks up all declared facts of all rules, in rule order. */
async function factsFor(
  rules: readonly PolicyRule[],
  event: HookEvent,
  found: ToolFacts | undefined,
  { gatherFacts }: PolicyDependencies,
): Promise<readonly FactValue[] | { readonly failure: Failure }> {
  const requests = factRequestsOf(rules, event)
  const values = await gatherFacts(requests)
  if (!requests.some(isAboutOutput)) return values
  try {
    const { hiddenSecrets } = await import('./hidden-secrets.ts')
    const value = await hiddenSecrets(event.result, event.tool?.command, found, gatherFacts)
    return values.map((one, at) => (isAboutOutput(requests[at]) ? { value } : one))
  } catch (error) {
    const message = `it was not evaluated: the secrets of the output cannot be found (${errorText(error)})`
    return { failure: { code: 'factsFailed', message } }
  }
}
const isAboutOutput = (request: FactRequest | undefined): boolean =>
  request !== undefined && 'hiddenSecrets' in request.declaration

/** Evaluates policies with the values of their states, and keeps what their own `reduce` has made. */
async function resultsFor(
  list: PolicyList,
  event: HookEvent,
  facts: readonly FactValue[],
  found: ToolFacts | undefined,
  { evaluate, signal, view }: PolicyDependencies,
): Promise<readonly PolicyResult[]> {
  if (list.prepared(policyDataOf).isStateless) return evaluate(requestFor(list, event, facts, noStates, found), signal)
  for (;;) {
    const states = list.rules.map((rule) => statesOf(rule, view))
    // oxlint-disable-next-line no-await-in-loop -- once, unless a `reduce` has missed hundreds of steps
    const results = await evaluate(requestFor(list, event, facts, states, found), signal)
    const lags = list.rules.some((_, at) => keepReduced(states[at], results[at]) === 'lags')
    if (!lags) return results.map((result, at) => (states[at] === 'unreadable' ? unreadableFor(view) : result))
  }
}

/** The values of a rule's states by name. */
type States = ReadonlyMap<string, StateReading> | 'unreadable'

const noStates: readonly States[] = []

function statesOf({ id: rule, handler: { state, digest } }: PolicyRule, view: PolicyDependencies['view']): States {
  const declared = Object.entries(state)
  if (declared.length === 0) return new Map()
  // INVARIANT: what cannot be read is a failure, never a past in which nothing happened.
  if (view === undefined || typeof view === 'string') return 'unreadable'
  return new Map(declared.map(([name, declaration]) => [name, view.read({ rule, name, declaration, code: digest })]))
}

const unreadableFor = (view: PolicyDependencies['view']): PolicyResult => ({
  failure: { code: 'pastUnreadable', message: uncounted('this policy', view) },
  durationMs: 0,
})

/** Keeps the states that a policy's own `reduce` has made. @returns `lags` if there are more steps for it */
function keepReduced(states: States | undefined, result: PolicyResult | undefined): 'lags' | 'done' {
  if (states === undefined || states === 'unreadable' || result === undefined || 'failure' in result) return 'done'
  const made: JsonObject = result.state ?? {}
  let isDone = true
  for (const [name, reading] of states) {
    const state = made[name]
    if (reading.kind === 'value' || state === undefined) continue
    reading.keep(state)
    if (reading.steps.length >= pastLimits.stepsReducedAtOnceMax) isDone = false
  }
  return isDone ? 'done' : 'lags'
}

/** The rules whose policies are interested in a tool call. */
interface Chosen {
  readonly list: PolicyList
  /** The place of each in the whole list. */
  readonly members: readonly number[]
}

/** What choosing among policies needs. */
interface Choosing {
  readonly index: InterestIndex
  /** The choices made so far, by their members. */
  readonly choices: Map<string, Chosen>
}

const choosingOf = ({ rules }: PolicyList): Choosing => ({
  index: indexInterests(rules.map(({ handler }) => handler)),
  choices: new Map(),
})

/** Returns the rules that are interested in a tool call; `undefined`: all. Equal choices are one object. */
function chosenFor(list: PolicyList, found: ToolFacts, isShell: boolean): Chosen | undefined {
  const { index, choices } = list.prepared(choosingOf)
  const members = interestedIn(found, index, isShell)
  if (members === undefined) return undefined
  const key = members.join()
  const known = choices.get(key)
  if (known !== undefined) return known
  const chosen: Chosen = {
    list: new PolicyList(members.flatMap((member) => list.rules[member] ?? [])),
    members,
  }
  if (choices.size >= interestChoicesMax) choices.clear()
  choices.set(key, chosen)
  return chosen
}
/** Cached choices of the policies interested in a command: a session repeats some dozens. Each holds a request. */
export const interestChoicesMax = 500

/** INVARIANT: a call whose facts cannot be determined is a failure, never a call without commands and paths. */
export async function factsOrFailure(
  event: HookEvent,
  { toolFacts }: Pick<PolicyDependencies, 'toolFacts'>,
): Promise<ToolFacts | { readonly failure: Failure }> {
  try {
    return await toolFacts(event)
  } catch (error) {
    const message = `it was not evaluated: what the tool call would do cannot be determined (${errorText(error)})`
    return { failure: { code: 'factsFailed', message } }
  }
}

/** What is derived from policies alone. */
interface PolicyData {
  /** The names of each rule's facts. */
  readonly names: readonly (readonly string[])[]
  readonly isFactless: boolean
  readonly isStateless: boolean
  readonly ignoresToolFacts: boolean
  /** Whether one of them is told which commands only look. */
  readonly asksForHarmless: boolean
  readonly isTrusted: boolean
  /** The calls for an event without facts. */
  readonly calls: PolicyCalls
  /** Each rule's params as JSON: they come from the rule, not from the event. */
  readonly params: readonly string[]
}

function policyDataOf({ rules }: PolicyList): PolicyData {
  const names = rules.map(({ handler }) => Object.keys(handler.facts))
  const params = rules.map(({ handler }) => JSON.stringify(handler.params))
  return {
    names,
    params,
    isFactless: names.every((own) => own.length === 0),
    isStateless: rules.every(({ handler }) => Object.keys(handler.state).length === 0),
    ignoresToolFacts: rules.every(
      ({ handler }) => handler.ignoresToolFacts && !Object.values(handler.facts).some((one) => 'hiddenSecrets' in one),
    ),
    asksForHarmless: rules.some(({ handler }) => handler.interest?.harmless === true),
    isTrusted: rules.every(({ untrustedReason }) => untrustedReason === undefined),
    calls: callsOf(rules, names, params, [], []),
  }
}

const noFacts: readonly FactValue[] = []
const noRemarks: readonly string[] = []

const unanswered: PolicyResult = {
  failure: { code: 'workerLost', message: 'the sandbox did not answer for this policy' },
  durationMs: 0,
}

/** Returns for each rule that its policy was not asked: nearly all of them, of most calls. */
const silencesOf = ({ rules }: PolicyList): readonly Evaluation[] =>
  rules.map(({ id: ruleId, handler: { severity } }) =>
    Object.freeze({ ...notApplicable, ruleId, durationMs: 0, ...(severity !== undefined && { severity }) }),
  )

function evaluationOf(
  rule: PolicyRule,
  event: HookEvent,
  result: PolicyResult,
  unknown: readonly string[],
): Evaluation {
  const { outcome, remarks } = policyOutcome(result, rule.untrustedReason, doubtOf(rule, event))
  const { id: ruleId, handler } = rule
  const { durationMs } = result
  const { severity } = handler
  const measured =
    severity === undefined ? { ...outcome, ruleId, durationMs } : { ...outcome, ruleId, durationMs, severity }
  if (unknown.length === 0 && remarks.length === 0) return measured
  return { ...measured, remarks: [...unknown, ...remarks] }
}

/**
 * Returns why a policy may not be about a call: it is, only because of what the call's input looks like.
 *
 * The names of such a tool and of its fields are its author's choice, and must not get it allowed.
 */
function doubtOf({ match: { subject } }: PolicyRule, { tool }: HookEvent): string | undefined {
  if (tool === undefined || (!tool.inferred && mcpUse(tool) === undefined)) return undefined
  const isNamed = subject.kind !== 'names' || subject.names.includes('mcp') || subject.names.includes(tool.name)
  return isNamed && !tool.inferred ? undefined : 'what this tool does is only inferred from its input'
}

/** Returns requests for all declared facts of all rules, in rule order. */
export function factRequestsOf(rules: readonly PolicyRule[], event: HookEvent): readonly FactRequest[] {
  return rules.flatMap((rule) =>
    Object.values(rule.handler.facts).map((declaration) => ({
      declaration,
      root: rootFor(rule, event),
      trusted: rule.untrustedReason === undefined,
    })),
  )
}

/** Returns the root for a rule's facts: its own workspace, else the root nearest to the file that the call touches. */
function rootFor({ source }: PolicyRule, { workspaceRoots, tool, session }: HookEvent): string {
  const path = tool?.path
  const around = workspaceRoots.filter((root) => path !== undefined && isBelow(path, root))
  // One root may lie in another: the longest is the nearest.
  const [touched] = around.toSorted((a, b) => b.length - a.length)
  return source.workspaceRoot ?? touched ?? workspaceRoots[0] ?? session.cwd
}

function unknownFacts(names: readonly string[], values: readonly FactValue[]): readonly string[] {
  return values.flatMap((value, index) => ('missing' in value ? [missingFact(names[index] ?? '', value.missing)] : []))
}

function requestFor(
  list: PolicyList,
  event: HookEvent,
  facts: readonly FactValue[],
  states: readonly States[],
  found: ToolFacts | undefined,
): PolicyRequest {
  const values: Json[] = []
  const placeOf = (value: Json | undefined) => (value === undefined ? -1 : values.push(value) - 1)
  const places = facts.map((fact) => placeOf('value' in fact ? fact.value : undefined))
  const statePlaces = states.map((own) =>
    own === 'unreadable' ? [] : [...own.values()].map((one) => placeOf(sentState(one))),
  )
  const { names, params, calls, isTrusted } = list.prepared(policyDataOf)
  const isBare = places.length === 0 && states.length === 0
  const asked = isBare ? calls : callsOf(list.rules, names, params, places, statePlaces)
  return { calls: asked, input: encodeInput(policyInput(event, found)), atMs: event.atMs, values, isTrusted }
}

function callsOf(
  rules: readonly PolicyRule[],
  names: readonly (readonly string[])[],
  params: readonly string[],
  places: readonly number[],
  statePlaces: readonly (readonly number[])[],
): PolicyCalls {
  let first = 0
  const all = rules.map(({ handler }, index): PolicyCall => {
    const own = places.slice(first, (first += names[index]?.length ?? 0))
    const facts = [...own, ...(statePlaces[index] ?? [])]
    return { domain: handler.domain, policy: handler.index, facts, params: params[index] ?? '{}' }
  })
  return new PolicyCalls(all)
}

/** The outcome of a policy's answers, with remarks on the answers that were dropped. */
interface CombinedOutcome {
  readonly outcome: Outcome
  readonly remarks: readonly string[]
}

/**
 * Combines a policy's answers: its strongest effect with that effect's reasons, and all obligations and advice.
 *
 * @param untrustedReason why the policy is untrusted, and the remedy; `undefined` if it is trusted
 *
 * @param doubt why the policy may not be about the call at all; `undefined` if it is
 *
 * INVARIANT: an untrusted policy may only tighten. Answers that would loosen or steer (`allow`, a rewrite, context for
 * the model) are dropped, with a remark. A policy that may not be about the call allows nothing.
 */
export function policyOutcome(
  result: PolicyResult,
  untrustedReason: string | undefined,
  doubt?: string,
): CombinedOutcome {
  if ('failure' in result) return { outcome: indeterminate(result.failure), remarks: [] }
  const { answers } = result
  if (answers.length === 0) return noAnswers
  const trusted = untrustedReason === undefined ? answers : answers.filter(onlyTightens)
  const kept = doubt === undefined ? trusted : trusted.filter((answer) => !allows(answer))
  const remarks = [
    ...(untrustedReason === undefined || trusted.length === answers.length ? [] : dropped(answers, untrustedReason)),
    ...(doubt === undefined || kept.length === trusted.length ? [] : [`its \`allow\` does not count: ${doubt}`]),
  ]
  return { outcome: kept.length === 0 ? notApplicable : answersOutcome(kept), remarks }
}

const noAnswers: CombinedOutcome = Object.freeze({ outcome: notApplicable, remarks: [] })

function answersOutcome(answers: readonly PolicyAnswer[]): Outcome {
  const effect = Effect.options.find((one) => answers.some((answer) => 'effect' in answer && answer.effect === one))
  const deciding = answers.flatMap((answer) => ('effect' in answer && answer.effect === effect ? [answer] : []))
  // What a policy has hidden, if it decides nothing.
  const replacing = answers.flatMap((answer) => ('replaceOutput' in answer ? [answer] : []))
  const reasons = (effect === undefined ? replacing : deciding).flatMap(({ reason }) => reason ?? [])
  const commands = deciding.flatMap(({ at }) => at ?? [])
  return {
    kind: 'applicable',
    ...(effect !== undefined && { effect }),
    ...(reasons.length > 0 && { reason: sayable(reasons.join('\n')) }),
    ...(commands.length > 0 && { commands: [...new Set(commands)] }),
    obligations: answers.flatMap(obligationsOf),
    advice: answers.flatMap(adviceOf),
  }
}

function obligationsOf(answer: PolicyAnswer): readonly Obligation[] {
  if ('rewrite' in answer) return [{ kind: 'replaceInput', input: answer.rewrite }]
  if ('replaceOutput' in answer) return [{ kind: 'replaceOutput', output: answer.replaceOutput }]
  if ('stop' in answer) return [{ kind: 'stop', reason: sayable(answer.stop) }]
  return []
}

function adviceOf(answer: PolicyAnswer): readonly Advice[] {
  if ('context' in answer) return [{ kind: 'addContext', text: answer.context }]
  if ('notice' in answer) return [{ kind: 'notice', text: sayable(answer.notice) }]
  return []
}

const allows = (answer: PolicyAnswer): boolean => 'effect' in answer && answer.effect === 'allow'

function onlyTightens(answer: PolicyAnswer): boolean {
  return 'effect' in answer ? !allows(answer) : 'notice' in answer || 'stop' in answer
}

function dropped(answers: readonly PolicyAnswer[], untrustedReason: string): readonly string[] {
  const kinds = answers
    .filter((answer) => !onlyTightens(answer))
    .map((answer) => ('effect' in answer ? answer.effect : (Object.keys(answer)[0] ?? '')))
  return [...new Set(kinds)].map(
    (kind) => `its \`${kind}\` does not count; this policy can only tighten: ${untrustedReason}`,
  )
}
