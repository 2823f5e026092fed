import { titleOf } from '../../agents/registry.ts'
import { openToolFacts } from '../../facts/tool-call.ts'
import { homeFolder } from '../../files/home-folder.ts'
import type { GatePaths } from '../../files/state/places.ts'
import { openRefusals } from '../../files/state/refusals.ts'
import { onFailureAt, weigh } from '../../gate/combine/weigh.ts'
import { maskSecrets } from '../../mask/mask.ts'
import { type Decision, restricts, type Scope, stronger } from '../../model/effect.ts'
import { errorText, type Place } from '../../model/errors.ts'
import { limits } from '../../model/limits.ts'
import type { FactValue } from '../../model/policy.ts'
import type { KeptRefusal, RefusingRule } from '../../model/refusal.ts'
import { isPolicyRule, type PolicyRule, type Rule } from '../../model/rule.ts'
import type { ToolFacts } from '../../model/tool-facts.ts'
import { openPolicyLoader } from '../../policy/compile/policy-loader.ts'
import { openSandbox } from '../../policy/open-sandbox.ts'
import type { StoredDecision } from '../../record/read.ts'
import type { DecisionRecord, RecordedEvaluation } from '../../record/record.ts'
import { rulesDigest } from '../../record/recording.ts'
import { problemText, readRules, type RulesPlaces } from '../../rules/index.ts'
import { shortRuleId } from '../../rules/match/word-pattern.ts'
import { openKeptSteps } from '../../past/open-past.ts'
import type { StepStore } from '../../past/store.ts'
import type { ReadState } from '../state/read-states.ts'
import { factText } from '../../words/policy-declarations.ts'
import { recordedEvent } from '../replay/question.ts'
import { type CallAnew, evaluationOf, judgedCall, type RebuiltCalls, reevaluate } from './decide-anew.ts'
import { type DecidingPlace, decidingPlace, type PlaceContext } from './deciding-place.ts'

/** Everything that explaining a decision needs beside its record. */
interface ExplainingContext {
  /** The places of today's rules. */
  readonly rules: RulesPlaces
  readonly own: GatePaths
  readonly env: Readonly<Record<string, string | undefined>>
  readonly usedUp?: UsedPermission | undefined
}

/** What a person had allowed for the same call of the same session, and that call used up. */
export interface UsedPermission {
  /** `hookgate allow k3x7qd --once`. */
  readonly by: string
  /** When the call used it, ISO 8601 in UTC. */
  readonly at: string
}

/** Explains a recorded decision by the rules of today. Runs no hook and changes nothing. */
export async function explainDecision(
  { seq, record }: StoredDecision,
  { rules: places, own, env, usedUp }: ExplainingContext,
): Promise<WhyReport> {
  const { project, refusal } = record
  // Each thread loads every policy, and few events are evaluated.
  const sandbox = openSandbox('process', openToolFacts(), { threads: 1 })
  const store = record.step === undefined ? undefined : keptStepsOr(own.past)
  try {
    const read = await readRules(places, project === undefined ? [] : [project], openPolicyLoader(sandbox))
    const [error] = read.errors
    const rules = error === undefined ? read.ruleSet : undefined
    const { calls, unrecorded } = rebuiltCalls(record)
    const anew = calls && rules && (await reevaluate(calls, record, rules, sandbox, env, store))
    return await reportOn(seq, record, {
      anew,
      whyNot: error === undefined ? (unrecorded ?? '') : `the rules of today do not load: ${problemText(error)}`,
      sandbox,
      placeOf: (ruleId) => read.placeOf(ruleId),
      home: homeFolder(env['HOME']),
      project,
      rules: rules?.rules ?? [],
      rulesChanged:
        rules && record.rulesDigest === undefined ? undefined : rules && rulesDigest(rules) !== record.rulesDigest,
      unrecorded,
      usedUp,
      kept: refusal === undefined ? undefined : openRefusals(own.refusals).find(refusal),
    })
  } finally {
    if (typeof store === 'object') store.close()
    await sandbox.close()
  }
}

/** Opens the steps that are kept, or says why they cannot be read: the decision can be explained without them. */
function keptStepsOr(file: string): StepStore | string | undefined {
  try {
    return openKeptSteps(file)
  } catch (error) {
    return errorText(error)
  }
}

