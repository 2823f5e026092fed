import { pastLimits } from './past-limits.ts'
import { z } from 'zod'

import { CommandPlace, type FindToolFacts, type TextChange } from './tool-facts.ts'
import { Effect, OnFailure, Severity } from './effect.ts'
import { EventName, type HookEvent, ToolKind } from './event.ts'
import { type PolicyCalls, PolicyInterest } from './policy-interest.ts'
import type { Failure } from './failure.ts'
import type { Impact } from './impact.ts'
import { Json, JsonObject, ParsedJsonObject } from './json.ts'
import { limits } from './limits.ts'
import type { Problem } from './errors.ts'
import type { ShellFacts, TouchedPath } from './shell.ts'
import { CountedOutcome, Duration, StateDeclaration } from './past.ts'

export type { PolicyCall } from './policy-interest.ts'

/** Declares a fact about the machine or workspace. The host looks it up before it evaluates the policy. */
export const FactDeclaration = z.union([
  /** Existence of a file or folder at a path of the workspace: `boolean`. */
  z.strictObject({ exists: z.string() }),
  /** A JSON file's value, or the part of it at an RFC 6901 pointer (`/scripts/test`): any JSON. */
  z.strictObject({ json: z.string(), pointer: z.string().optional() }),
  /** A text file's beginning: `string`. Default: the first `limits.factBytesMax` bytes. */
  z.strictObject({ text: z.string(), bytes: z.int().positive().max(limits.factBytesMax).optional() }),
  /** The branch that is checked out: `string`. */
  z.strictObject({ gitBranch: z.literal(true) }),
  /** The URL of a git remote, by the remote's name, without user and password: `string`. */
  z.strictObject({ gitRemote: z.string().min(1) }),
  /** One environment variable: `string`. */
  z.strictObject({ env: z.string().regex(/^[A-Za-z_]\w*$/, { error: 'is not a valid variable name' }) }),
  /** The names of the environment variables that hold secrets, without any value: a list of `string`. */
  z.strictObject({ secretVariables: z.literal(true) }),
  /** The output of the call with its secrets hidden, and what each was; `null` if there are none. */
  z.strictObject({ hiddenSecrets: z.literal(true) }),
])
export type FactDeclaration = Readonly<z.infer<typeof FactDeclaration>>

/** Declares a setting that a rules file may change, with the default that applies otherwise. */
export const ParamDeclaration = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('boolean'), default: z.boolean(), description: z.string().optional() }),
  z.strictObject({
    type: z.literal('number'),
    default: z.number(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    description: z.string().optional(),
  }),
  z.strictObject({
    type: z.literal('string'),
    default: z.string(),
    oneOf: z.array(z.string()).min(1).readonly().optional(),
    description: z.string().optional(),
  }),
  z.strictObject({
    type: z.literal('strings'),
    default: z.array(z.string()).readonly(),
    description: z.string().optional(),
  }),
])
export type ParamDeclaration = Readonly<z.infer<typeof ParamDeclaration>>

/** The name of a tool in an example. */
const ExampleTool = z.union([ToolKind, z.string().startsWith('mcp__')])

/** What happened before an example's event: a call, or a prompt of the person. */
export const ExampleBefore = z.strictObject({
  /** Default: the first of the policy's `tool`s. */
  tool: ExampleTool.optional(),
  /** The call's input; without one, it is a prompt. */
  input: JsonObject.optional(),
  /** Default: `allowed`, and `prompted` without an `input`. */
  outcome: CountedOutcome.optional(),
  /** What it has returned, for the secrets in it. */
  output: Json.optional(),
  /** The words of a prompt. */
  prompt: z.string().optional(),
  /** How long before the event. Default: one second before what comes next. */
  ago: Duration.optional(),
  /** The sub-agent whose call it is. */
  agentId: z.string().optional(),
  /** Default: the session of the event. */
  session: z.string().optional(),
  /** How often in a row. Default: once. */
  times: z.int().min(1).max(pastLimits.exampleTimesMax).optional(),
})
export type ExampleBefore = Readonly<z.infer<typeof ExampleBefore>>

/** The event of an example. `exampleInput` fills in everything that is omitted. */
export const ExampleGiven = z.strictObject({
  /** Default: the first event in the policy's `on`. */
  event: EventName.optional(),
  agent: z.string().optional(),
  /** Default: the first of the policy's `tool`s, if the event is about a tool. */
  tool: ExampleTool.optional(),
  /** The tool's input. `path`, `command`, `url` and `content` in it are also the tool's own. */
  input: JsonObject.optional(),
  prompt: z.string().optional(),
  message: z.string().optional(),
  trigger: z.string().optional(),
  result: z
    .strictObject({
      output: Json.optional(),
      succeeded: z.boolean().optional(),
      error: z.string().optional(),
      durationMs: z.number().optional(),
    })
    .optional(),
  workspaceRoots: z.array(z.string()).readonly().optional(),
  cwd: z.string().optional(),
  /** The home directory, for `~`. Default: `/home/u`, in which the default `cwd` is. */
  home: z.string().optional(),
  /** Time of the event, ms since the epoch. */
  atMs: z.number().optional(),
  /** Where a shell command will run that the call only carries. */
  later: z.strictObject({ place: CommandPlace, file: z.string().exactOptional() }).optional(),
  facts: z.record(z.string(), Json).optional(),
  params: JsonObject.optional(),
  /** What happened before, first to last, for the policy's `state`. */
  before: z.array(ExampleBefore).readonly().optional(),
})
export type ExampleGiven = Readonly<z.infer<typeof ExampleGiven>>

