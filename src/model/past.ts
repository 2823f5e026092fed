import { z } from 'zod'
import { ToolKind } from './event.ts'
import { impactAreas, impactKinds, impactThings } from './impact.ts'
import { Json } from './json.ts'
import { pastLimits } from './past-limits.ts'

/**
 * What became of a call, or of a prompt. `refused`, `asked` and `allowed` are said before a call, by hookgate; `approved`
 * follows `refused` or `asked` where a person let the call through; `done` and `failed` are said after it, by the agent.
 * `cleared` is no call: a person has had one state begin anew.
 */
export const stepOutcomes = [
  'refused',
  'asked',
  'allowed',
  'approved',
  'done',
  'failed',
  'prompted',
  'cleared',
] as const
export const StepOutcome = z.enum(stepOutcomes)
export type StepOutcome = z.infer<typeof StepOutcome>
/** The outcomes that rules may count. */
export const CountedOutcome = StepOutcome.exclude(['cleared'])

const StepImpact = z.object({
  kind: z.enum(impactKinds),
  thing: z.enum(impactThings),
  area: z.enum(impactAreas),
  names: z.array(z.string()).readonly(),
})

const StepPath = z.object({ access: z.enum(['read', 'write', 'delete', 'execute']), path: z.string() })

/**
 * One thing that happened in a session, as much of it as rules may count: what states are folded from. It is kept, so it
 * has no content and no secret.
 */
export const Step = z.object({
  /** When, ms since the epoch, as in `HookEvent`. */
  atMs: z.number(),
  agent: z.string(),
  /** The session's id; a sub-agent's steps are its parent's. */
  session: z.string(),
  agentId: z.string().optional(),
  /** The workspace's first folder. */
  workspace: z.string(),
  outcome: StepOutcome,
  /** Of a `cleared` step: the rule by its id, and its state by name. */
  cleared: z.object({ rule: z.string(), state: z.string() }).optional(),
  /** The agent's id of the call, the same before and after it. */
  call: z.string().optional(),
  tool: ToolKind.optional(),
  /** The agent's name for the tool, `mcp__<server>__<tool>` for those of MCP servers. */
  name: z.string().optional(),
  /** The call as people are shown it, secrets masked. */
  text: z.string(),
  /** Equal for calls that are the same but for counters, times and random names. */
  key: z.string(),
  /** The programs of a shell command, each with its first operand: `git push`, `npm test`. */
  commands: z.array(z.string()).readonly(),
  impacts: z.array(StepImpact).readonly(),
  /** Paths below the workspace relative to it, others absolute. */
  paths: z.array(StepPath).readonly(),
  /** The hosts that it contacts, and the repository of a forge; of a prompt, the hosts and addresses that it names. */
  hosts: z.array(z.string()).readonly(),
  /** Set if its output is what others have written: a page, a search, an issue, what a tool of a server says. */
  bringsOutside: z.literal(true).optional(),
})
export type Step = Readonly<z.infer<typeof Step>>

/** A step with its place in the order of all steps. */
export interface KeptStep extends Step {
  readonly seq: number
}

const oneOrMore = <Schema extends z.ZodType>(one: Schema) => z.union([one, z.array(one).min(1).readonly()])

/** `delete`, `infrastructure`, `kubernetes`, or a kind and a thing: `show secret`. */
const impactWords: ReadonlySet<string> = new Set([...impactKinds, ...impactThings, ...impactAreas])
const isImpact = (text: string): boolean => {
  const [kind = '', thing, ...more] = text.split(' ')
  if (thing === undefined) return impactWords.has(kind)
  return more.length === 0 && impactKinds.some((one) => one === kind) && impactThings.some((one) => one === thing)
}
const ImpactText = z
  .string()
  .refine(isImpact, { error: 'must be a kind, a thing or an area of impacts, or a kind and a thing: `show secret`' })

/**
 * Which steps a state is about: those that fit every key that is given. Of a list, one text suffices. In texts, `*` is any
 * text.
 */
export const StepCondition = z.strictObject({
  /** Default: `allowed` and `approved`, so that each call that may run counts once, before it runs. */
  outcome: oneOrMore(CountedOutcome).optional(),
  /** Kinds of tools, or names: `mcp__github__*`. */
  tool: oneOrMore(z.string().min(1)).optional(),
  /** A shell command by its program and perhaps its first operand: `git push`, `npm`. */
  command: oneOrMore(z.string().min(1)).optional(),
  impact: oneOrMore(ImpactText).optional(),
  access: oneOrMore(StepPath.shape.access).optional(),
  /** A path below the workspace (`src/*`), or an absolute one; with `access`, one that is touched so. */
  path: oneOrMore(z.string().min(1)).optional(),
  /** A host that it contacts: `*.example.com`. */
  host: oneOrMore(z.string().min(1)).optional(),
  agent: oneOrMore(z.string().min(1)).optional(),
})
export type StepCondition = Readonly<z.infer<typeof StepCondition>>