/** Rebuilds the call of a record, and what rules made of it. Without one of them it cannot be decided again. */
function rebuiltCalls(record: DecisionRecord): { calls?: RebuiltCalls; unrecorded: string | undefined } {
  const { rewritten, subject: _, subjectAltered: __, input: ___, inputAltered: ____, ...rest } = record
  const sent = recordedEvent(record)
  const made = rewritten && recordedEvent({ ...rest, ...rewritten, rewritten })
  if (sent.event === undefined || (made !== undefined && made.event === undefined))
    return { unrecorded: sent.unrecorded ?? made?.unrecorded }
  return { calls: { event: sent.event, rewritten: made?.event }, unrecorded: sent.unrecorded }
}

/** Everything that is known of one decision. */
export interface WhyReport {
  readonly seq: number
  readonly record: DecisionRecord
  readonly usedUp?: UsedPermission
  /** The reason why the agent got another answer than was decided; absent if it got that one. */
  readonly expressed?: string
  readonly rules: readonly ReportedRule[]
  /** The facts about the call, as of now. */
  readonly facts: ToolFacts | null
  /** The facts about the call as rules rewrote it, as of now. */
  readonly rewrittenFacts?: ToolFacts
  /** The reason why there are no facts about the call, or the part of it that they leave out. */
  readonly factsMissing?: string
  /** The values that rules had counted when it was decided; or why they are not known. Absent if no rule looks back. */
  readonly states?: readonly ReadState[] | string
  readonly without: WithoutDeciding | null
  readonly today: Today
  readonly lift: Lifting | null
}

/** A rule that had an opinion or failed. */
export interface ReportedRule extends RecordedEvaluation {
  readonly name: string
  /** True for a rule that made the decision. */
  readonly decides: boolean
  /** The rules file that turns it on; absent if no rule of today has its id. */
  readonly source?: Place & { readonly scope: Scope }
  readonly place?: DecidingPlace
  /** The facts that the policy declares, as of now. */
  readonly facts?: readonly DeclaredFact[]
}

interface DeclaredFact {
  readonly name: string
  readonly declared: string
  readonly value: string
}

/** The decision without the rules that made it, from the recorded answers of the others. */
export interface WithoutDeciding {
  readonly decision: Decision
  /** Ids of the rules that would decide then. */
  readonly rules: readonly string[]
  /** False if something that matters for it is not recorded. */
  readonly isCertain: boolean
}

/** The answer of today's rules to the same event. */
export interface Today {
  /** True if other rules are in force now; `undefined` if it is not known. */
  readonly rulesChanged: boolean | undefined
  /** Absent if the event cannot be decided again. */
  readonly decision?: Decision
  readonly reason?: string
  /** The reason why the event was not decided again. */
  readonly unknown?: string
  /** Ids of hooks that apply and of which no answer is recorded. */
  readonly hooksUnknown?: readonly string[]
}

/** Ways to lift a refusal or question. */
export interface Lifting {
  /** The id that `hookgate allow` takes; absent if the refusal is no longer kept. */
  readonly id?: string
  readonly rules: readonly RefusingRule[]
}

/** The rules of today, as far as they load, and what is needed to explain a record by them. */
interface ReportContext extends PlaceContext {
  readonly rules: readonly Rule[]
  readonly rulesChanged: boolean | undefined
  /** Parts of the call that were not recorded. */
  readonly unrecorded: string | undefined
  readonly usedUp: UsedPermission | undefined
  readonly kept: KeptRefusal | undefined
}

async function reportOn(seq: number, record: DecisionRecord, context: ReportContext): Promise<WhyReport> {
  const { anew, whyNot, rulesChanged, unrecorded, usedUp } = context
  const rules: ReportedRule[] = []
  // oxlint-disable-next-line no-await-in-loop -- one policy after the other is evaluated in the one sandbox
  for (const one of record.evaluations) rules.push(await reportedRule(one, record, context))
  const expressed = expressedText(record)
  return {
    seq,
    record,
    ...(usedUp !== undefined && { usedUp }),
    ...(expressed !== undefined && { expressed }),
    rules: rules.toSorted((a, b) => Number(b.decides) - Number(a.decides)),
    facts: anew?.found ?? null,
    ...(anew?.made !== undefined && { rewrittenFacts: anew.made.found }),
    ...(unrecorded !== undefined && { factsMissing: unrecorded }),
    ...(anew !== undefined && anew.states.length > 0 && { states: anew.states }),
    without: combineOthers(record, context.rules),
    today: {
      rulesChanged,
      ...(anew === undefined
        ? { unknown: whyNot }
        : { decision: anew.verdict.decision, reason: maskSecrets(anew.verdict.reason) }),
      ...(anew !== undefined && anew.hooksUnknown.length > 0 && { hooksUnknown: anew.hooksUnknown }),
    },
    lift: await liftingOf(record, context),
  }
}