/** Effects that policies can return. Not `defer`: it belongs to agents, and would override another rule's `ask`. */
export const PolicyEffect = Effect.exclude(['defer'])
export type PolicyEffect = z.infer<typeof PolicyEffect>

/** Expected answer of an example: an effect, `abstain` for none, or parts of the answer. Texts match as substrings. */
export const ExampleWant = z.union([
  PolicyEffect,
  z.enum(['abstain', 'context', 'notice', 'replaceOutput', 'rewrite', 'stop']),
  z.strictObject({
    effect: PolicyEffect.optional(),
    reason: z.string().optional(),
    context: z.string().optional(),
    notice: z.string().optional(),
    input: JsonObject.optional(),
    output: Json.optional(),
    stop: z.string().optional(),
  }),
])
export type ExampleWant = Readonly<z.infer<typeof ExampleWant>>

const oneOrMore = <Schema extends z.ZodType>(one: Schema) => z.union([one, z.array(one).min(1).readonly()])

/** The name of a policy, or of a hook in a rules file. */
export const PolicyId = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, { error: 'must look like `no-force-push`' })

/** The declarative part of a policy: everything but `decide`. */
export const PolicyDefinition = z.strictObject({
  id: PolicyId,
  description: z.string().min(1),
  /** Severity of what the policy prevents. */
  severity: Severity.optional(),
  on: oneOrMore(EventName),
  /** Default: every tool. MCP tools have the normalised name `mcp__<server>__<tool>`. */
  tool: oneOrMore(z.union([ToolKind, z.string().regex(/^mcp__.+?__./s)])).optional(),
  /** Default: every shell command. */
  interest: PolicyInterest.optional(),
  /** Where commands that a call carries will run, so that they are judged too. Default: only what the call runs. */
  carried: z.array(CommandPlace).min(1).readonly().optional(),
  facts: z.record(z.string(), FactDeclaration).default({}),
  params: z.record(z.string(), ParamDeclaration).default({}),
  /** What it counts of what happened before, see `StateDeclaration`. */
  state: z
    .record(z.string(), StateDeclaration)
    .refine((states) => Object.keys(states).length <= pastLimits.statesMax, {
      error: `declares more than ${pastLimits.statesMax} states`,
    })
    .default({}),
  // Defaults of the keys of the same name in a rules file.
  onFailure: OnFailure.optional(),
  approvable: z.boolean().optional(),
  terminalOnly: z.boolean().optional(),
  examples: z
    .array(z.strictObject({ name: z.string().min(1), given: ExampleGiven, want: ExampleWant }))
    .readonly()
    .default([]),
})
export type PolicyDefinition = Readonly<z.infer<typeof PolicyDefinition>>

/** An answer that `decide` may return, alone or in a list. */
export const PolicyAnswer = z.union([
  z.strictObject({
    effect: PolicyEffect,
    reason: z.string().optional(),
    /** Indices of the shell commands that the answer is about, for explanations and exceptions. */
    at: z.union([z.int().min(0), z.array(z.int().min(0)).readonly()]).optional(),
  }),
  z.strictObject({ context: z.string() }),
  z.strictObject({ notice: z.string() }),
  z.strictObject({ rewrite: ParsedJsonObject }),
  /** Replaces what the tool has returned, before the model reads it. `reason` is for people: what was taken out. */
  z.strictObject({ replaceOutput: Json, reason: z.string().optional() }),
  z.strictObject({ stop: z.string() }),
])
export type PolicyAnswer = Readonly<z.infer<typeof PolicyAnswer>>

/** An ES module of a policy, its types removed. */
export interface CompiledModule {
  /** Absolute path, as in stack traces. Lines and columns match the source. */
  readonly file: string
  readonly code: string
  /** Maps each import specifier to the module's index in `CompiledPolicy.modules`. `hookgate/policy` has no index. */
  readonly imports: Readonly<Record<string, number>>
}

/** A policy's file and all its imports, ready to run in an isolate. */
export interface CompiledPolicy {
  /** The file that exports the policy. Absolute. */
  readonly file: string
  /** In evaluation order, the policy's own module last. A module imports only from earlier ones. */
  readonly modules: readonly CompiledModule[]
  /** Set if the policy has no access to the facts of tool calls. */
  readonly ignoresToolFacts?: boolean
  /**
   * The policy's description of itself as JSON, without examples. Set for an unchanged policy that passed its checks
   * before, so that they need not be repeated.
   */
  readonly definition?: string
  /** The warnings of those checks. */
  readonly warnings?: readonly Problem[]
  /** SHA-256 of all of it, in hexadecimal digits. */
  readonly digest: string
}

