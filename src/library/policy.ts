/**
 * `hookgate/policy`: the API for writing policies. Policies also import this module inside of their sandbox, so it and
 * its imports are pure: no packages, no Node APIs, no state.
 */
import type { CommandPlace, TextChange } from '../model/tool-facts.ts'
import type { EventName, ToolKind } from '../model/event.ts'
import type { ToolEvent } from '../model/tool-kinds.ts'
import type { OnFailure, Severity } from '../model/effect.ts'
import type { Json, JsonObject } from '../model/json.ts'
import type {
  ExampleGiven,
  ExampleWant,
  FactDeclaration,
  ParamDeclaration,
  PolicyAnswer,
  PolicyEffect,
  PolicyEvent,
  PolicyTool,
} from '../model/policy.ts'
import type { Impact } from '../model/impact.ts'
import { impactReason } from '../words/impact-words.ts'
import type { PolicyInterest } from '../model/policy-interest.ts'
import type { ShellFacts, TouchedPath } from '../model/shell.ts'
import type { StateDeclarations, StatesOf } from './state.ts'

export type { EventName, ToolKind } from '../model/event.ts'
export type { OnFailure } from '../model/effect.ts'
export type { Json, JsonObject } from '../model/json.ts'
export type {
  ExampleGiven,
  ExampleWant,
  FactDeclaration,
  ParamDeclaration,
  PolicyAnswer,
  PolicyEffect,
  PolicyEvent,
  PolicyTool,
} from '../model/policy.ts'
export { budget, count, custom, type CustomState, label, last, reused, since, streak } from './state.ts'
export type { BudgetState, ReusedValue, SeenStep, Step, StepCondition, StepOutcome } from '../model/past.ts'
export type { PolicyInterest } from '../model/policy-interest.ts'
export type { Severity } from '../model/effect.ts'
export type {
  CodeLanguage,
  HarmDoubt,
  PathAccess,
  PathChange,
  PathRight,
  ShellAssignment,
  ShellCode,
  ShellCommand,
  ShellContainer,
  ShellFacts,
  ShellFilter,
  ShellFlow,
  ShellOutput,
  ShellBind,
  ShellLine,
  ShellReach,
  ShellRedirection,
  ShellSearch,
  ShellView,
  ShellWord,
  TouchedPath,
  ChosenProcess,
  ShellProcesses,
} from '../model/shell.ts'
export type { NetworkKind, ShellNetwork } from '../model/shell-network.ts'
export type { ChosenBy } from '../model/shell-processes.ts'
export type { Impact, ImpactArea, ImpactKind, ImpactPlace, ImpactThing } from '../model/impact.ts'
export type { TextChange } from '../model/tool-facts.ts'
export { assignmentsOf } from '../words/variables.ts'
export { type Call, callsIn } from '../words/calls.ts'
export { isOneOf, lineIn, type LineRules, type LooseLine } from '../words/loose-line.ts'
export { hostOf, isLoopback, isNearby } from '../words/request.ts'
export { namesOneOf, namesTrial, tokensOf } from '../words/names.ts'
export { type Request, requestOf } from '../words/request.ts'
export { placedName } from '../words/calls.ts'
export { impactObject, impactReason, impactText } from '../words/impact-words.ts'
export { isInside, isLike, isWithin, rootAround, wayWithin } from '../words/paths.ts'
export { plainReading, shownHost } from '../words/plain-reading.ts'
export { typedWords } from '../words/typed-words.ts'
export { unknownPart } from '../model/shell.ts'
export { type MapOf, mapOf, type SetOf, setOf, tableOf } from '../model/look-ups.ts'
export { isSecretName, leavesPersonOut, quotedName as quoted, soundsSecret, toolWords } from '../words/names.ts'
export {
  codeKeeps,
  codePrintsEnvironment,
  codeShows,
  isUnchecked,
  listsVariables,
  loadsVariables,
} from '../words/variables.ts'
export {
  type GivenOption,
  type LineRead,
  lineOf,
  lookUpsOf,
  onlyTries,
  type OptionLookUps,
  type OptionRules,
  type OptionsRead,
  readOptions,
  stateBy,
} from '../words/options.ts'

type FactDeclarations = Readonly<Record<string, FactDeclaration>>
type ParamDeclarations = Readonly<Record<string, ParamDeclaration>>
// oxlint-disable-next-line typescript/no-generated-empty-object-type -- no names at all: every other one is a mistake
type NoDeclarations = Record<never, never>

/** The value of each kind of fact, to which `FactsOf` adds `undefined`. A kind that is left out does not compile. */
type FactValues = OfEachKind<{
  exists: boolean
  json: Json
  text: string
  gitBranch: string
  gitRemote: string
  env: string
  secretVariables: readonly string[]
  hiddenSecrets: HiddenSecrets | null
}>

