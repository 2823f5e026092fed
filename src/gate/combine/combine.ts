import { isDeepStrictEqual } from 'node:util'
import { type Decision, Severity, stronger } from '../../model/effect.ts'
import { errorText, HookgateError } from '../../model/errors.ts'
import type { Evaluation, Obligation } from '../../model/evaluation.ts'
import type { HookEvent } from '../../model/event.ts'
import type { Json, JsonObject } from '../../model/json.ts'
import type { Plan, Rule } from '../../model/rule.ts'
import type { ShellFacts } from '../../model/shell.ts'
import { abstention, cutMarker, type Verdict } from '../../model/verdict.ts'
import { withheldOutput, withheldText } from '../../mask/withhold.ts'
import { sayable } from '../../model/text.ts'
import { nameCommands } from './rewritten.ts'
import { failureOf, onFailureAt, ownReason, reasonOf, weigh } from './weigh.ts'

/**
 * Combines the evaluations of a plan into one verdict: any cancel wins, `deny > defer > ask > allow > abstain`, and a
 * failed rule is handled according to its `onFailure`.
 *
 * INVARIANT: pure, and independent of the order of `evaluations`: contexts stand in the plan's order, and so do reasons,
 * the most severe first. Rules that only observe change nothing but the lists of evaluations and the slowest rule.
 *
 * @param alarms problems of the rules themselves, which become the first notices of every verdict
 * @param shell with it, a reason names the part of a shell call that it is about
 */
export function combine(
  plan: Plan,
  evaluations: readonly Evaluation[],
  event: HookEvent,
  alarms: readonly string[] = [],
  shell?: ShellFacts,
): Verdict {
  if (plan.rules.length === 0)
    return alarms.length === 0 ? abstention : Object.freeze({ ...abstention, notices: alarms })
  const all = inPlanOrder(plan, evaluations)
  // Most rules are not about a call: they are looked at once.
  const answers = all.filter(({ rule, evaluation }) => rule.mode === 'enforce' && evaluation.kind !== 'notApplicable')
  if (answers.length === 0) return abstainVerdict(all, alarms)
  const { obligations, conflicts } = mergeObligations(event, evaluationsOf(answers))

  let decision: Decision = conflicts.length > 0 ? 'deny' : 'abstain'
  for (const { rule, evaluation } of answers)
    decision = stronger(decision, weigh(evaluation, onFailureAt(event.name, rule, evaluation)))
  const determining = decision === 'abstain' ? [] : gravestFirst(answers.filter(determines(decision, event)))
  const reasons = [
    ...sayingAlike(determining, decision, event).map(([{ rule, evaluation }, ...alike]) => {
      const others = alike.map((one) => one.evaluation)
      const reason = reasonOf(evaluation, decision, onFailureAt(event.name, rule, evaluation), others)
      return decision === 'allow' ? reason : nameCommands(reason, evaluation, event, shell)
    }),
    ...conflicts.map(({ reason, ruleIds }) => `${reason} (${ruleIds.join(', ')})`),
  ]
  const failed = determining.filter(
    ({ rule, evaluation }) => ownReason(evaluation, decision) === undefined && rule.mode === 'enforce',
  )
  const { context, truncatedBytes } = joinContexts(
    answers.flatMap(({ evaluation }) => adviceTexts(evaluation, 'addContext')),
  )
  const { agentFields, lost } = agentFieldsOf(answers, event)

  return Object.freeze({
    decision,
    cancel: decision === 'deny',
    // A rule may object to a call as it was sent and as it was rewritten, in the same words.
    reason: unique(reasons).join('\n'),
    context,
    contextTruncatedBytes: truncatedBytes,
    determining: unique([...determining.map(({ rule }) => rule.id), ...conflicts.flatMap(({ ruleIds }) => ruleIds)]),
    slowest: slowestOf(all),
    // A refused action has no input to replace.
    obligations:
      decision === 'deny'
        ? withholding(event, obligations, failed.length > 0 || conflicts.length > 0, reasons)
        : obligations,
    notices: [...alarms, ...notices(answers), ...failureNotices(answers, determining, decision), ...lost],
    agentFields,
    evaluations: evaluationsOf(all),
  })
}

/**
 * Returns what has to be carried out where an event is refused. Has the output of a call withheld if a rule has failed
 * that might have hidden something in it.
 */
