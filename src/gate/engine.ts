import { counted } from '../words/counted.ts'
import { mayCarry, withCarried } from './carried.ts'
import { combine } from './combine/combine.ts'
import { type ExceptingContext, withExceptions } from './exceptions/except.ts'
import {
  type JudgedCall,
  joined,
  reasonOfRewritten,
  refusedRewrite,
  type Rewrite,
  rewriteOf,
} from './combine/rewritten.ts'
import { answerMsFor } from '../agents/last-resort.ts'
import { restricts } from '../model/effect.ts'
import { errorText } from '../model/errors.ts'
import type { CallEvent, HookEvent } from '../model/event.ts'
import type { Evaluation } from '../model/evaluation.ts'
import { limits } from '../model/limits.ts'
import type { AskingMeans } from './approvals/ask-person.ts'
import type { Approvals } from './approvals/queue.ts'
import type { Judgement } from './lift.ts'
import type { ShellOf } from './shown-text.ts'
import { looksBack, Plan, type RuleSet } from '../model/rule.ts'
import type { ShellFacts } from '../model/shell.ts'
import type { ToolFacts } from '../model/tool-facts.ts'
import { given } from '../model/json.ts'
import { abstention, type SeenOfPast, type Verdict } from '../model/verdict.ts'
import type { StepOutcome } from '../model/past.ts'
import type { Happening } from '../past/step.ts'
import { homeFolder } from '../files/home-folder.ts'
import { turn } from '../files/turns.ts'
import { memoize } from '../model/lazy.ts'
import type { Refusals } from '../files/state/refusals.ts'
import type { Past } from '../past/past.ts'
import { isOfRefusedCall, type DecidedHooks, type StopRefusals } from './memory/stop-refusals.ts'

// Imported directly, not via the folder's index, which loads all of it.
import { needsShellFacts, planFor } from '../rules/plan.ts'
import { run, type RunContext } from './run.ts'

/** Inputs of a decision: the rules in force, and the functions that run them. */
export interface DecisionContext extends RunContext {
  readonly rules: RuleSet
  readonly stops: StopRefusals
  readonly decidedHooks: DecidedHooks
  /** The file of refusals that `hookgate allow` reads; `undefined` if none is kept. */
  readonly refusals: Refusals | undefined
  /** The requests that wait for a person; `undefined`: nobody is asked. */
  readonly approvals: Approvals | undefined
  /** Returns the facts of another shell text, as if the event's call had it. */
  readonly shellOf: ShellOf
  /** What happened before. @throws HookgateError `unavailable` */
  readonly past: () => Promise<Past>
  /** When the event was received, by `performance.now()`. */
  readonly receivedAtMs: number
}

/**
 * The decision pipeline, in five steps: plan the rules for an event, evaluate them, combine their answers, lift what a
 * person has let through, and settle what rules have rewritten, which takes the rewritten call through the same steps.
 */
export async function decide(event: HookEvent, deciding: DecisionContext): Promise<Verdict> {
  const judging = judge(event, deciding)
  // Awaited only if a rule has to be asked: for most events, none is.
  const sent = judging instanceof Promise ? await judging : judging
  // A person lets through what would run, so a grant counts once that is known.
  const unlifted = rewriteOf(event, sent.verdict)
  const first = unlifted === undefined && isLiftable(sent, deciding) ? await lift(sent, deciding) : sent
  const rewrite = unlifted ?? rewriteOf(event, first.verdict)
  const last = rewrite === undefined ? await withSettledOutput(first, deciding) : await settle(first, rewrite, deciding)
  const { place: step, saw } = last
  const verdict = step === undefined ? last.verdict : Object.freeze({ ...last.verdict, step, ...given('saw', saw) })
  if (deciding.rules.prepared(anyLooksBack)) await tell(event, last, deciding)
  return deciding.stops.settle(event, withContact(event, verdict, deciding.rules))
}

/** Tells what became of an event to those that will look back at it. */
async function tell(event: HookEvent, { happening, told, verdict, toolFacts }: Round, deciding: DecisionContext) {
  const byPast = await loadByPast()
  if (event.name !== 'PreToolUse') await byPast.tellReport(event, toolFacts, deciding)
  else if (happening !== undefined) await byPast.tellEnd(happening, told, verdict.decision, deciding)
}

/** Whether a rule looks at what happened before: then every call is kept, for those that come after it. */
const anyLooksBack = ({ rules }: RuleSet): boolean => rules.some(looksBack)

