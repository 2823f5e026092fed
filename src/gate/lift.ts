import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { restricts } from '../model/effect.ts'
import { type AskingMeans, askPerson, type RefusingAnswer } from './approvals/ask-person.ts'
import { onFailureAt, weigh } from './combine/weigh.ts'
import { type ExceptingContext, mayExcept, withExceptions } from './exceptions/except.ts'
import { exceptionFrom, proposeAll } from './exceptions/propose.ts'
import type { HookEvent } from '../model/event.ts'
import type { Evaluation } from '../model/evaluation.ts'
import type { Exception } from '../model/exception.ts'
import { type Grant, type KeptException, liftedBy, type RefusingRule, withoutUnset } from '../model/refusal.ts'
import { isPolicyRule, type Plan } from '../model/rule.ts'
import type { Verdict } from '../model/verdict.ts'
import { maskSecrets } from '../mask/mask.ts'
import { maskText, type ShellOf } from './shown-text.ts'
import { callDigest, type Refusals } from '../files/state/refusals.ts'
import { isOfRefusedCall, refusalOf, subjectOf } from './memory/stop-refusals.ts'
import { shortRuleId } from '../rules/match/word-pattern.ts'
import { realPath } from '../files/real-path.ts'
import type { FactRequest, FactValue } from '../model/policy.ts'
import type { ToolFacts } from '../model/tool-facts.ts'
import { factRequestsOf } from '../policy/policies.ts'
import { sha256Of } from '../files/digest.ts'

/** The evaluations of a plan and the verdict that they make. */
export interface Judgement {
  readonly plan: Plan
  readonly evaluations: readonly Evaluation[]
  readonly verdict: Verdict
}

/** `exceptions` are those that have been applied. */
interface LiftContext extends ExceptingContext, Pick<CircumstanceSources, 'gatherFacts'> {
  readonly refusals: Refusals
  /** Whom to ask for an exception to a managed rule. */
  readonly contact?: string | undefined
  readonly combine: (evaluations: readonly Evaluation[]) => Verdict
  readonly shellOf: ShellOf
  /** The means to ask a person; `undefined` if hookgate asks nobody by itself. */
  readonly asking: AskingMeans | undefined
}

/**
 * Lifts the refusal of a call, or the question about one, as far as a person has granted it with `hookgate allow`. What
 * remains is kept under an id, for that command, and a person may be asked about it. A store that fails costs the id and
 * the question, not the answer.
 */
export async function liftedOrKept(event: HookEvent, judged: Judgement, context: LiftContext): Promise<Verdict> {
  const { refusals } = context
  const excepted = await exceptedForSession(event, judged, refusals.grants(), context)
  const answers = refusingAnswers(event, excepted)
  const call = await circumstancesOf(event, answers, context)
  const left = byGrant(call, answers, excepted, context)
  const { decision } = left.verdict
  if (!isOfRefusedCall(event, left.verdict) || decision === 'abstain') return left.verdict
  const rules = await refusingRules(event, left, context)
  const subject = await maskText(subjectOf(event), context.shellOf)
  const id = refusals.keep(refusalOf(event, decision, rules, call, subject))
  if (id === undefined) return left.verdict
  const verdict = Object.freeze({ ...left.verdict, id, ...(isLiftable(rules) && { liftable: true as const }) })
  return context.asking === undefined
    ? verdict
    : answeredByPerson(event, { ...left, verdict }, id, context.asking, context)
}

async function answeredByPerson(
  event: HookEvent,
  { plan, evaluations, verdict }: Judgement,
  id: string,
  asking: AskingMeans,
  { refusals, combine, toolFacts, shellOf }: LiftContext,
): Promise<Verdict> {
  const kept = refusals.find(id)
  if (kept === undefined) return verdict
  const commands = event.tool?.kind === 'shell' ? (await toolFacts()).shell.commands : []
  const answers = refusingAnswers(event, { plan, evaluations })
  return askPerson({ event, kept, commands, shellOf, verdict, evaluations, answers, combine }, asking)
}

const isLiftable = (rules: readonly RefusingRule[]) =>
  rules.length > 0 && rules.every(({ obstacle }) => obstacle === undefined)

async function exceptedForSession(
  event: HookEvent,
  judged: Judgement,
  grants: readonly Grant[],
  context: LiftContext,
): Promise<Judgement> {
  const granted = grants.flatMap((grant) =>
    grant.kind === 'session' && grant.session === event.session.id ? sessionExceptions(grant) : [],
  )
  if (granted.length === 0) return judged
  // Together with the others: a call may need both.
  const exceptions = [...context.exceptions, ...granted]
  const evaluations = await withExceptions(judged.plan, judged.evaluations, event, { ...context, exceptions })
  return { ...judged, evaluations, verdict: context.combine(evaluations) }
}