function withholding(
  { result }: HookEvent,
  obligations: readonly Obligation[],
  isUndecided: boolean,
  reasons: readonly string[],
): readonly Obligation[] {
  const kept = obligations.filter(({ kind }) => kind !== 'replaceInput')
  if (result?.output === undefined || !isUndecided) return kept
  const output = withheldOutput(result.output, withheldText(sayable(reasons[0] ?? '')))
  return [...kept.filter(({ kind }) => kind !== 'replaceOutput'), { kind: 'replaceOutput', output }]
}

interface RuleAnswer {
  readonly rule: Rule
  readonly evaluation: Evaluation
}

/** Fast path for most events of a session: every rule ran, and none that counts has an opinion. */
function abstainVerdict(answers: readonly RuleAnswer[], alarms: readonly string[]): Verdict {
  return Object.freeze({
    ...abstention,
    slowest: slowestOf(answers),
    notices: alarms,
    evaluations: evaluationsOf(answers),
  })
}

/** Groups evaluations by rule: a rule that ran several times for one event (once for each file) has several, in order. */
function inPlanOrder(plan: Plan, evaluations: readonly Evaluation[]): readonly RuleAnswer[] {
  const answers = pairs(plan.rules, evaluations)
  if (answers !== undefined) return answers
  const byRule = Map.groupBy(evaluations, ({ ruleId }) => ruleId)
  return plan.rules.flatMap((rule) => byRule.get(rule.id)?.map((evaluation) => ({ rule, evaluation })) ?? [])
}

/** Returns the evaluations unchanged if each rule has exactly one, in plan order, as is usual; else `undefined`. */
function pairs(rules: readonly Rule[], evaluations: readonly Evaluation[]): readonly RuleAnswer[] | undefined {
  if (rules.length !== evaluations.length) return undefined
  const answers: RuleAnswer[] = []
  for (const [at, rule] of rules.entries()) {
    const evaluation = evaluations[at]
    if (evaluation?.ruleId !== rule.id) return undefined
    answers.push({ rule, evaluation })
  }
  return answers
}

const evaluationsOf = (answers: readonly RuleAnswer[]): readonly Evaluation[] =>
  answers.map(({ rule, evaluation }) => (rule.mode === 'observe' ? { ...evaluation, observed: true } : evaluation))

const determines =
  (decision: Decision, event: HookEvent) =>
  ({ rule, evaluation }: RuleAnswer): boolean =>
    weigh(evaluation, onFailureAt(event.name, rule, evaluation)) === decision

/**
 * Puts the most severe answer first, which is the one that explains a decision to a person. Answers without a severity,
 * as of hooks and of self-protection, count as high. Among equals the plan's order holds, in which self-protection is
 * first: what ends the gate is said before all but what is critical in itself, as to delete the home.
 */
function gravestFirst(answers: readonly RuleAnswer[]): readonly RuleAnswer[] {
  const rank = ({ evaluation }: RuleAnswer) => Severity.options.indexOf(evaluation.severity ?? 'high')
  return answers.toSorted((one, other) => rank(other) - rank(one))
}

const commandsOf = (evaluation: Evaluation) => (evaluation.kind === 'applicable' ? (evaluation.commands ?? []) : [])

function unique(ids: readonly string[]): readonly string[] {
  return [...new Set(ids)]
}

/** Of equally slow rules, the first in plan order counts. */
function slowestOf(answers: readonly RuleAnswer[]): Verdict['slowest'] {
  let slowest: Evaluation | undefined
  for (const { evaluation } of answers) {
    if (slowest === undefined || evaluation.durationMs > slowest.durationMs) slowest = evaluation
  }
  return slowest === undefined ? null : { ruleId: slowest.ruleId, durationMs: slowest.durationMs }
}

function adviceTexts(evaluation: Evaluation, kind: 'addContext' | 'notice'): readonly string[] {
  if (evaluation.kind !== 'applicable') return []
  return evaluation.advice.flatMap((advice) => (advice.kind === kind ? [advice.text] : []))
}

function notices(answers: readonly RuleAnswer[]): readonly string[] {
  return answers.flatMap(({ rule, evaluation }) =>
    adviceTexts(evaluation, 'notice').map((text) => `${text} (${rule.id})`),
  )
}