/** What the fact `hiddenSecrets` says of an output. */
export type HiddenSecrets = {
  /** The output without its secrets; absent if only the error of a failed call has some. */
  readonly output?: Json
  /** What was hidden: `GitHub token`, `value of DB_PASSWORD`. */
  readonly hidden: readonly string[]
}
type OfEachKind<Values extends Record<FactKind, Json>> = Values
/** The key that every declaration of one kind has: `json`, and not `pointer`. */
type FactKind = RequiredKeyOf<FactDeclaration>
type RequiredKeyOf<One> = One extends unknown
  ? { [Key in keyof One]-?: object extends Pick<One, Key> ? never : Key }[keyof One]
  : never
type FactOf<Fact> = Fact extends unknown ? FactValues[keyof Fact & FactKind] : never
type FactsOf<Facts> = { readonly [Name in keyof Facts]: FactOf<Facts[Name]> | undefined }

interface ParamTypes {
  boolean: boolean
  number: number
  string: string
  strings: readonly string[]
}
type ParamOf<Param> = Param extends { oneOf: readonly (infer Choice)[] }
  ? Choice
  : Param extends { type: infer Type extends keyof ParamTypes }
    ? ParamTypes[Type]
    : never
type ParamsOf<Params> = { readonly [Name in keyof Params]: ParamOf<Params[Name]> }

type MaybeTool<On> = [On] extends [ToolEvent] ? PolicyTool : PolicyTool | undefined
type NameOfTool = ToolKind | `mcp__${string}__${string}`

/** The argument of `decide`. Deeply frozen. */
export interface DecideInput<On, Facts, Params, States = NoDeclarations> {
  readonly event: PolicyEvent & { readonly name: On }
  /** The tool call that is about to happen or has happened. */
  readonly tool: MaybeTool<On>
  readonly facts: FactsOf<Facts>
  readonly params: ParamsOf<Params>
  /** What it counts of what happened before this event. */
  readonly state: StatesOf<States>
  /** Every command that a shell tool would run, however it is wrapped. Empty for other tools. */
  readonly shell: ShellFacts
  /** Every path that the tool touches. For a shell tool, the paths of all its commands. */
  readonly paths: readonly TouchedPath[]
  /** Changes in files: lines removed and added, and where. Empty for a tool that changes no text. */
  readonly changes: readonly TextChange[]
  /** What the call would do to what others depend on, in one vocabulary for all tools. Empty if nothing is known. */
  readonly impacts: readonly Impact[]
}

type ExampleInput<On, Facts, Params> = Omit<ExampleGiven, 'event' | 'tool' | 'facts' | 'params'> & {
  readonly event?: On
  readonly tool?: NameOfTool
  readonly facts?: Partial<FactsOf<Facts>>
  readonly params?: Partial<ParamsOf<Params>>
}

/** A policy: the events and tools it applies to, its `decide`, and examples that are checked at every load. */
export interface Policy<
  On extends EventName = EventName,
  Facts extends FactDeclarations = FactDeclarations,
  Params extends ParamDeclarations = ParamDeclarations,
  States extends StateDeclarations = StateDeclarations,
> {
  /** In kebab-case; part of the rule's id. */
  readonly id: string
  readonly description: string
  readonly on: On | readonly On[]
  /** Default: every tool. */
  readonly tool?: NameOfTool | readonly NameOfTool[]
  /**
   * The shell commands that it may answer about, so that it is not evaluated for others. Calls of which something is
   * unknown, and calls of other tools, are always of interest. Default: every shell command.
   */
  readonly interest?: PolicyInterest
  /**
   * Has the policy judge, as if a shell tool ran them, also commands that a call writes into a file of another language,
   * by where they will run: by themselves (`machine`) or when a person names them (`recipe`) on this machine, in `ci`, in a
   * `container`; or that it tells another agent to run (`prompt`). What it refuses of these is asked about. Default: only
   * what the call runs.
   */
  readonly carried?: readonly CommandPlace[]
  readonly facts?: Facts
  readonly params?: Params
  /** What it counts of what happened before: `{ fetched: count({ tool: 'fetch' }) }`. */
  readonly state?: States
  /** Severity of what the policy prevents. Reported with its decisions. */
  readonly severity?: Severity
  /** How a failure of the policy is handled if the rules file sets nothing. Default: `block`. */
  readonly onFailure?: OnFailure
  /** True: a person may let through what it refuses, where approvals are on and the rules file sets nothing. */
  readonly approvable?: boolean
  /** True: only a person at this machine may approve what it is about, and no phone, if the rules file sets nothing. */
  readonly terminalOnly?: boolean
  /** Decides an event. Pure and synchronous. Returning nothing means to abstain. */
  decide(asked: DecideInput<On, Facts, Params, States>): PolicyAnswer | readonly PolicyAnswer[] | undefined | void
  readonly examples?: readonly {
    readonly name: string
    readonly given: ExampleInput<On, Facts, Params>
    readonly want: ExampleWant
  }[]
}

/** Defines a policy. Its file exports the result as `default`. */
export function definePolicy<
  const On extends EventName,
  const Facts extends FactDeclarations = NoDeclarations,
  const Params extends ParamDeclarations = NoDeclarations,
  const States extends StateDeclarations = NoDeclarations,
