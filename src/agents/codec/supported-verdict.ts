import type { ProtocolSupport } from '../../model/dialect.ts'
import type { Decision } from '../../model/effect.ts'
import type { HookEvent } from '../../model/event.ts'
import type { Obligation } from '../../model/evaluation.ts'
import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts'
import { printable } from '../../model/text.ts'
import type { Verdict } from '../../model/verdict.ts'

/** The parts of a verdict that an agent's protocol can express at an event. */
export interface SupportedVerdict {
  readonly decision: Decision
  readonly reason: string
  /** Empty if there is none, or the protocol has no field for it. */
  readonly context: string
  readonly notices: readonly string[]
  readonly replaceInput: JsonObject | undefined
  readonly replaceOutput: { readonly output: Json } | undefined
  /** The reason for ending the turn, if a rule demands that. */
  readonly stop: string | undefined
  /** The parts that the protocol cannot express, one line each, for stderr and the record. */
  readonly unexpressed: readonly string[]
}

/**
 * Reduces a verdict to what an agent's protocol can express at this event.
 *
 * INVARIANT: an obligation that cannot be expressed becomes a refusal, and a refusal that cannot be expressed becomes a
 * line in `unsaid`. Only advice is ever dropped, and that is listed too. A refusal has a reason. No text is sent with a
 * control byte in it.
 *
 * @param agent its title, as people write it
 */
export function supportedPart(
  event: HookEvent,
  verdict: Verdict,
  support: ProtocolSupport,
  agent: string,
): SupportedVerdict {
  const unexpressed: string[] = []
  const unmet: string[] = []
  let replaceInput: JsonObject | undefined
  let replaceOutput: { output: Json } | undefined
  let stop: string | undefined
  let shownInstead: string | undefined
  const warnings: string[] = []

  for (const obligation of verdict.obligations) {
    const how = support[obligation.kind]
    const by = rulesDemanding(verdict, obligation.kind)
    if (how === 'asDeny') unmet.push(`${demand(obligation)}, which ${agent} cannot do at ${event.name}${by}`)
    else if (how === 'unsupported') {
      unexpressed.push(`${demand(obligation)}, which ${agent} can neither do nor refuse at ${event.name}${by}`)
      if (obligation.kind === 'replaceOutput' && event.result !== undefined) warnings.push(shownAnyway(verdict, agent))
    } else if (obligation.kind === 'replaceOutput' && how === 'asReason') shownInstead = readText(obligation.output)
    else if (obligation.kind === 'replaceInput') replaceInput = obligation.input
    else if (obligation.kind === 'replaceOutput') replaceOutput = { output: obligation.output }
    else stop = printable(obligation.reason)
  }

  const wanted: Decision = unmet.length > 0 || shownInstead !== undefined ? 'deny' : verdict.decision
  const decision = expressible(wanted, support)
  // A refusal does not begin with the reason why something else was allowed.
  const said = unmet.length > 0 && verdict.decision !== 'deny' ? unmet : [verdict.reason, ...unmet]
  const reasons = shownInstead === undefined ? said : [...said, `${shownByReason}${shownInstead}`]
  const given = printable(reasons.filter((text) => text !== '').join('\n'))
  const own = decision === 'deny' && given.trim() === '' ? 'refused without a reason' : given
  const reason = [own, ...addedTo(agent, verdict, wanted, decision)].filter((text) => text !== '').join('\n')
  if (decision === 'unsupported')
    unexpressed.push(`${wanted}, which the protocol of ${agent} can't express at ${event.name}: ${reason}`)
  const context = [verdict.context, ...warnings].filter((text) => text !== '').join('\n\n')
  if (verdict.context !== '' && support.context === 'dropped') {
    unexpressed.push(`a context of ${verdict.context.length} characters, which ${agent} cannot take at ${event.name}`)
  }
  const denied = decision === 'deny'
  const notices = verdict.notices.map(printable)
  return {
    decision: decision === 'unsupported' ? 'abstain' : decision,
    reason,
    context: support.context === 'native' ? printable(context) : '',
    notices: support.notice === 'native' ? notices : [],
    replaceInput: denied ? undefined : replaceInput,
    replaceOutput,
    stop,
    unexpressed: (support.notice === 'native' ? unexpressed : [...unexpressed, ...notices]).map(printable),
  }
}

/** Says before an output that comes as the reason of a refusal that nothing was refused. */
const shownByReason = 'The call has run. hookgate has changed its output, which is:\n'