/** Puts together the rules that say the same, and those that failed alike, as all do that cannot read the same file. */
function sayingAlike(
  answers: readonly RuleAnswer[],
  decision: Decision,
  event: HookEvent,
): readonly (readonly [RuleAnswer, ...RuleAnswer[]])[] {
  const alike = new Map<string, [RuleAnswer, ...RuleAnswer[]]>()
  for (const [index, answer] of answers.entries()) {
    const { rule, evaluation } = answer
    const ownText = ownReason(evaluation, decision)
    const text = ownText ?? failureOf(evaluation)?.message
    const about = ownText === undefined ? onFailureAt(event.name, rule, evaluation) : commandsOf(evaluation).join()
    const key = text === undefined ? `${index}` : `${about}\n${text}`
    const same = alike.get(key)
    if (same === undefined) alike.set(key, [answer])
    else same.push(answer)
  }
  return [...alike.values()]
}

/**
 * Makes notices of the failures that the reason does not already name: an error is not silence. Rules that failed in the
 * same way (all hooks of an untrusted workspace) share one.
 */
function failureNotices(
  answers: readonly RuleAnswer[],
  determining: readonly RuleAnswer[],
  decision: Decision,
): readonly string[] {
  const unreported = answers.flatMap((answer) => {
    const { evaluation, rule } = answer
    const message = failureOf(evaluation)?.message
    if (message === undefined) return []
    const isReported = determining.includes(answer) && (ownReason(evaluation, decision) ?? message) === message
    return isReported ? [] : [{ message, id: rule.id }]
  })
  return [...Map.groupBy(unreported, ({ message }) => message)].map(
    ([message, rules]) => `${message} (${unique(rules.map(({ id }) => id)).join(', ')})`,
  )
}

interface MergedFields {
  readonly agentFields: Verdict['agentFields']
  /** Description, for people, of the values that were dropped. */
  readonly lost: readonly string[]
}

/** Joins lists from several rules; of other values keeps the first in plan order and describes the ones that were lost. */
function agentFieldsOf(answers: readonly RuleAnswer[], event: HookEvent): MergedFields {
  const fields = new Map<string, { value: Json; readonly first: string; readonly lost: Set<string> }>()
  for (const { rule, evaluation } of answers) {
    if (evaluation.kind !== 'applicable') continue
    for (const advice of evaluation.advice) {
      if (advice.kind !== 'agentField' || advice.agent !== event.agent) continue
      const known = fields.get(advice.field)
      if (known === undefined) fields.set(advice.field, { value: advice.value, first: rule.id, lost: new Set() })
      else if (Array.isArray(known.value) && Array.isArray(advice.value)) known.value = known.value.concat(advice.value)
      else if (!isDeepStrictEqual(known.value, advice.value)) known.lost.add(rule.id)
    }
  }
  return {
    agentFields: Object.fromEntries([...fields].map(([field, { value }]) => [field, value])),
    lost: [...fields].flatMap(([field, { first, lost }]) =>
      lost.size === 0 ? [] : [`\`${field}\` is from ${first}; ${[...lost].join(', ')} gave a different one`],
    ),
  }
}