>(policy: Policy<On, Facts, Params, States>): Policy<On, Facts, Params, States> {
  return Object.freeze({ ...policy })
}

/** Optional details of an answer. */
export interface AnswerDetails {
  /**
   * Index in `shell.commands` of the command that the answer is about; several if it is about all of them together.
   * `hookgate explain` shows it there, and an exception for these commands covers the answer. A text, which \`by\` of an
   * impact is for a tool of a server, is left out: such a call has one answer.
   */
  readonly at?: number | string | readonly number[] | undefined
}

const effectOf = (effect: PolicyEffect, reason?: string, { at }: AnswerDetails = {}): PolicyAnswer =>
  Object.freeze({
    effect,
    ...(reason !== undefined && { reason }),
    ...(at !== undefined && typeof at !== 'string' && { at }),
  })

/** Allows the action and skips the agent's own permission prompt. Returning nothing does not skip it. */
export const allow = (reason?: string, details?: AnswerDetails): PolicyAnswer => effectOf('allow', reason, details)
/** Makes the agent ask the person. */
export const ask = (reason: string, details?: AnswerDetails): PolicyAnswer => effectOf('ask', reason, details)
/** Refuses the action. The model reads the reason, so it should say what to do instead. */
export const deny = (reason: string, details?: AnswerDetails): PolicyAnswer => effectOf('deny', reason, details)
/** Answers to an impact: what nothing undoes is refused, all else asked about, and always what only may happen. */
export function answerTo(impact: Impact, effect: 'deny' | 'ask' | 'rated' = 'rated'): PolicyAnswer {
  const isRefused = effect === 'rated' ? impact.undo === 'never' && impact.unsure !== true : effect === 'deny'
  return (isRefused ? deny : ask)(impactReason(impact), { at: impact.by })
}
/** Returns the first refusal, or else the first question. */
export const strictest = (answers: readonly PolicyAnswer[]): PolicyAnswer | undefined =>
  answers.find((one) => 'effect' in one && one.effect === 'deny') ?? answers[0]
/** Adds text to the model's context. */
export const context = (text: string): PolicyAnswer => Object.freeze({ context: text })
/** Shows a text to the person. */
export const notice = (text: string): PolicyAnswer => Object.freeze({ notice: text })
/** Replaces the tool's whole input, with the agent's own keys. */
export const rewrite = (input: JsonObject): PolicyAnswer => Object.freeze({ rewrite: input })
/**
 * Replaces the tool's whole output before the model reads it: `event.result.output`, changed, with the same structure.
 * Agents discard what does not fit the tool.
 *
 * @param reason what was taken out, for people
 */
export const replaceOutput = (output: Json, reason?: string): PolicyAnswer =>
  Object.freeze({ replaceOutput: output, ...(reason !== undefined && { reason }) })
/** Ends the agent's turn after this event. */
export const stop = (reason: string): PolicyAnswer => Object.freeze({ stop: reason })

/** Builds examples of one expected effect. A string is a shell command, which is also the name if there is no other. */
interface ExampleBuilder<Want> {
  (name: string, command?: string): { name: string; given: { input: { command: string } }; want: Want }
  <const Given extends Omit<ExampleGiven, 'input'>>(
    name: string,
    command: string,
    given: Given,
  ): { name: string; given: Given & { input: { command: string } }; want: Want }
  <const Given extends ExampleGiven>(name: string, given: Given): { name: string; given: Given; want: Want }
}

type ExampleArgs = [name: string, given?: string | ExampleGiven, others?: ExampleGiven]

const exampleOf = (want: ExampleWant, ...[name, given = name, others]: ExampleArgs) => ({
  name,
  given: typeof given === 'string' ? { tool: 'shell' as const, input: { command: given }, ...others } : given,
  want,
})

/* oxlint-disable typescript/no-unsafe-type-assertion -- only overloads tie the type of `given` to the arguments' form */
/** Builds an example that the policy denies: `denies('rm -rf /')`, `denies('a key', { input: { path: 'k.pem' } })`. */
export const denies = ((...args: ExampleArgs) => exampleOf('deny', ...args)) as ExampleBuilder<'deny'>
/** Builds an example that the policy asks about: `asks('a home', 'rm -rf ~', { home: '/tmp/a' })`. */
export const asks = ((...args: ExampleArgs) => exampleOf('ask', ...args)) as ExampleBuilder<'ask'>
/** Builds an example that the policy allows: `allows('ls -l')`. */
export const allows = ((...args: ExampleArgs) => exampleOf('allow', ...args)) as ExampleBuilder<'allow'>
/** Builds an example that the policy has no opinion on: `abstains('ls -l')`. */
export const abstains = ((...args: ExampleArgs) => exampleOf('abstain', ...args)) as ExampleBuilder<'abstain'>
/* oxlint-enable typescript/no-unsafe-type-assertion */
