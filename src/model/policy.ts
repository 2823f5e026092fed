import { z } from 'zod'

import { Effect, OnFailure } from './effect.ts'
import { EventName, type HookEvent, ToolKind } from './event.ts'
import type { Failure } from './failure.ts'
import { Json, JsonObject, ParsedJsonObject } from './json.ts'
import { limits } from './limits.ts'
import { Severity } from './severity.ts'
import type { ShellFacts, TouchedPath } from './shell.ts'
import type { FindToolFacts } from './tool-facts.ts'

/** Something of the world that a policy may know. The host looks it up before the policy is asked. */
export const FactDeclaration = z.union([
  /** Whether there is a file or folder at a path of the workspace: `boolean`. */
  z.strictObject({ exists: z.string() }),
  /** A JSON file's value, or what an RFC 6901 pointer (`/scripts/test`) finds in it: any JSON. */
  z.strictObject({ json: z.string(), pointer: z.string().optional() }),
  /** A text file's beginning: `string`. Default: the first `limits.factBytesMax` bytes. */
  z.strictObject({ text: z.string(), bytes: z.int().positive().max(limits.factBytesMax).optional() }),
  /** The branch that is checked out: `string`. */
  z.strictObject({ gitBranch: z.literal(true) }),
  /** One environment variable: `string`. */
  z.strictObject({ env: z.string().regex(/^[A-Za-z_]\w*$/, { error: 'is not a valid variable name' }) }),
])
export type FactDeclaration = Readonly<z.infer<typeof FactDeclaration>>

/** A setting that a rules file may change. Its default is what holds where none does. */
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

/** What one example gives its policy; what it leaves out is filled in by `exampleInput`. */
export const ExampleGiven = z.strictObject({
  /** Default: the first event that the policy is on. */
  event: EventName.optional(),
  agent: z.string().optional(),
  /** Default: the first tool that the policy is for, where the event is about one. */
  tool: z.union([ToolKind, z.string().startsWith('mcp__')]).optional(),
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
  /** When it happens, ms since the epoch. */
  atMs: z.number().optional(),
  facts: z.record(z.string(), Json).optional(),
  params: JsonObject.optional(),
})
export type ExampleGiven = Readonly<z.infer<typeof ExampleGiven>>

/** What a policy can want. To `defer` is an agent's own affair, and would take an `ask` of somebody else's from the person. */
export const PolicyEffect = Effect.exclude(['defer'])
export type PolicyEffect = z.infer<typeof PolicyEffect>

/** An effect, `abstain` for a policy that says nothing at all, or parts of what it says; texts are parts of the text. */
export const ExampleWant = z.union([
  PolicyEffect,
  z.enum(['abstain', 'context', 'notice', 'rewrite', 'stop']),
  z.strictObject({
    effect: PolicyEffect.optional(),
    reason: z.string().optional(),
    context: z.string().optional(),
    notice: z.string().optional(),
    input: JsonObject.optional(),
    stop: z.string().optional(),
  }),
])
export type ExampleWant = Readonly<z.infer<typeof ExampleWant>>

const oneOrMore = <Schema extends z.ZodType>(one: Schema) => z.union([one, z.array(one).min(1).readonly()])

/** What a policy says of itself, `decide` aside. */
export const PolicyDefinition = z.strictObject({
  id: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, { error: 'must look like `no-force-push`' }),
  description: z.string().min(1),
  /** How bad what it stops would be. */
  severity: Severity.optional(),
  on: oneOrMore(EventName),
  /** Absent: every tool. MCP tools by their common name, `mcp__<server>__<tool>`. */
  tool: oneOrMore(z.union([ToolKind, z.string().regex(/^mcp__.+__.+$/)])).optional(),
  facts: z.record(z.string(), FactDeclaration).default({}),
  params: z.record(z.string(), ParamDeclaration).default({}),
  /** What a failure of it counts as where the rules file does not say. Default: `block`. */
  onFailure: OnFailure.optional(),
  examples: z
    .array(z.strictObject({ name: z.string().min(1), given: ExampleGiven, want: ExampleWant }))
    .readonly()
    .default([]),
})
export type PolicyDefinition = Readonly<z.infer<typeof PolicyDefinition>>

/** What `decide` may return, one or several of them. */
export const PolicyAnswer = z.union([
  z.strictObject({
    effect: PolicyEffect,
    reason: z.string().optional(),
    /** Which of the shell's commands it is about: its index. For people who ask why. */
    at: z.int().min(0).optional(),
  }),
  z.strictObject({ context: z.string() }),
  z.strictObject({ notice: z.string() }),
  z.strictObject({ rewrite: ParsedJsonObject }),
  z.strictObject({ stop: z.string() }),
])
export type PolicyAnswer = Readonly<z.infer<typeof PolicyAnswer>>