/** Loaded once, with the first rule that looks back: a further `import()` would cost each decision as much as its step. */
const loadByPast = memoize(() => import('./by-past.ts'))

/** Names whom to ask where an action was refused or asked about, and not the end of a turn. */
function withContact({ tool, prompt }: HookEvent, verdict: Verdict, { contact }: RuleSet): Verdict {
  const isOfAction = (tool ?? prompt) !== undefined && restricts(verdict.decision)
  return contact === undefined || !isOfAction ? verdict : Object.freeze({ ...verdict, contact })
}

/** The answers of the rules about one call, and the verdict that they make. */
interface Round extends JudgedCall, Judgement {
  readonly combine: (evaluations: readonly Evaluation[]) => Verdict
  readonly toolFacts: () => Promise<ToolFacts>
  /** The call as what comes after it will see it, and what was told of it. Absent where no rule looks back. */
  readonly happening?: Happening
  readonly told?: StepOutcome | undefined
  /** The place of the last step that the call's rules have seen. */
  readonly place?: number | undefined
  readonly saw?: SeenOfPast | undefined
}

/** The questions about one event. */
interface PlannedEvent {
  readonly event: HookEvent
  readonly plan: Plan
  readonly alarms: readonly string[]
  /** Conditions (`if`), built-in rules and policies use the same facts. */
  readonly toolFacts: () => Promise<ToolFacts>
}

/** Plans, evaluates and combines. @param author the rule that rewrote the event, which does not judge it */
function judge(event: HookEvent, deciding: DecisionContext, author?: string): Round | Promise<Round> {
  const planned = planFrom(event, deciding, author)
  return planned instanceof Promise ? planned.then((one) => answersTo(one, deciding)) : answersTo(planned, deciding)
}

function answersTo(planned: PlannedEvent, deciding: DecisionContext): Round | Promise<Round> {
  if (deciding.rules.prepared(anyLooksBack)) return judgeByPast(planned, deciding)
  if (planned.plan.rules.length > 0 || planned.alarms.length > 0 || mayCarry(planned.event, deciding.rules))
    return evaluate(planned, deciding).then((judged) =>
      combineAll({ ...planned, plan: judged.plan }, judged.evaluations),
    )
  return { ...planned, evaluations: [], shell: undefined, verdict: abstention, combine: () => abstention }
}

/** Judges an event where rules look back: they come last, so that those after them see what becomes of the call. */
async function judgeByPast(planned: PlannedEvent, deciding: DecisionContext): Promise<Round> {
  const { event, toolFacts, plan } = planned
  const byPast = await loadByPast()
  const { others, lookingBack, both } = byPast.divide(plan)
  // What became of a call is told by what was known of it before: its facts need not be found once more.
  if (event.name !== 'PreToolUse' && lookingBack.rules.length === 0) {
    const { plan: own, evaluations } = await evaluate(planned, deciding)
    return combineAll({ ...planned, plan: own }, evaluations)
  }
  const happening = await byPast.describe(event, toolFacts)
  // Rules that judge what a call carries may look back too.
  const before = mayCarry(event, deciding.rules) ? await byPast.viewBefore(happening, event, deciding) : undefined
  const first = await evaluate({ ...planned, plan: others }, { ...deciding, view: before })
  const whole = first.plan === others ? both : new Plan([...new Set([...first.plan.rules, ...lookingBack.rules])])
  const { env } = deciding.surroundings
  const tokens = await byPast.tokensBefore(event, lookingBack, deciding, { env, home: homeFolder(env['HOME']) })
  const { judged, told, place, reused } = await byPast.judgedByPast(happening, event, deciding, async (view) => {
    const seen = typeof view === 'string' ? view : { ...view, tokens }
    const last = await evaluateOwn({ ...planned, plan: lookingBack }, { ...deciding, view: seen })
    const round = await combineAll({ ...planned, plan: whole }, [...first.evaluations, ...last.evaluations])
    // What a call is rewritten to is another call, which is told when it is judged.
    const isTold = event.name === 'PreToolUse' && rewriteOf(event, round.verdict) === undefined
    return { judged: round, outcome: isTold ? byPast.outcomeOf(round.verdict.decision) : undefined }
  })
  const spent = tokens !== undefined && 'session' in tokens ? tokens : undefined
  const saw =
    spent === undefined && reused === undefined ? undefined : { ...given('tokens', spent), ...given('reused', reused) }
  return { ...judged, happening, told, place, saw }
}