async function reportedRule(
  one: RecordedEvaluation,
  record: DecisionRecord,
  context: ReportContext,
): Promise<ReportedRule> {
  const decides = record.determining.includes(one.ruleId)
  const rule = context.rules.find(({ id }) => id === one.ruleId)
  if (rule === undefined) return { ...one, name: one.ruleId, decides }
  const { file, scope } = rule.source
  const written = context.placeOf(rule.id)
  const answered = one.effect !== undefined || one.failure !== undefined
  return {
    ...one,
    name: shortRuleId(rule),
    decides,
    // The place of a pack's policy is in the pack.
    source: { ...(written?.file === file ? written : { file }), scope },
    ...(answered && { place: await decidingPlace(rule, one, context) }),
    ...(isPolicyRule(rule) && { facts: await declaredFacts(rule, judgedCall(context.anew, one)) }),
  }
}

async function declaredFacts(rule: PolicyRule, call: CallAnew | undefined): Promise<readonly DeclaredFact[]> {
  const declared = Object.entries(rule.handler.facts)
  if (call === undefined || declared.length === 0) return []
  const values = await call.factsOf(rule)
  return declared.map(([name, declaration], index) => ({
    name,
    declared: factText(declaration),
    value: valueText(values[index], 'env' in declaration),
  }))
}

/** Formats a fact's value. That of an environment's variable may be a secret, whatever it looks like. */
function valueText(value: FactValue | undefined, isHidden: boolean): string {
  if (value === undefined || 'missing' in value) return `not known: ${value?.missing ?? 'it was not looked up'}`
  if (isHidden) return 'set'
  const text = maskSecrets(JSON.stringify(value.value))
  return text.length > valueCharacters ? `${text.slice(0, valueCharacters).toWellFormed()}…` : text
}
const valueCharacters = limits.quotedCharactersMax

/** Returns why the agent got another answer than the decision. */
function expressedText({ agent, event, decision, told, obligations }: DecisionRecord): string | undefined {
  if (told === undefined || told === decision || agent === undefined) return undefined
  const title = titleOf(agent)
  if (told === 'deny') {
    return decision === 'ask' || decision === 'defer'
      ? `${title} can't be told to \`${decision}\` at ${event ?? 'this event'}, so it was refused`
      : `a rule demands what ${title} can't do (${obligations.join(', ')}), so it was refused`
  }
  return decision === 'allow'
    ? `${title} can't be told to \`allow\` at ${event ?? 'this event'}, so its own prompt decided`
    : `${title} can't be told to \`${decision}\` at ${event ?? 'this event'}, so it went on`
}

/** Combines what the other rules were recorded to say. @returns null where no rule decided */
function combineOthers(record: DecisionRecord, rules: readonly Rule[]): WithoutDeciding | null {
  const { determining, evaluations, evaluationsLeftOut, event = 'PreToolUse', decision: was } = record
  if (was === 'abstain' || determining.length === 0) return null
  let isCertain = evaluationsLeftOut === undefined
  const others = evaluations
    .filter(({ ruleId, observed }) => observed !== true && !determining.includes(ruleId))
    .map((one) => {
      const rule = rules.find(({ id }) => id === one.ruleId)
      // The record does not say how its failure counted.
      if (rule === undefined && one.failure !== undefined) isCertain = false
      const evaluation = evaluationOf(one)
      const onFailure = rule === undefined ? 'continue' : onFailureAt(event, rule, evaluation)
      return { ruleId: one.ruleId, decision: weigh(evaluation, onFailure) }
    })
  const decision = others.reduce<Decision>((all, one) => stronger(all, one.decision), 'abstain')
  const deciding = others.filter((one) => decision !== 'abstain' && one.decision === decision)
  return { decision, rules: deciding.map(({ ruleId }) => ruleId), isCertain }
}

async function liftingOf(record: DecisionRecord, { kept, anew }: ReportContext): Promise<Lifting | null> {
  const { decision, event, tool } = record
  if (!restricts(decision) || tool === undefined || (event !== 'PreToolUse' && event !== 'PermissionRequest'))
    return null
  if (kept !== undefined) return { id: kept.id, rules: kept.rules }
  return anew === undefined ? null : { rules: await anew.refusingNow() }
}