/** An ES module of a policy, its types removed. */
export interface CompiledModule {
  /** Absolute; what stack traces call it. Lines and columns are those of the source. */
  readonly file: string
  readonly code: string
  /** For each specifier that it imports, the place of that module among those it is compiled with; `hookgate/policy` has none. */
  readonly imports: Readonly<Record<string, number>>
}

/** A policy's file and everything it imports, ready to be run in an isolate. */
export interface CompiledPolicy {
  /** The file that exports the policy. Absolute. */
  readonly file: string
  /** In the order of evaluation, the policy's own last. A module imports only from those before it. */
  readonly modules: readonly CompiledModule[]
  /** Whether it cannot come to know what a tool call would do. */
  readonly ignoresToolFacts?: boolean
  /**
   * What it says of itself, its examples aside, as JSON: of one that has proved itself before, and is the same still. It
   * is not asked again.
   */
  readonly definition?: string
  /** SHA-256 of all of it, in hexadecimal digits. */
  readonly digest: string
}

/** A policy's description of itself as JSON, not yet looked at; or why there is none. */
export type Described = { readonly definition: string } | { readonly failure: Failure }

/** The policies of one source, loaded into the sandbox together. */
export interface LoadedDomain {
  readonly id: number
  /** In the order in which the policies were given. */
  readonly described: readonly Described[]
  /** The domain is of no more use to new events. What is under way is answered. */
  release(): void
}

/** What asks one policy. */
export interface PolicyCall {
  readonly domain: number
  /** Its place among the policies of its domain. */
  readonly policy: number
  /** For each fact that it declares, in that order, which of the request's `values`; -1 for one that cannot be had. */
  readonly facts: readonly number[]
  /** Its params as JSON, whole. */
  readonly params: string
}

/** What asks all policies that apply to one event. */
export interface PolicyRequest {
  readonly calls: readonly PolicyCall[]
  /** The `PolicyInput` as JSON. */
  readonly input: string
  /** What `Date` tells, ms since the epoch. */
  readonly atMs: number
  readonly values: readonly Json[]
  /** Whether somebody vouches for all of these policies: those of others must not keep them waiting. */
  readonly isTrusted: boolean
}

/**
 * What one policy answered. `durationMs` is that of the call in which it was asked, with the others of its domain; of a
 * call that decided several events, the share of one.
 */
export type PolicyResult =
  | { readonly answers: readonly PolicyAnswer[]; readonly durationMs: number }
  | { readonly failure: Failure; readonly durationMs: number }

/** What loading policies needs of the sandbox, and of the host for their examples. */
export interface PolicyPort {
  /** There will be policies to load: begins with what that needs, beside the work of reading them. */
  warm(): void
  /** Rejects only where the sandbox cannot be had: what is wrong with a policy is in what describes it. */
  load(policies: readonly CompiledPolicy[]): Promise<LoadedDomain>
  /** One result for each call, in their order. */
  readonly evaluate: (request: PolicyRequest) => Promise<readonly PolicyResult[]>
  /** What an example's tool call would do. */
  readonly toolFacts: FindToolFacts
}

/** An event as policies see it: free of any agent's wire format. */
export type PolicyEvent = Omit<HookEvent, 'raw' | 'action'>

/** A tool call as policies see it, in words common to all agents. */
export interface PolicyTool {
  /** What kind of tool it is, whatever the agent calls it. */
  readonly kind: ToolKind
  /** What the agent calls it. */
  readonly name: string
  readonly id?: string
  /** The agent's own input, its own keys. */
  readonly input: JsonObject
  /** Every file the input names, as the agent wrote it; `path` is the first. */
  readonly paths: readonly string[]
  readonly path?: string
  /** The shell command. */
  readonly command?: string
  readonly url?: string
  /** The text that is written, or that replaces another. */
  readonly content?: string
}

/** What crosses into the sandbox of an event. Built by `policyInput`, put together in the realm. */
export interface PolicyInput {
  readonly event: PolicyEvent
  readonly tool?: PolicyTool
  /** Fields that `tool` still lacks, with the key of its input that has their very text: a file's content crosses once. */
  readonly same?: Readonly<Record<string, string>>
  /** Absent where there is nothing in it. */
  readonly shell?: ShellFacts
  /** Without those of the shell's commands. */
  readonly paths?: readonly TouchedPath[]
}

/** One fact to look up, for a rule of one root. */
export interface FactRequest {
  readonly declaration: FactDeclaration
  /** What paths are relative to, absolute; nothing outside of it is looked at. */
  readonly root: string
  /** Whether the rule is trusted: the environment is nobody else's business. */
  readonly trusted: boolean
}

/** A fact, or why it cannot be had. */
export type FactValue = { readonly value: Json } | { readonly missing: string }