const sessionExceptions = ({ id, session, exceptions, endsAtMs }: Extract<Grant, { kind: 'session' }>) =>
  exceptions.flatMap((one): readonly Exception[] => {
    const made = exceptionFrom(withoutUnset(one), 'user', `hookgate allow ${id} --session`, { session, endsAtMs })
    return made === undefined ? [] : [made]
  })

/** Uses a grant for this very call, if it covers every rule that refuses the call now. @param call see `circumstancesOf` */
function byGrant(
  call: string,
  refusing: readonly RefusingAnswer[],
  judged: Judgement,
  { refusals, contact, combine }: LiftContext,
): Judgement {
  if (refusing.length === 0 || refusing.some((one) => obstacleOf(one, contact) !== undefined)) return judged
  const fitting = refusals
    .grants()
    .filter((grant) => grant.kind !== 'session')
    .filter((grant) => grant.call === call)
    .filter(({ rules }) => refusing.every(({ rule }) => rules.includes(rule.id)))
  // Another call may have used one of several up. What holds for a time costs nothing to use.
  const grant =
    fitting.find(({ kind }) => kind === 'while') ??
    fitting.toSorted((a, b) => nthOf(a) - nthOf(b)).find((one) => refusals.use(one))
  if (grant === undefined) return judged
  const lifted = new Set(refusing.map(({ evaluation }) => evaluation))
  const evaluations = judged.evaluations.map((one) => (lifted.has(one) ? taken(one, grant) : one))
  return { ...judged, evaluations, verdict: combine(evaluations) }
}

type CallGrant = Exclude<Grant, { kind: 'session' }>

const nthOf = (grant: CallGrant) => (grant.kind === 'once' ? (grant.nth ?? 0) : 0)

const flagOf = (grant: CallGrant) =>
  grant.kind === 'while' ? '--for' : grant.nth === undefined ? '--once' : `--times (use ${grant.nth})`

function taken({ ruleId, durationMs, severity, remarks = [] }: Evaluation, grant: CallGrant): Evaluation {
  const kept = severity === undefined ? { ruleId, durationMs } : { ruleId, durationMs, severity }
  const remark = `${liftedBy}hookgate allow ${grant.id} ${flagOf(grant)}`
  return { kind: 'notApplicable', ...kept, remarks: [...remarks, remark] }
}

/** Returns the answers that refuse or ask, each of which would remain if the others were lifted. */
function refusingAnswers(
  { name }: HookEvent,
  { plan, evaluations }: Pick<Judgement, 'plan' | 'evaluations'>,
): readonly RefusingAnswer[] {
  const rules = new Map(plan.rules.map((rule) => [rule.id, rule]))
  return evaluations.flatMap((evaluation) => {
    const rule = rules.get(evaluation.ruleId)
    if (rule === undefined || rule.mode === 'observe') return []
    const decision = weigh(evaluation, onFailureAt(name, rule, evaluation))
    return restricts(decision) ? [{ rule, evaluation, decision }] : []
  })
}

/** Says why no person can lift an answer; `undefined` if one can. */
function obstacleOf({ rule, evaluation }: RefusingAnswer, contact: string | undefined): string | undefined {
  const { source } = rule
  if (evaluation.kind === 'notApplicable') return undefined
  if (evaluation.failure !== undefined) return `the rule failed: ${evaluation.failure.message}`
  if (mayExcept({ scope: 'user' }, rule)) return undefined
  if (source.id === 'hookgate:') return 'hookgate protects itself, and nothing lifts that'
  const ask = contact === undefined ? '' : `: ask ${contact}`
  // Its file is read from memory, and nobody finds it on the disk.
  if (source.bundled === true) {
    return `it is one of the signed rules of this machine: only whoever signs them, or administers the machine, can except it${ask}`
  }
  return source.scope === 'managed'
    ? `${source.file} is managed: only whoever administers this machine can except it there${ask}`
    : `${source.file} was named on the command line, or by the program that runs hookgate: change it there`
}

/** Returns the rules that refuse a call or ask about it, each with the exceptions that would lift what it says. */
export async function refusingRules(
  event: HookEvent,
  { plan, evaluations }: Pick<Judgement, 'plan' | 'evaluations'>,
  context: ExceptingContext & Pick<LiftContext, 'contact'>,
): Promise<readonly RefusingRule[]> {
  const answers = refusingAnswers(event, { plan, evaluations })
  const proposed = await proposeAll(plan, evaluations, event, context, (some) =>
    refusingAnswers(event, { plan, evaluations: some }).filter((one) => obstacleOf(one, context.contact) === undefined),
  )
  return answers.slice(0, refusalRulesMax).map((answer, index) => {
    const isLast = index === refusalRulesMax - 1 && answers.length > refusalRulesMax
    const obstacle = isLast
      ? `${answers.length} rules refuse it: change the rules instead`
      : obstacleOf(answer, context.contact)
    return refusingRule(answer, obstacle, proposed.get(answer.rule.id))
  })
}
/** Rules of one refusal that are kept. A call that more rules refuse cannot be allowed by `hookgate allow`. */
export const refusalRulesMax = 8