const Condition = oneOrMore(StepCondition)
/** Conditions of which a step fits one. */
export type StepConditions = StepCondition | readonly StepCondition[]

/** Whose steps: of the session with its sub-agents, of all sessions in the workspace, or of the user on this machine. */
export const StateScope = z.enum(['session', 'workspace', 'user'])
export type StateScope = z.infer<typeof StateScope>

/** What steps are counted by: the value is then that of the call that is decided. */
export const stateGroups = ['call', 'tool', 'host', 'agent'] as const
export type StateGroup = (typeof stateGroups)[number]

const durationError = 'must be a number of seconds, minutes, hours or days: `30s`, `10m`, `2h`, `7d`'
/** A length of time: `30s`, `10m`, `2h`, `7d`. */
export const Duration = z.string().regex(/^[1-9]\d{0,5}[smhd]$/, { error: durationError })
const unitMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }
/** Returns a length of time in ms. @param text a `Duration` */
export const durationMs = (text: string): number => Number(text.slice(0, -1)) * (unitMs[text.slice(-1)] ?? 0)

/** Says what a state counts or keeps. People are shown it beside the state's name. */
const described = { description: z.string().min(1).optional() }
const common = { ...described, of: Condition, scope: StateScope.optional() }
const grouped = { by: z.enum(stateGroups).optional() }

/** A state that a rule declares: a fold over the earlier steps of a scope. */
export const StateDeclaration = z.discriminatedUnion('kind', [
  /** How many steps: `number`. */
  z.strictObject({
    kind: z.literal('count'),
    ...common,
    ...grouped,
    within: Duration.optional(),
    resetBy: Condition.optional(),
  }),
  /** How many in a row, up to now: `number`. Ended by `resetBy`, and by any other outcome of the same moment. */
  z.strictObject({ kind: z.literal('streak'), ...common, ...grouped, resetBy: Condition.optional() }),
  /** Whether one happened, and nothing of `resetBy` after it: `boolean`. */
  z.strictObject({ kind: z.literal('since'), ...common, within: Duration.optional(), resetBy: Condition }),
  /** The first step that set it, and stays: `SeenStep`, or `undefined` if nothing did. */
  z.strictObject({ kind: z.literal('label'), ...common, clearedBy: Condition.optional() }),
  /** What is spent and left of a number of steps: `{ spent, left, exhausted }`. */
  z.strictObject({
    kind: z.literal('budget'),
    ...common,
    ...grouped,
    cap: z.int().min(1).max(pastLimits.stateCountMax),
    window: Duration.optional(),
  }),
  /** The latest step: `SeenStep`, or `undefined` if there is none. */
  z.strictObject({ kind: z.literal('last'), ...common }),
  /** Whether the call holds a secret that an output has shown: `ReusedValue`, or `undefined` if it holds none. */
  z.strictObject({ kind: z.literal('reused'), ...described, scope: z.literal('session').optional() }),
  /** Whatever the policy's own `reduce` makes of `initial` and the steps. */
  z.strictObject({
    kind: z.literal('custom'),
    ...described,
    of: Condition.optional(),
    scope: StateScope.optional(),
    initial: Json,
    /** Stands for the function, which stays in the sandbox. */
    reduce: z.literal(true),
  }),
])
export type StateDeclaration = Readonly<z.infer<typeof StateDeclaration>>
export type StateKind = StateDeclaration['kind']

/** A step as a state shows it. */
export interface SeenStep {
  readonly atMs: number
  /** The call as people are shown it. */
  readonly text: string
  readonly outcome: StepOutcome
  readonly names: readonly string[]
  readonly hosts: readonly string[]
  readonly paths: readonly string[]
}

/** A secret that an output of the session has shown, and that the call which is decided holds. */
export interface ReusedValue {
  /** As it is, a part of it, in base64, hexadecimal or the like; `unknown` if there is too much to look through. */
  readonly form: 'whole' | 'part' | 'encoded' | 'unknown'
  /** The call whose output has shown it. Absent if the form is unknown. */
  readonly step?: SeenStep
}

/** What a call spends of a budget. */
export interface BudgetState {
  readonly spent: number
  readonly left: number
  readonly exhausted: boolean
}
