import { isDeepStrictEqual } from 'node:util'
import { restricts, stricter } from '../../model/effect.ts'
import type { HookEvent, ToolUse } from '../../model/event.ts'
import { type Advice, type Evaluation, notApplicable, type Obligation } from '../../model/evaluation.ts'
import type { JsonObject } from '../../model/json.ts'
import { maskSecrets } from '../../mask/mask.ts'
import { Plan, type Rule } from '../../model/rule.ts'
import type { ShellFacts } from '../../model/shell.ts'
import { quoted, quotedSome } from '../../model/text.ts'
import type { Verdict } from '../../model/verdict.ts'

/** Another input that rules demand for a call that is about to be made. */
export interface Rewrite {
  readonly input: JsonObject
  /** The ids of the rules that changed something, in plan order. */
  readonly by: readonly string[]
  /** The id of the only rule that changed something, if it wrote the whole of `input`. */
  readonly author: string | undefined
}

/** The answers of a plan's rules about one call. */
export interface JudgedCall {
  readonly event: HookEvent
  readonly plan: Plan
  readonly evaluations: readonly Evaluation[]
  readonly shell: ShellFacts | undefined
}

/** Returns the rewrite that a verdict demands; `undefined` if the call stays as it is, or has been made. */
export function rewriteOf(
  { name, tool }: HookEvent,
  { obligations, evaluations }: Pick<Verdict, 'obligations' | 'evaluations'>,
): Rewrite | undefined {
  const demand = obligations.find((one) => one.kind === 'replaceInput')
  if (demand === undefined || tool === undefined || (name !== 'PreToolUse' && name !== 'PermissionRequest')) return
  const { input } = demand
  if (isDeepStrictEqual(input, tool.input)) return undefined
  const authors = evaluations.filter((one) => one.observed !== true && !keeps(one, tool.input))
  const by = [...new Set(authors.map(({ ruleId }) => ruleId))]
  const author = by.length === 1 && authors.every((one) => keeps(one, input)) ? by[0] : undefined
  return { input, by, author }
}

/**
 * Joins what the rules say of a call as it was sent, and of the same call as some of them rewrote it.
 *
 * INVARIANT: nobody's rewrite goes past anybody's rule. Each objection to either call counts. An `allow` of the call as
 * it was sent is not one of what was made of it, unless its rule wrote the whole of that.
 */
export function joined(sent: JudgedCall, made: JudgedCall, rewrite: Rewrite): Pick<JudgedCall, 'plan' | 'evaluations'> {
  const rules = bothPlans(sent.plan, made.plan)
  const observing = new Set(rules.flatMap(({ id, mode }) => (mode === 'observe' ? [id] : [])))
  const before = sent.evaluations.map((one) => ofSentCall(one, sent, rewrite))
  const after = made.evaluations.map((one): Evaluation => {
    const judged = observing.has(one.ruleId) ? one : ofMadeCall(one, sent, rewrite)
    return { ...unsaid(judged, before), rewritten: true }
  })
  return { plan: new Plan(rules), evaluations: [...before, ...after] }
}

/** Refuses a rewrite, as its rules' own failure: what would run cannot be judged, so that nobody can let it through. */
export function refusedRewrite(
  evaluations: readonly Evaluation[],
  { by }: Rewrite,
  why: string,
): readonly Evaluation[] {
  return evaluations.map((one) => (by.includes(one.ruleId) ? refused(one, why) : one))
}

/** Says which call a refusal or question is about. */
export function reasonOfRewritten({ decision, reason }: Verdict, tool: ToolUse, { by }: Rewrite): string {
  if (!restricts(decision)) return reason
  const { command, path, url, name } = tool
  const shown = quoted(maskSecrets(command ?? path ?? url ?? name))
  return `what would run is ${shown}, as rewritten by ${by.join(', ')}:\n${reason}`
}

type Opinion = Extract<Evaluation, { kind: 'applicable' }>

/** Returns whether every input that a rule demands is the given one. */
const keeps = (one: Evaluation, input: JsonObject) => demandsOf(one).every((demand) => isDeepStrictEqual(demand, input))

const demandsOf = (one: Evaluation): readonly JsonObject[] =>
  one.kind === 'applicable'
    ? one.obligations.flatMap((demand) => (demand.kind === 'replaceInput' ? [demand.input] : []))
    : []

const isNoRewrite = ({ kind }: Obligation) => kind !== 'replaceInput'

function ofSentCall(one: Evaluation, { event, shell }: JudgedCall, { input, by }: Rewrite): Evaluation {
  if (one.kind !== 'applicable') return one
  const isAuthor = by.includes(one.ruleId)
  const obligations = one.obligations.filter(isNoRewrite)
  const kept: Opinion = {
    ...one,
    obligations:
      isAuthor && demandsOf(one).length > 0 ? [...obligations, { kind: 'replaceInput', input }] : obligations,
  }
  if (one.effect === 'allow' && !(isAuthor && keeps(one, input))) return withoutAllow(kept)
  if (one.commands === undefined) return kept
  // Indices of the commands that were sent mean nothing in those that were made of them.
  const { commands: _, reason = '', ...rest } = kept
  return { ...rest, reason: nameCommands(reason, one, event, shell) }
}