function refusingRule(
  { rule, evaluation, decision }: RefusingAnswer,
  obstacle: string | undefined,
  exceptions: readonly KeptException[] | undefined,
): RefusingRule {
  const { reason } = evaluation.kind === 'applicable' ? evaluation : {}
  const failed = evaluation.kind === 'notApplicable' ? undefined : evaluation.failure?.message
  // A secret is not written down, and masked it would match nothing.
  const isPlain = exceptions?.every(({ command = '', path = '' }) => maskSecrets(command + path) === command + path)
  return {
    id: rule.id,
    name: shortRuleId(rule),
    effect: decision,
    reason: reason ?? failed ?? '',
    ...(evaluation.severity !== undefined && { severity: evaluation.severity }),
    file: rule.source.file,
    params: rule.handler.kind === 'policy' ? Object.keys(rule.handler.params) : [],
    ...(obstacle !== undefined && { obstacle }),
    ...(isPlain === true && exceptions !== undefined && { exceptions }),
  }
}

/** The size of a program up to which a grant is bound to its content, and not to its time: scripts are smaller. */
const grantScriptBytesMax = 1_000_000

/** Programs by a path, which one call starts, to whose contents a grant is bound; to those behind by their time. */
const grantScriptsMax = 20

/** Words of one call that are looked up as names of remotes, to which a grant is bound. */
const grantRemotesMax = 100

/** Folders of one call whose branch and remotes a grant is bound to. */
const grantFoldersMax = 16

/** The means to look up what a refusal hangs on. */
interface CircumstanceSources {
  readonly toolFacts: () => Promise<ToolFacts>
  readonly gatherFacts: (requests: readonly FactRequest[]) => Promise<readonly FactValue[]>
}

/**
 * Returns a digest of a refused call and of what its refusal hangs on, to which a person's permission is bound: the real
 * folders, the commands with the scripts that the facts have read, the programs of the user's that it starts, the
 * branch and the remotes, the facts of the policies that refuse it, and what each rule said.
 *
 * Not in it: what the call itself changes, and every file that it only reads. A permission for three calls has to hold
 * for the third.
 */
async function circumstancesOf(
  event: HookEvent,
  answers: readonly RefusingAnswer[],
  { toolFacts, gatherFacts }: CircumstanceSources,
): Promise<string> {
  const facts = await toolFacts().catch(() => undefined)
  const { session, workspaceRoots } = event
  const policies = answers.flatMap(({ rule }) => (isPolicyRule(rule) ? [rule] : []))
  const requests = [...factRequestsOf(policies, event), ...gitRequests(event, facts)]
  const parts = [
    callDigest(event),
    [session.cwd, ...workspaceRoots].map(realPath),
    facts && [facts.shell, facts.paths, startedFiles(facts).map(contentDigest)],
    requests.length === 0 ? [] : await gatherFacts(requests),
    answers.map(({ rule, evaluation, decision }) => [
      rule.id,
      decision,
      // A hook may say the time of day: only a policy says the same of the same.
      isPolicyRule(rule) && evaluation.kind === 'applicable' ? evaluation.reason : undefined,
    ]),
  ]
  return sha256Of(JSON.stringify(parts))
}

/** Asks for the branch and the remotes where a shell command works. A word that names no remote is a remote that is missing. */
function gitRequests({ session, tool }: HookEvent, facts: ToolFacts | undefined): readonly FactRequest[] {
  if (tool?.kind !== 'shell') return []
  const commands = facts?.shell.commands ?? []
  const roots = new Set([session.cwd, ...commands.flatMap(({ cwd }) => cwd ?? [])].slice(0, grantFoldersMax))
  const words = commands
    .flatMap(({ args }) => args.map(({ value }) => value))
    .filter((word) => /^\w[\w.-]*$/.test(word))
  const remotes = [...new Set(['origin', ...words])].slice(0, grantRemotesMax)
  const declarations = [{ gitBranch: true as const }, ...remotes.map((gitRemote) => ({ gitRemote }))]
  return [...roots].flatMap((root) => declarations.map((declaration) => ({ declaration, root, trusted: true })))
}

const startedFiles = ({ paths }: ToolFacts): readonly string[] => [
  ...new Set(paths.flatMap(({ access, absolute }) => (access === 'execute' && absolute ? [absolute] : []))),
]

/** A large program, and each behind the first ones, is known by its size and by when it was last changed in any way. */
function contentDigest(file: string, at: number): readonly (string | number)[] {
  let descriptor: number
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch {
    return [file]
  }
  try {
    const stats = fstatSync(descriptor)
    if (!stats.isFile() || stats.size > grantScriptBytesMax || at >= grantScriptsMax)
      return [file, stats.size, stats.ctimeMs]
    const bytes = Buffer.alloc(stats.size)
    readSync(descriptor, bytes)
    return [file, sha256Of(bytes)]
  } catch {
    return [file]
  } finally {
    closeSync(descriptor)
  }
}