/** Step 1. Returns at once where no rule needs facts to be planned. */
function planFrom(
  event: HookEvent,
  deciding: DecisionContext,
  author: string | undefined,
): PlannedEvent | Promise<PlannedEvent> {
  const { rules } = deciding
  const toolFacts = memoize(() => deciding.toolFacts(event))
  const planned = (shell?: ShellFacts): PlannedEvent => ({
    event,
    plan: without(author, planFor(event, rules, shell)),
    alarms: alarmsAt(event, rules),
    toolFacts,
  })
  return needsShellFacts(event, rules) ? shellFactsOf(toolFacts).then(planned) : planned()
}

const without = (author: string | undefined, plan: Plan): Plan =>
  author === undefined ? plan : new Plan(plan.rules.filter(({ id }) => id !== author))

/** Step 2: runs every rule of the plan, and those for commands that the call carries; takes back what exceptions cover. */
async function evaluate(planned: PlannedEvent, deciding: DecisionContext) {
  const { event, toolFacts } = planned
  const own = await ran(planned, deciding)
  const whole = mayCarry(event, deciding.rules) ? await withCarried(event, own, toolFacts, deciding) : own
  return excepted(whole, planned, deciding)
}

/** The same for a call's own rules only, and not for those that judge what it carries. */
const evaluateOwn = async (planned: PlannedEvent, deciding: DecisionContext) =>
  excepted(await ran(planned, deciding), planned, deciding)

type Ran = Pick<Round, 'plan' | 'evaluations'>

async function ran({ event, plan, toolFacts }: PlannedEvent, deciding: DecisionContext): Promise<Ran> {
  const evaluations = await run(plan, event, { ...deciding, toolFacts })
  return { plan, evaluations: deciding.decidedHooks.settle(plan, evaluations) }
}

async function excepted(
  { plan, evaluations }: Ran,
  { event, toolFacts }: PlannedEvent,
  deciding: DecisionContext,
): Promise<Ran> {
  if (deciding.rules.exceptions.length === 0) return { plan, evaluations }
  const context = exceptingContext(event, { ...deciding, toolFacts })
  return { plan, evaluations: await withExceptions(plan, evaluations, event, context) }
}

/** Step 3: makes one verdict of all answers. */
async function combineAll(planned: PlannedEvent, evaluations: readonly Evaluation[]): Promise<Round> {
  const { event, plan, alarms, toolFacts } = planned
  const shell = evaluations.some(namesCommands) ? await shellFactsOf(toolFacts) : undefined
  await turn()
  const combined = (some: readonly Evaluation[]) => combine(plan, some, event, alarms, shell)
  return { event, plan, evaluations, shell, toolFacts, combine: combined, verdict: combined(evaluations) }
}

/** Has each rule that replaces an output see what those before it have made of it, and makes one verdict of that. */
async function withSettledOutput(judged: Round, deciding: DecisionContext): Promise<Round> {
  const { event, plan, evaluations, happening, toolFacts } = judged
  if (!evaluations.some(replacesOutput)) return judged
  const { settleOutput } = await import('./replaced-output.ts')
  const settled = await settleOutput(plan, evaluations, event, async (rule, changed) => {
    const view = happening === undefined ? undefined : await (await loadByPast()).viewBefore(happening, event, deciding)
    const [made] = await run(new Plan([rule]), changed, { ...deciding, toolFacts, view })
    return made ?? { kind: 'notApplicable', ruleId: rule.id, durationMs: 0 }
  })
  return settled === evaluations ? judged : { ...judged, evaluations: settled, verdict: judged.combine(settled) }
}

const replacesOutput = (one: Evaluation): boolean =>
  one.kind === 'applicable' && one.obligations.some(({ kind }) => kind === 'replaceOutput')

/** Step 4: lifts a refusal, or a question, as far as a person has granted it. */
async function lift(judged: Round, deciding: DecisionContext): Promise<Round> {
  const { event, toolFacts } = judged
  const { refusals } = deciding
  if (refusals === undefined || !isLiftable(judged, deciding)) return judged
  const excepting = exceptingContext(event, { ...deciding, toolFacts })
  const asking = await askingAbout(event, deciding)
  const verdict = await (
    await loadLift()
  ).liftedOrKept(event, judged, {
    ...excepting,
    refusals,
    contact: deciding.rules.contact,
    combine: judged.combine,
    asking,
    gatherFacts: deciding.gatherFacts,
    shellOf: deciding.shellOf,
  })
  return { ...judged, evaluations: verdict.evaluations, verdict }
}