function withoutAllow(one: Opinion): Evaluation {
  const { kind, effect: _, reason: __, commands: ___, obligations, advice, failure, ...measured } = one
  const remarks = [...(one.remarks ?? []), 'its `allow` does not count: a rule has rewritten the call']
  return obligations.length > 0 || advice.length > 0 || failure !== undefined
    ? { kind, obligations, advice, ...(failure && { failure }), ...measured, remarks }
    : { ...notApplicable, ...measured, remarks }
}

/** Returns what a rule says of a rewritten call. Rewriting that again is a conflict, except of a rule's own words. */
function ofMadeCall(one: Evaluation, sent: JudgedCall, { input, by }: Rewrite): Evaluation {
  if (one.kind !== 'applicable') return one
  const again = demandsOf(one).filter((demand) => !isDeepStrictEqual(demand, input))
  const own = changedBy(one.ruleId, sent)
  const isOwn = again.every((demand) => changedFields(input, demand).every((field) => own.has(field)))
  if (isOwn) return { ...one, obligations: one.obligations.filter(isNoRewrite) }
  return refused(one, `it would rewrite again what ${by.join(', ')} rewrote, and both cannot be done`)
}

/** Returns the fields of the call as it was sent that a rule changed. */
function changedBy(ruleId: string, { event, evaluations }: JudgedCall): ReadonlySet<string> {
  const original = event.tool?.input ?? {}
  const own = evaluations.filter((one) => one.ruleId === ruleId)
  return new Set(own.flatMap((one) => demandsOf(one).flatMap((demand) => changedFields(original, demand))))
}

function changedFields(from: JsonObject, to: JsonObject): readonly string[] {
  return Object.keys({ ...from, ...to }).filter(
    (key) => Object.hasOwn(from, key) !== Object.hasOwn(to, key) || !isDeepStrictEqual(from[key], to[key]),
  )
}

function refused({ ruleId, durationMs, severity, remarks }: Evaluation, why: string): Evaluation {
  return {
    kind: 'applicable',
    ruleId,
    durationMs,
    ...(severity !== undefined && { severity }),
    ...(remarks !== undefined && { remarks }),
    effect: 'deny',
    reason: why,
    obligations: [],
    advice: [],
    failure: { code: 'rewriteRefused', message: why },
  }
}

/** Leaves out what the same rule has said and demanded already. */
function unsaid(one: Evaluation, before: readonly Evaluation[]): Evaluation {
  if (one.kind !== 'applicable' || one.obligations.length + one.advice.length === 0) return one
  const said = before.flatMap((other): readonly (Obligation | Advice)[] =>
    other.ruleId === one.ruleId && other.kind === 'applicable' ? [...other.obligations, ...other.advice] : [],
  )
  const isNew = (part: Obligation | Advice) => !said.some((other) => isDeepStrictEqual(other, part))
  return { ...one, obligations: one.obligations.filter(isNew), advice: one.advice.filter(isNew) }
}

/** Lists the rules of two plans of one rule set. Of a rule that is in both, the stricter copy counts. */
function bothPlans(sent: Plan, made: Plan): readonly Rule[] {
  const later = new Map(made.rules.map((rule) => [rule.id, rule]))
  const first = sent.rules.map((rule): Rule => {
    const other = later.get(rule.id) ?? rule
    later.delete(rule.id)
    const mode = rule.mode === 'enforce' ? rule.mode : other.mode
    const onFailure = stricter(rule.onFailure, other.onFailure)
    return mode === rule.mode && onFailure === rule.onFailure ? rule : { ...rule, mode, onFailure }
  })
  return [...first, ...later.values()]
}

/**
 * Names the commands that an answer is about at the head of its reason, as they are written in the call:
 * `` `git push -f`: it overwrites … ``. A reason that begins with the command's first words gets the whole command in
 * their place. Nothing is added if the answer is about the call as a whole, or its reason has the commands already.
 */
export function nameCommands(
  reason: string,
  evaluation: Evaluation,
  { tool }: HookEvent,
  shell: ShellFacts | undefined,
): string {
  if (evaluation.kind !== 'applicable' || shell === undefined) return reason
  const whole = tool?.command ?? ''
  const places = (evaluation.commands ?? []).flatMap((index) => shell.commands[index]?.place ?? [])
  const parts = [...new Set(places.map(({ start, end }) => whole.slice(start, end).trim()))]
  const isPlain = parts.every((part) => part !== '' && part !== whole.trim() && !reason.includes(part))
  if (parts.length === 0 || !isPlain) return reason
  // Masked before it is cut: half a secret would not be recognised as one, and the record keeps the reason.
  const named = quotedSome(parts.map((part) => maskSecrets(part)))
  // Behind a `…` are words of a longer text.
  const [first, words = ''] = /^`([^`]+?)(?: …[^`]*)?` /.exec(reason) ?? []
  const isBeginning =
    first !== undefined && parts.length === 1 && ` ${parts[0]?.replaceAll(/["']/g, '')} `.includes(` ${words} `)
  return isBeginning ? `${named} ${reason.slice(first.length)}` : `${named}: ${reason}`
}
