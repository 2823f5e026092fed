import type { Decision } from '../model/effect.ts'
import type { HookEvent } from '../model/event.ts'
import type { StateScope, StepOutcome } from '../model/past.ts'
import { limitsTokens, looksBack, Plan, type RuleSet, statesOf } from '../model/rule.ts'
import type { ToolFacts } from '../model/tool-facts.ts'
import { hasFailed, titleOf, tokensOf } from '../agents/registry.ts'
import { errorText } from '../model/errors.ts'
import type { SessionSite } from '../agents/transcripts.ts'
import type { TokenCount, UncountedTokens } from '../model/tokens.ts'
import { isJsonObject } from '../model/json.ts'
import type { SeenOfPast } from '../model/verdict.ts'
import type { Past, PastView, StateReading } from '../past/past.ts'
import { secretsOf, textsOfCall } from '../past/seen-values.ts'
import { asksAboutOutputs } from '../past/condition.ts'
import { type Happening, happeningOf, showing, stepOf } from '../past/step.ts'

/** What a decision needs to know of the past. */
export interface PastContext {
  /** @throws HookgateError `unavailable` */
  readonly past: () => Promise<Past>
  readonly rules: RuleSet
}

/** A plan, its rules that look back apart from all others. */
export interface DividedPlan {
  readonly others: Plan
  readonly lookingBack: Plan
  /** First the others. */
  readonly both: Plan
}

export const divide = (plan: Plan): DividedPlan => plan.prepared(divided)

function divided({ rules }: Plan): DividedPlan {
  const others = rules.filter((rule) => !looksBack(rule))
  const lookingBack = rules.filter(looksBack)
  return {
    others: new Plan(others),
    lookingBack: new Plan(lookingBack),
    both: new Plan([...others, ...lookingBack]),
  }
}

/** Returns the widest scope that any rule looks at: calls of it are decided one after the other. */
export const widestScope = (rules: RuleSet): StateScope => rules.prepared(widestOf)

function widestOf({ rules }: RuleSet): StateScope {
  const scopes = new Set(rules.flatMap(statesOf).map(({ scope }) => scope))
  return scopes.has('user') ? 'user' : scopes.has('workspace') ? 'workspace' : 'session'
}

/** Returns true if a rule counts the secrets that outputs have shown, so that secrets are looked for in each output. */
const looksAtOutputs = ({ rules }: RuleSet): boolean => rules.flatMap(statesOf).some(asksAboutOutputs)

/** Returns true if a rule asks whether a call holds a secret of an earlier output, so that digests of these are kept. */
const looksForValues = ({ rules }: RuleSet): boolean => rules.flatMap(statesOf).some(({ kind }) => kind === 'reused')

/** Returns what a decision makes of a call, before it runs. */
export function outcomeOf(decision: Decision): StepOutcome {
  switch (decision) {
    case 'deny':
      return 'refused'
    case 'ask':
    case 'defer':
      return 'asked'
    case 'allow':
    case 'abstain':
      return 'allowed'
  }
}

/** What came of looking back. */
interface LookedBack<Judged> {
  readonly judged: Judged
  /** The outcome of the call that the past has now; `undefined` if it has none. */
  readonly told: StepOutcome | undefined
  /** The place of the last step that was seen; `undefined` if the past cannot be read. */
  readonly place: number | undefined
  /** In which form the call holds a secret, if a rule has asked. */
  readonly reused: SeenOfPast['reused']
}

/**
 * Judges a call with the rules that look back, after all others, and adds what becomes of it to the past. Where the past
 * cannot be read, these rules get the reason instead, and fail.
 *
 * @param judge returns the judgement, and what becomes of the call; `undefined` if that is to be seen
 */
export async function judgedByPast<Judged>(
  happening: Happening,
  event: HookEvent,
  { past, rules }: PastContext,
  judge: (view: PastView | string) => Promise<{ readonly judged: Judged; readonly outcome: StepOutcome | undefined }>,
): Promise<LookedBack<Judged>> {
  const about = stepOf(happening, 'allowed')
  let place: number | undefined
  let reused: SeenOfPast['reused']
  try {
    const judgeOnce = async (view: PastView) => {
      place = view.place
      reused = undefined
      const read: PastView['read'] = (request) => {
        const reading = view.read(request)
        if (request.declaration.kind === 'reused') reused = reusedOf(reading)
        return reading
      }
      const { judged, outcome } = await judge({ ...view, read })
      return { judged, step: outcome === undefined ? undefined : stepOf(happening, outcome) }
    }
    const texts = textsLookedAt(event, rules)
    const looked = await (await past()).decide(about, widestScope(rules), judgeOnce, texts)
    return { judged: looked.judged, told: looked.step?.outcome, place, reused }
  } catch (error) {
    const { judged } = await judge(errorText(error))
    return { judged, told: undefined, place: undefined, reused: undefined }
  }
}

function reusedOf(reading: StateReading): SeenOfPast['reused'] {
  const value = reading.kind === 'value' && isJsonObject(reading.value) ? reading.value : {}
  const { form, step } = value
  if (typeof form !== 'string') return undefined
  return { form, ...(isJsonObject(step) && typeof step['text'] === 'string' && { text: step['text'] }) }
}