/** Returns the verdict for callers of hookgate's own API if the gate could not decide: a refusal that names the error. */
export function undecided(error: unknown): Verdict & { readonly error: object } {
  const message = errorText(error)
  const code = error instanceof HookgateError ? error.code : 'internal'
  return { ...abstention, decision: 'deny', cancel: true, reason: message, error: { code, message } }
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

interface JoinedContext {
  readonly context: string
  /** Bytes of UTF-8 that were cut off. */
  readonly truncatedBytes: number
}

/**
 * Joins contexts with a blank line and cuts what is over `bytesMax` bytes of UTF-8, marker included.
 *
 * INVARIANT: the cut never falls inside a character, and is never silent.
 */
export function joinContexts(texts: readonly string[], bytesMax: number = contextBytesMax): JoinedContext {
  const whole = texts
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .join('\n\n')
  // A UTF-16 unit takes three bytes at most, so a short text need not be encoded to be measured.
  if (whole.length * 3 <= bytesMax) return { context: whole, truncatedBytes: 0 }
  const bytes = encoder.encode(whole)
  if (bytes.length <= bytesMax) return { context: whole, truncatedBytes: 0 }

  const room = Math.max(0, bytesMax - encoder.encode(cutMarker(bytes.length)).length)
  const kept = characterBoundary(bytes, room)
  const truncatedBytes = bytes.length - kept
  return { context: decoder.decode(bytes.subarray(0, kept)) + cutMarker(truncatedBytes), truncatedBytes }
}
/** Total context of all rules for one event, in bytes of UTF-8: Cline's published limit of 50 KB. */
export const contextBytesMax = 51_200

/** The last place at or before `at` where a character begins: continuation bytes of UTF-8 are `10xxxxxx`. */
function characterBoundary(bytes: Uint8Array, at: number): number {
  let place = at
  while (place > 0 && ((bytes[place] ?? 0) & 0xc0) === 0x80) place -= 1
  return place
}

interface MergedObligations {
  readonly obligations: readonly Obligation[]
  /** Demands that exclude each other: why, and whose. Each refuses the action. */
  readonly conflicts: readonly { readonly reason: string; readonly ruleIds: readonly string[] }[]
}

interface Demand<Value> {
  readonly ruleId: string
  readonly value: Value
}

/** Merges what the rules demand. `evaluations` are in plan order. */
function mergeObligations(event: HookEvent, evaluations: readonly Evaluation[]): MergedObligations {
  const inputs: Demand<JsonObject>[] = []
  const outputs: Demand<Json>[] = []
  const stops: string[] = []
  for (const evaluation of evaluations) {
    if (evaluation.kind !== 'applicable') continue
    const { ruleId } = evaluation
    for (const obligation of evaluation.obligations) {
      switch (obligation.kind) {
        case 'replaceInput':
          inputs.push({ ruleId, value: obligation.input })
          break
        case 'replaceOutput':
          outputs.push({ ruleId, value: obligation.output })
          break
        case 'stop':
          stops.push(obligation.reason === '' ? '' : `${obligation.reason} (${ruleId})`)
          break
      }
    }
  }

  const input = mergeInputs(event.tool?.input ?? {}, inputs)
  const output = agree(outputs, 'two different outputs are demanded')
  const obligations: Obligation[] = []
  if (input.value !== undefined) obligations.push({ kind: 'replaceInput', input: input.value })
  if (output.value !== undefined) obligations.push({ kind: 'replaceOutput', output: output.value })
  if (stops.length > 0) obligations.push({ kind: 'stop', reason: stops.filter((reason) => reason !== '').join('\n') })
  return { obligations, conflicts: [...input.conflicts, ...output.conflicts] }
}

interface Agreed<Value> {
  readonly value: Value | undefined
  readonly conflicts: MergedObligations['conflicts']
}

function agree<Value>(demands: readonly Demand<Value>[], reason: string): Agreed<Value> {
  const first = demands[0]
  if (first === undefined) return { value: undefined, conflicts: [] }
  const other = demands.find((demand) => !isDeepStrictEqual(demand.value, first.value))
  if (other === undefined) return { value: first.value, conflicts: [] }
  return { value: undefined, conflicts: [{ reason, ruleIds: [first.ruleId, other.ruleId] }] }
}

/**
 * Rewrites of different fields are put together; different rewrites of one field exclude each other. Each demand is a
 * whole input, so what it changes is what differs from the original; a field it leaves out, it removes.
 */
function mergeInputs(original: JsonObject, demands: readonly Demand<JsonObject>[]): Agreed<JsonObject> {
  if (demands.length === 0) return { value: undefined, conflicts: [] }
  const merged = new Map<string, Json>(Object.entries(original))
  const conflicts: { reason: string; ruleIds: string[] }[] = []
  const fields = new Set([...merged.keys(), ...demands.flatMap(({ value }) => Object.keys(value))])
  for (const field of fields) {
    const changes = demands
      .map(({ ruleId, value }) => ({ ruleId, value: own(value, field) }))
      .filter(({ value }) => !isDeepStrictEqual(value, own(original, field)))
    const agreed = agree(changes, `two different values are demanded for \`${field}\``)
    conflicts.push(...agreed.conflicts.map(({ reason, ruleIds }) => ({ reason, ruleIds: [...ruleIds] })))
    if (agreed.value !== undefined) merged.set(field, agreed.value)
    else if (changes.length > 0) merged.delete(field)
  }
  return { value: Object.fromEntries(merged), conflicts }
}

function own(object: JsonObject, field: string): Json | undefined {
  return Object.hasOwn(object, field) ? object[field] : undefined
}