/** A policy's description of itself as unchecked JSON, or the failure to produce one. */
export type Described = { readonly definition: string } | { readonly failure: Failure }

/**
 * Where policies are evaluated: on threads of a sandbox process or, if they are trusted, on the calling thread.
 */
export type PolicyPlacement = 'process' | 'caller'

/** The policies of one source, loaded into the sandbox together. */
export interface LoadedDomain {
  readonly id: number
  /** In the order of the loaded policies. */
  readonly described: readonly Described[]
  /** Set if its policies are evaluated on the calling thread. */
  readonly onCaller?: boolean
  /** Ends the use of the domain for new events. Evaluations in progress still finish. */
  release(): void
}

/**
 * A `PolicyInput` in the form in which it crosses into the sandbox: its JSON, then the long texts that the JSON leaves
 * out. Writing and reading those as JSON would be most of what a large event costs.
 */
export type EncodedInput = readonly [json: string, ...texts: readonly string[]]

/** The keys that lead to a text of an input. */
export type TextPlace = readonly (string | number)[]

/** The request to evaluate all policies that apply to one event. */
export interface PolicyRequest {
  readonly calls: PolicyCalls
  readonly input: EncodedInput
  /** The time that `Date` returns in the sandbox, ms since the epoch. */
  readonly atMs: number
  readonly values: readonly Json[]
  /** True if all of these policies are trusted: untrusted ones must not keep them waiting. */
  readonly isTrusted: boolean
}

/**
 * Result of one policy. `durationMs` is the policy's own time, to one millisecond; of policies that took less, it is the
 * mean.
 */
export type PolicyResult =
  | {
      readonly answers: readonly PolicyAnswer[]
      readonly durationMs: number
      /** What the policy's own `reduce` has made, by the names of its states. */
      readonly state?: JsonObject
    }
  | { readonly failure: Failure; readonly durationMs: number }

/** Functions of the sandbox that loading policies needs, and of the host for their examples. */
export interface PolicyPort {
  /** An agent's call waits for the answers, and not a person, who prefers a late one to none. Default: false. */
  readonly isHurried?: boolean
  /** Starts the sandbox in the background, while the policies to load are still being read. */
  warm(): void
  /**
   * Rejects only if the sandbox is unavailable. Failures of a policy are in its `described` entry.
   *
   * @param options `isTrusted`: they may be evaluated on the calling thread, if the gate's options say so
   */
  load(policies: readonly CompiledPolicy[], options?: { readonly isTrusted: boolean }): Promise<LoadedDomain>
  /** Returns one result for each call, in order. */
  readonly evaluate: (request: PolicyRequest) => Promise<readonly PolicyResult[]>
  /** Finds the facts of an example's tool call. */
  readonly toolFacts: FindToolFacts
}

/** An event as policies see it, independent of any agent's wire format. */
export type PolicyEvent = Omit<HookEvent, 'raw' | 'tool'>

/** A tool call as policies see it, normalised over all agents. */
export interface PolicyTool {
  /** Kind of the tool, independent of the agent's name for it. */
  readonly kind: ToolKind
  /** The agent's name for the tool. */
  readonly name: string
  readonly id?: string
  /** The input with the agent's own keys. */
  readonly input: JsonObject
  /** Every file the input names, as the agent wrote it; `path` is the first. */
  readonly paths: readonly string[]
  readonly path?: string
  /** The shell command. */
  readonly command?: string
  readonly url?: string
  /** The text that is written, or the replacement text of an edit. */
  readonly content?: string
}

/** The part of an event that is sent into the sandbox. Built by `policyInput`, reassembled in the realm. */
export interface PolicyInput {
  readonly event: PolicyEvent
  readonly tool?: PolicyTool
  /** Maps fields missing in `tool` to the key of its input with the same text. So a file's content is sent once. */
  readonly same?: Readonly<Record<string, string>>
  /** Absent if empty. */
  readonly shell?: ShellFacts
  /** Without the paths of the shell's commands, which are in `shell`. */
  readonly paths?: readonly TouchedPath[]
  /** Absent if empty. */
  readonly changes?: readonly TextChange[]
  /** Absent if empty. */
  readonly impacts?: readonly Impact[]
  /** Where the long texts belong that are not in the JSON, see `EncodedInput`. */
  readonly texts?: readonly TextPlace[]
}

/** One fact to look up for a rule, relative to one workspace root. */
export interface FactRequest {
  readonly declaration: FactDeclaration
  /** Absolute folder that paths are relative to. Nothing outside of it is read. */
  readonly root: string
  /** True if the rule is trusted. Only trusted rules may read the environment. */
  readonly trusted: boolean
}

/** The value of a fact, or why it is unavailable. */
export type FactValue = { readonly value: Json } | { readonly missing: string }