/** Counts the tokens that a call's session, and the user, have spent before it, where a rule limits them. */
export async function tokensBefore(
  { agent, session, atMs }: HookEvent,
  { rules }: Plan,
  { past }: PastContext,
  site: Pick<SessionSite, 'home' | 'env'>,
): Promise<TokenCount | UncountedTokens | undefined> {
  if (!rules.some(limitsTokens)) return undefined
  const said = await tokensOf(agent)
  if (said === undefined) return { why: `no session file of ${titleOf(agent)} says what was spent`, isNeverSaid: true }
  const { transcriptPath: file, id, rootId = id } = session
  const isDatabase = 'query' in said
  const about = { agent, session: isDatabase ? rootId : id }
  const source = isDatabase
    ? { ...said, ...about, folder: said.databasesIn(site) }
    : file === undefined
      ? undefined
      : { ...said, ...about, file, folder: said.subagents?.(file, id) }
  try {
    return await (await past()).countTokens(about, source, atMs)
  } catch (error) {
    return { why: errorText(error), isNeverSaid: false }
  }
}

/** Returns the texts of a call in which secrets are looked for. */
const textsLookedAt = ({ tool }: HookEvent, rules: RuleSet): readonly string[] =>
  rules.prepared(looksForValues) ? textsOfCall(tool) : []

/** Returns what happened before a call that is not decided yet, or why that cannot be read. */
export async function viewBefore(
  happening: Happening,
  event: HookEvent,
  { past, rules }: PastContext,
): Promise<PastView | string> {
  try {
    return (await past()).viewFor(stepOf(happening, 'allowed'), undefined, textsLookedAt(event, rules))
  } catch (error) {
    return errorText(error)
  }
}

/** Describes an event's call as a step. Facts that cannot be determined tell nothing of it, and every rule fails. */
export async function describe(event: HookEvent, toolFacts: () => Promise<ToolFacts>): Promise<Happening> {
  const found = event.tool === undefined ? undefined : await toolFacts().catch(() => undefined)
  return happeningOf(event, found)
}

/**
 * Adds to the past what became of a call in the end, after a person or a rewrite.
 *
 * @param told the outcome that the past has of it already
 */
export async function tellEnd(
  made: Happening,
  told: StepOutcome | undefined,
  decision: Decision,
  { past }: PastContext,
): Promise<void> {
  const outcome = outcomeOf(decision)
  if (told === outcome) return
  const isApproved = told !== undefined && outcome === 'allowed'
  await added([isApproved ? 'approved' : outcome], made, past)
}

/** Adds to the past what the agent reports: that a call has run or failed, or that the person has said something. */
export async function tellReport(
  event: HookEvent,
  toolFacts: () => Promise<ToolFacts>,
  { past, rules }: PastContext,
): Promise<void> {
  const { name, tool, result, prompt, atMs } = event
  if (name === 'SessionEnd') return forgotten(event, past)
  if (name === 'UserPromptSubmit') {
    // Qwen Code sends an empty one after every batch of tools.
    if (prompt !== undefined && prompt !== '') await added(['prompted'], happeningOf(event, undefined), past)
    return
  }
  if (tool === undefined || (name !== 'PostToolUse' && name !== 'PostToolUseFailure')) return
  const outcome = hasFailed(event) ? 'failed' : 'done'
  const bare = happeningOf(event, undefined)
  const before = bare.call === undefined ? undefined : await known(bare, bare.call, past)
  const shown = rules.prepared(looksAtOutputs) ? secretsOf([result?.output ?? null, result?.error ?? null]) : []
  const values = { shown, areKept: rules.prepared(looksForValues) }
  if (before === undefined) return added([outcome], await describe(event, toolFacts), past, values)
  const { seq: _, outcome: last, ...same } = before
  // Kimi Code, Pi and OpenClaw report a call that was refused as one that has failed: it never ran.
  if (last === 'refused' && outcome === 'failed') return
  // It has run, so a person has let it through: no other step says so where the agent itself has asked.
  const isApproved = last === 'asked' || last === 'refused'
  return added(isApproved ? ['approved', outcome] : [outcome], { ...same, atMs }, past, values)
}

async function known(about: Happening, call: string, past: PastContext['past']) {
  try {
    return (await past()).stepOfCall(about, call)
  } catch {
    return undefined
  }
}

async function forgotten(event: HookEvent, past: PastContext['past']): Promise<void> {
  try {
    ;(await past()).forgetValues(happeningOf(event, undefined))
  } catch {
    // They are forgotten for their age.
  }
}

interface OutputValues {
  /** The secrets of a call's output. */
  readonly shown: readonly string[]
  readonly areKept: boolean
}

/** Adds steps, as far as they can be kept. */
async function added(
  outcomes: readonly StepOutcome[],
  about: Happening,
  past: PastContext['past'],
  { shown, areKept }: OutputValues = { shown: [], areKept: false },
): Promise<void> {
  try {
    const opened = await past()
    for (const outcome of outcomes) opened.add(stepOf(showing(about, shown), outcome))
    if (areKept && shown.length > 0) opened.keepValues(shown, stepOf(about, 'done'))
  } catch {
    // The rules that look back say so at the next call: it finds the past unreadable, and they fail.
  }
}
