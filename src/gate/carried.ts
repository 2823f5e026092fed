import type { HookEvent } from '../model/event.ts'
import type { Evaluation } from '../model/evaluation.ts'
import { memoize } from '../model/lazy.ts'
import { isPolicyRule, Plan, type RuleSet } from '../model/rule.ts'
import type { CarriedCommands, ToolFacts } from '../model/tool-facts.ts'
import { asLater } from '../policy/policy-input.ts'
import { evaluatePolicies, type PolicyDependencies, PolicyList } from '../policy/policies.ts'
import { planFor } from '../rules/plan.ts'

/** What evaluating carried commands depends on. The facts of an event are asked for by the event. */
type CarriedDependencies = PolicyDependencies & { readonly rules: RuleSet }

/** A plan with the policies that have judged carried commands, and what they said. */
interface JudgedPlan {
  readonly plan: Plan
  readonly evaluations: readonly Evaluation[]
}

const none: readonly CarriedCommands[] = []

/**
 * Returns whether policies may have to judge commands that a call does not run itself: those that it writes into a file,
 * or tells another agent to run.
 */
export const mayCarry = ({ name, tool }: HookEvent, rules: RuleSet): boolean =>
  name === 'PreToolUse' &&
  tool !== undefined &&
  /^(?:shell|write|edit|agent|mcp)$/.test(tool.kind) &&
  rules.prepared(anyJudges)

/**
 * Has policies that are for carried commands judge these as if a shell tool ran them, and lowers a refusal to a question:
 * nothing runs yet, and each place where they run has guards of its own.
 */
export async function withCarried(
  event: HookEvent,
  { plan, evaluations }: JudgedPlan,
  toolFacts: () => Promise<ToolFacts>,
  deciding: CarriedDependencies,
): Promise<JudgedPlan> {
  const facts = await toolFacts().catch(() => undefined)
  // Where the facts fail, every policy of the plan has failed with them.
  const carried = [...(facts?.carried ?? none)]
  const direct = carried.length
  const judged: Evaluation[] = []
  const rules = new Set(plan.rules)
  for (const [at, one] of carried.entries()) {
    const own = policiesFor(event, one, deciding.rules)
    // oxlint-disable-next-line no-await-in-loop -- a call carries the commands of one file, or of two
    const { answers, written } = await answersOf(event, one, own, deciding)
    // What these write in turn is judged as well, and no more than that.
    if (at < direct) carried.push(...written)
    for (const evaluation of answers) {
      judged.push(evaluation)
      const rule = own.rules.find(({ id }) => id === evaluation.ruleId)
      if (rule !== undefined) rules.add(rule)
    }
  }
  return judged.length === 0
    ? { plan, evaluations }
    : { plan: new Plan([...rules]), evaluations: [...evaluations, ...judged] }
}

interface CarriedAnswers {
  readonly answers: readonly Evaluation[]
  /** The commands that these write into files in turn. */
  readonly written: readonly CarriedCommands[]
}

/** Returns what policies object to in the new commands, and did not object to in those before. */
async function answersOf(
  event: HookEvent,
  { command, before, place, path, refusedOnly }: CarriedCommands,
  rules: PolicyList,
  deciding: CarriedDependencies,
): Promise<CarriedAnswers> {
  const later = { place, ...(path !== undefined && { file: path }) }
  const factsOf = (text: string) => {
    const one = asShellCall(event, text)
    return { one, facts: memoize(async () => asLater(await deciding.toolFacts(one), later)) }
  }
  const objections = async ({ one, facts }: ReturnType<typeof factsOf>, some: PolicyList) => {
    return (await evaluatePolicies(some, one, { ...deciding, toolFacts: facts }))
      .filter(isObjection)
      .filter(({ effect }) => refusedOnly !== true || effect === 'deny')
  }
  const now = factsOf(command)
  const found = await objections(now, rules)
  const inner = await now.facts().catch(() => undefined)
  const known =
    before === '' || found.length === 0
      ? []
      : await objections(
          factsOf(before),
          new PolicyList(rules.rules.filter(({ id }) => found.some(({ ruleId }) => ruleId === id))),
        )
  const isKnown = ({ ruleId, reason }: Objection) => known.some((one) => one.ruleId === ruleId && one.reason === reason)
  const where =
    place === 'prompt' ? 'another agent is told to run this' : `${path ?? 'a file'} would get this to run later`
  const answers = found.flatMap((one): readonly Evaluation[] => {
    if (isKnown(one)) return []
    const { commands: _, obligations: __, advice: ___, ...rest } = one
    return [{ ...rest, effect: 'ask', reason: `${where}: ${one.reason ?? ''}`, obligations: [], advice: [] }]
  })
  const written = (inner?.carried ?? none).map((one) => Object.assign({}, one, refusedOnly && { refusedOnly }))
  return { answers, written }
}

type Objection = Extract<Evaluation, { kind: 'applicable' }>

const isObjection = (evaluation: Evaluation): evaluation is Objection =>
  evaluation.kind === 'applicable' && (evaluation.effect === 'deny' || evaluation.effect === 'ask')

function asShellCall(event: HookEvent, command: string): HookEvent {
  return { ...event, tool: { kind: 'shell', name: 'shell', input: { command }, command } }
}

/** Returns the policies that judge commands at a place. */
function policiesFor(event: HookEvent, { place, command }: CarriedCommands, rules: RuleSet): PolicyList {
  const plan = planFor(asShellCall(event, command), rules)
  const known = plan.prepared(newLists)
  const found =
    known.get(place) ??
    new PolicyList(plan.rules.filter(isPolicyRule).filter(({ handler }) => handler.carried.includes(place)))
  known.set(place, found)
  return found
}

/** Makes room for a plan's policies by the place of the commands that they judge. */
const newLists = () => new Map<CarriedCommands['place'], PolicyList>()

const anyJudges = ({ rules }: RuleSet): boolean =>
  rules.some((rule) => isPolicyRule(rule) && rule.handler.carried.length > 0)
