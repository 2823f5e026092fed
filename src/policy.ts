/**
 * `hookgate/policy`: what a policy is written with. This module is also the one that policies import inside of their
 * sandbox, so it and what it imports are pure: no packages, nothing of Node's, no state.
 */
import type { EventName, ToolKind } from './model/event.ts'
import type { OnFailure } from './model/effect.ts'
import type { Json, JsonObject } from './model/json.ts'
import type {
  ExampleGiven,
  ExampleWant,
  FactDeclaration,
  ParamDeclaration,
  PolicyAnswer,
  PolicyEffect,
  PolicyEvent,
  PolicyTool,
} from './model/policy.ts'
import type { ShellFacts, TouchedPath } from './model/shell.ts'
import type { Severity } from './model/severity.ts'
import type { ToolEvent } from './model/tool-events.ts'

export type { EventName, ToolKind } from './model/event.ts'
export type { OnFailure } from './model/effect.ts'
export type { Json, JsonObject } from './model/json.ts'
export type {
  ExampleGiven,
  ExampleWant,
  FactDeclaration,
  ParamDeclaration,
  PolicyAnswer,
  PolicyEffect,
  PolicyEvent,
  PolicyTool,
} from './model/policy.ts'
export type { Severity } from './model/severity.ts'
export type {
  CodeLanguage,
  PathAccess,
  ShellAssignment,
  ShellCode,
  ShellCommand,
  ShellFacts,
  ShellFlow,
  ShellNetwork,
  ShellReach,
  ShellRedirection,
  ShellWord,
  TouchedPath,
} from './model/shell.ts'
export { unknownPart } from './model/shell.ts'
export { type MapOf, mapOf, type SetOf, setOf, tableOf } from './model/look-ups.ts'
export { type OptionRules, type OptionsRead, readOptions } from './model/options.ts'

type FactDeclarations = Readonly<Record<string, FactDeclaration>>
type ParamDeclarations = Readonly<Record<string, ParamDeclaration>>
// oxlint-disable-next-line typescript/no-generated-empty-object-type -- no names at all: every other one is a mistake
type None = Record<never, never>

/** A fact's value; `undefined` where it cannot be had. */
type FactOf<Fact> = Fact extends { exists: string } ? boolean : Fact extends { json: string } ? Json : string
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

/** What `decide` is given. Frozen, whole. */
export interface Asked<On, Facts, Params> {
  readonly event: PolicyEvent & { readonly name: On }
  /** What is about to be done, or was done. */
  readonly tool: MaybeTool<On>
  readonly facts: FactsOf<Facts>
  readonly params: ParamsOf<Params>
  /** Every command that a shell tool would run, however it is wrapped; of any other tool, none. */
  readonly shell: ShellFacts
  /** Every path that the tool touches; of a shell tool, those of all its commands together. */
  readonly paths: readonly TouchedPath[]
}

type Given<On, Facts, Params> = Omit<ExampleGiven, 'event' | 'tool' | 'facts' | 'params'> & {
  readonly event?: On
  readonly tool?: NameOfTool
  readonly facts?: Partial<FactsOf<Facts>>
  readonly params?: Partial<ParamsOf<Params>>
}

/** A policy: what it is about, how it decides, and examples that are checked whenever it is loaded. */
export interface Policy<
  On extends EventName = EventName,
  Facts extends FactDeclarations = FactDeclarations,
  Params extends ParamDeclarations = ParamDeclarations,
> {
  /** In kebab-case; part of the id of the rule. */
  readonly id: string
  readonly description: string
  readonly on: On | readonly On[]
  /** Absent: every tool. */
  readonly tool?: NameOfTool | readonly NameOfTool[]
  readonly facts?: Facts
  readonly params?: Params
  /** How bad what it stops would be: told with what it decides. */
  readonly severity?: Severity
  /** What a failure of it counts as where the rules file does not say. Default: `block`. */
  readonly onFailure?: OnFailure
  /** Pure and synchronous. Returning nothing is abstaining. */
  decide(asked: Asked<On, Facts, Params>): PolicyAnswer | readonly PolicyAnswer[] | undefined | void
  readonly examples?: readonly {
    readonly name: string
    readonly given: Given<On, Facts, Params>
    readonly want: ExampleWant
  }[]
}

/** Makes a policy, which its file exports as `default`. */
export function definePolicy<
  const On extends EventName,
  const Facts extends FactDeclarations = None,
  const Params extends ParamDeclarations = None,
>(policy: Policy<On, Facts, Params>): Policy<On, Facts, Params> {
  return Object.freeze({ ...policy })
}

/** What may be said besides. */
export interface AnswerDetails {
  /** Which of the shell's commands the answer is about: its index in `shell.commands`. `hookgate explain` shows it there. */
  readonly at?: number | undefined
}

const effectOf = (effect: PolicyEffect, reason?: string, { at }: AnswerDetails = {}): PolicyAnswer =>
  Object.freeze({ effect, ...(reason !== undefined && { reason }), ...(at !== undefined && { at }) })

/** Lets the action go ahead, past the agent's own question to the person. Saying nothing does not. */
export const allow = (reason?: string, details?: AnswerDetails): PolicyAnswer => effectOf('allow', reason, details)
/** Has the person asked. */
export const ask = (reason: string, details?: AnswerDetails): PolicyAnswer => effectOf('ask', reason, details)
/** Refuses the action. The reason is told to the model, so it should say what to do instead. */
export const deny = (reason: string, details?: AnswerDetails): PolicyAnswer => effectOf('deny', reason, details)
/** Tells the model something. */
export const context = (text: string): PolicyAnswer => Object.freeze({ context: text })
/** Tells the person something. */
export const notice = (text: string): PolicyAnswer => Object.freeze({ notice: text })
/** Has the tool called with another input, whole, in the agent's own keys. */
export const rewrite = (input: JsonObject): PolicyAnswer => Object.freeze({ rewrite: input })
/** Ends the agent's turn after this event. */
export const stop = (reason: string): PolicyAnswer => Object.freeze({ stop: reason })