/** Tells the model of an output that would have been changed. */
function shownAnyway({ evaluations }: Verdict, agent: string): string {
  const rules = evaluations.filter(
    (one) => one.kind === 'applicable' && one.obligations.some(({ kind }) => kind === 'replaceOutput'),
  )
  const why = rules.flatMap((one) => (one.kind === 'applicable' ? (one.reason ?? []) : []))
  const what = why.length === 0 ? 'changes this output' : `${why.join('; ')} in this output`
  const ids = rules.map(({ ruleId }) => ruleId).join(', ')
  return `hookgate: a rule ${what} (${ids}), which ${agent} cannot do: do not repeat it, and do not use it as it is`
}

/** Returns what of an output a model reads, as one text. */
function readText(output: Json): string {
  if (typeof output === 'string') return output
  if (Array.isArray(output)) return output.map(readText).join('\n')
  if (!isJsonObject(output)) return JSON.stringify(output)
  const text = readFields.map((field) => output[field]).find((value) => value !== undefined)
  return text === undefined ? JSON.stringify(output) : readText(text)
}
const readFields = ['llmContent', 'textResultForLlm', 'text', 'content', 'output']

/** Returns what a reason says besides the rules' own: why a question is a refusal, who can lift it, and whom to ask. */
function addedTo(
  agent: string,
  { id, liftable, approval, contact }: Verdict,
  wanted: Decision,
  decision: Decision | 'unsupported',
): readonly string[] {
  const isQuestion = wanted === 'ask' || wanted === 'defer'
  const lines = [
    ...unanswered(approval),
    ...(isQuestion && decision === 'deny' ? [`${agent} cannot ask the person, so this question is a refusal.`] : []),
  ]
  const whom = contact === undefined ? [] : [`For an exception, ask ${contact}`]
  if (decision !== 'deny' && decision !== 'ask') return lines
  if (id === undefined || liftable !== true) return [...lines, ...whom]
  const command = `\`hookgate allow ${id}\` in a terminal.`
  return decision === 'deny'
    ? [...lines, `To let this through, a person must run ${command}`, ...whom]
    : [...lines, `To let this through without a question, a person can run ${command}`, ...whom]
}

/** Says why a question that was to be put to a person has no answer. */
function unanswered(approval: Verdict['approval']): readonly string[] {
  switch (approval?.outcome) {
    case 'timedOut':
      return [`A person was asked, and did not answer within ${Math.round(approval.waitedMs / 1000)} s.`]
    case 'closed':
      return ['A person was being asked when hookgate’s gate ended.']
    case 'full':
      return ['Too many calls wait for a person already, so nobody was asked.']
    case 'approved':
    case 'denied':
    case 'gone':
    case undefined:
      return []
  }
}

function expressible(decision: Decision, support: ProtocolSupport): Decision | 'unsupported' {
  switch (decision) {
    case 'abstain':
      return 'abstain'
    case 'allow':
      return support.allow === 'native' ? 'allow' : 'abstain'
    case 'deny':
      return support.deny === 'native' ? 'deny' : 'unsupported'
    case 'defer':
    case 'ask': {
      const how = support[decision]
      if (how === 'native') return decision
      if (how === 'asDeny') return 'deny'
      return how === 'implicit' ? 'abstain' : 'unsupported'
    }
  }
}

/** Returns what an agent's protocol makes of a verdict's decision; `abstain` if it can't express it. */
export function expressedDecision(verdict: Verdict, support: ProtocolSupport): Decision {
  const isUnmet = verdict.obligations.some(({ kind }) => support[kind] === 'asDeny')
  const decision = expressible(isUnmet ? 'deny' : verdict.decision, support)
  return decision === 'unsupported' ? 'abstain' : decision
}

function rulesDemanding({ evaluations }: Verdict, kind: Obligation['kind']): string {
  const ids = evaluations.flatMap((evaluation) =>
    evaluation.kind === 'applicable' && evaluation.obligations.some((one) => one.kind === kind)
      ? [evaluation.ruleId]
      : [],
  )
  return ids.length === 0 ? '' : ` (${ids.join(', ')})`
}

function demand(obligation: Obligation): string {
  switch (obligation.kind) {
    case 'replaceInput':
      return 'a rule demands a different input'
    case 'replaceOutput':
      return 'a rule demands a different output'
    case 'stop':
      return `a rule demands that the turn ends${obligation.reason === '' ? '' : ` (${obligation.reason})`}`
  }
}