/**
 * Step 5: has all other rules judge what a rewrite makes of a call, and joins that with what was said of the call as it
 * was sent: nobody's rewrite goes past anybody's rule.
 */
async function settle(sent: Round, rewrite: Rewrite, deciding: DecisionContext): Promise<Round> {
  const event = await rewrittenEvent(sent.event, rewrite, deciding)
  if (typeof event === 'string') {
    const evaluations = refusedRewrite(sent.evaluations, rewrite, event)
    return lift({ ...sent, evaluations, verdict: sent.combine(evaluations) }, deciding)
  }
  const made = await judge(event, deciding, rewrite.author)
  const both = joined(sent, made, rewrite)
  const rewritten = { by: rewrite.by, tool: event.tool, cwd: event.session.cwd }
  const alarms = alarmsAt(event, deciding.rules)
  const combined = (some: readonly Evaluation[]): Verdict => {
    const verdict = combine(both.plan, some, event, alarms, made.shell)
    return Object.freeze({ ...verdict, reason: reasonOfRewritten(verdict, event.tool, rewrite), rewritten })
  }
  return lift({ ...made, ...both, combine: combined, verdict: combined(both.evaluations) }, deciding)
}

/** Puts another input into a call, in the words of the agent that sent it. Returns why that can't be done. */
async function rewrittenEvent(
  event: HookEvent,
  { input }: Rewrite,
  { dialectOf, surroundings }: DecisionContext,
): Promise<CallEvent | string> {
  try {
    return (await dialectOf(event.agent)).withInput(event, input, surroundings)
  } catch (error) {
    return `it rewrites the call into one that cannot be judged: ${errorText(error)}`
  }
}

const isLiftable = ({ event, verdict }: Round, { refusals }: DecisionContext) =>
  refusals !== undefined && isOfRefusedCall(event, verdict)

/** Returns the means to ask a person about a call; `undefined` if no file of rules turns approvals on. */
async function askingAbout(event: HookEvent, deciding: DecisionContext): Promise<AskingMeans | undefined> {
  const { approvals, rules, signal, receivedAtMs } = deciding
  const settings = rules.approvals
  if (approvals === undefined || settings === undefined) return undefined
  const dialect = await deciding.dialectOf(event.agent)
  const answerMs = answerMsFor(event.agent, '') ?? limits.registeredAnswerMs
  const leftMs = () => receivedAtMs + answerMs - performance.now()
  return { approvals, settings, support: dialect.support(event), leftMs, signal }
}

const namesCommands = (evaluation: Evaluation) => evaluation.kind === 'applicable' && evaluation.commands !== undefined

/** Loaded with the first refusal: most processes that decide one event need none of it. A resident gate loads it at once. */
export const loadLift = () => import('./lift.ts')

function exceptingContext(event: HookEvent, deciding: DecisionContext): ExceptingContext {
  return {
    exceptions: deciding.rules.exceptions,
    nowMs: deciding.surroundings.nowMs,
    toolFacts: () => deciding.toolFacts(event),
    evaluateAgain: (rule, facts) => run(new Plan([rule]), event, { ...deciding, toolFacts: async () => facts }),
  }
}

/** Returns what a person has to know about the rules and the agent itself, whatever the event. */
function alarmsAt(event: HookEvent, rules: RuleSet): readonly string[] {
  // An agent that is switched off sends nothing: another one says so.
  if (event.name === 'SessionStart')
    return [...rules.alarms, ...Object.values(rules.notAsking).flat(), ...observingNotice(rules)]
  const notAsking = rules.notAsking[event.agent] ?? []
  return notAsking.length === 0 ? rules.alarms : [...rules.alarms, ...notAsking]
}

/** Says once a session that rules only observe, lest someone relies on them. */
function observingNotice({ rules }: RuleSet): readonly string[] {
  const observing = rules.filter(({ mode }) => mode === 'observe').length
  return observing === 0
    ? []
    : [
        `${observing} of hookgate's ${counted(rules.length, 'rule')} only ${observing === 1 ? 'records what it' : 'record what they'} would refuse`,
      ]
}

/** INVARIANT: facts that cannot be determined are `undefined`, never empty, which would mean that nothing runs. */
async function shellFactsOf(toolFacts: () => Promise<ToolFacts>): Promise<ShellFacts | undefined> {
  try {
    return (await toolFacts()).shell
  } catch {
    return undefined
  }
}
