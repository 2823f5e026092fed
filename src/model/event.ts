import { z } from 'zod'
import { Json, JsonObject } from './json.ts'

/** Event names, as Claude Code spells them. `event-names.ts` maps the spellings of other agents. */
export const EventName = z.enum([
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PostToolBatch',
  'Notification',
  'UserPromptSubmit',
  'UserPromptExpansion',
  'SessionStart',
  'SessionEnd',
  'Stop',
  'StopFailure',
  'SubagentStart',
  'SubagentStop',
  'PreCompact',
  'PostCompact',
  'PreModelSwitch',
  'PostModelSwitch',
  'PermissionRequest',
  'PermissionDenied',
  'Setup',
  'TeammateIdle',
  'TaskCreated',
  'TaskCompleted',
  'Elicitation',
  'ElicitationResult',
  'ConfigChange',
  'WorktreeCreate',
  'WorktreeRemove',
  'InstructionsLoaded',
  'CwdChanged',
  'FileChanged',
  'DirectoryAdded',
  'MessageDisplay',
])
export type EventName = z.infer<typeof EventName>

/** Kind of a tool, independent of the agent's name for it. */
export const ToolKind = z.enum([
  'shell',
  'read',
  'write',
  'edit',
  'search',
  'list',
  'fetch',
  'websearch',
  'browser',
  'agent',
  'mcp',
  'other',
])
export type ToolKind = z.infer<typeof ToolKind>

/** A tool call: the agent's own name and input, and normalised fields that every agent spells differently. */
export const ToolUse = z.strictObject({
  kind: ToolKind,
  /** Set if the agent's table does not have the tool: `kind` then says what its input makes it look like. */
  inferred: z.literal(true).optional(),
  /** The agent's name for the tool. MCP tools are always `mcp__<server>__<tool>`, whatever the agent's spelling. */
  name: z.string(),
  id: z.string().optional(),
  /** The input with the agent's own keys. A rewrite uses the same keys. */
  input: JsonObject,
  /** Every file the input names, as the agent wrote it. `path` is the first of them. */
  paths: z.array(z.string()).readonly().optional(),
  path: z.string().optional(),
  /** The shell command. If a tool takes several, each is on its own line. */
  command: z.string().optional(),
  url: z.string().optional(),
  /** The text that is written, or the replacement text of an edit. */
  content: z.string().optional(),
})
export type ToolUse = z.infer<typeof ToolUse>

const Result = z.strictObject({
  /** The tool's output, in the agent's own format. */
  output: Json.optional(),
  succeeded: z.boolean(),
  error: z.string().optional(),
  durationMs: z.number().optional(),
})

const Session = z.strictObject({
  /** Claude Code's `session_id`, Cline's task id. */
  id: z.string(),
  /** The session that this one is part of, where conversations and sub-agents have ids of their own. */
  rootId: z.string().optional(),
  /** The working directory of the agent when the event happened. */
  cwd: z.string(),
  transcriptPath: z.string().optional(),
  permissionMode: z.string().optional(),
  effort: z.string().optional(),
  /** Set inside a sub-agent. */
  agentId: z.string().optional(),
  agentType: z.string().optional(),
  /** Set where the turn was begun from a chat, by somebody who is not known there as the agent's owner. */
  stranger: z.literal(true).optional(),
  model: z.strictObject({ provider: z.string(), slug: z.string() }).optional(),
})

/** Largest distance of a date from the epoch, in ms (ECMAScript's limit). */
const dateMsMax = 8.64e15

/** An event before or after an agent's action, independent of any wire format. Frozen when it leaves the decoder. */
export const HookEvent = z.strictObject({
  name: EventName,
  /** The agent's name, as its descriptor has it. */
  agent: z.string(),
  session: Session,
  /** Absolute paths; the first is the primary one. */
  workspaceRoots: z.array(z.string()).readonly(),
  /** Time of the event in ms since the epoch, as sent by the agent, else the time of receipt. */
  atMs: z.number().min(-dateMsMax).max(dateMsMax),
  /**
   * Subject of a matcher for events without a tool: how a session started, why it ended, the kind of a
   * notification. See `event-names.ts`.
   */
  trigger: z.string().optional(),
  tool: ToolUse.optional(),
  result: Result.optional(),
  prompt: z.string().optional(),
  /** A notification's text, or the agent's last message when it stops. */
  message: z.string().optional(),
  /** The whole wire object, which hooks of the same agent receive. */
  raw: JsonObject,
})
export type HookEvent = Readonly<z.infer<typeof HookEvent>>

/** An event of a tool call. */
export type CallEvent = HookEvent & { readonly tool: ToolUse }

/** Name of an agent, as in its descriptor in `agents/`. The gate's entry points reject unknown names. */
export type AgentName = string

/** The way by which an event reached hookgate: the thin client, an HTTP hook, `hookgate run`, an embedder, another machine. */
export const EntryPoint = z.enum(['client', 'http', 'run', 'library', 'remote'])
export type EntryPoint = z.infer<typeof EntryPoint>

/** A tool call that an agent made in the past. */
export interface PastCall {
  readonly agent: AgentName
  /** The wire object that the agent's hook would have received before the call (`PreToolUse`). */
  readonly wire: JsonObject
  /** Ms since the epoch; `undefined` if the session file does not say. */
  readonly atMs: number | undefined
  /** The folder in which the agent worked. */
  readonly cwd: string
  /** The file and the place in it, for messages. */
  readonly file: string
  readonly line: number | undefined
}

/** A place in a session file that cannot be read, or a file or folder. */
export interface UnreadablePlace {
  readonly kind: 'unreadable'
  readonly file: string
  readonly line: number | undefined
  /** A phrase about the place: "it is not JSON". */
  readonly why: string
}

/** What a session file says of a call after it, or that the person has said something after it. */
export type Became = 'done' | 'failed' | 'prompted'

/** What a session file holds at one place. What was `said` is the call's output, or the person's words. */
export type PastItem =
  | { readonly kind: 'call'; readonly call: PastCall }
  | { readonly kind: 'result'; readonly call: PastCall; readonly became: Became; readonly said?: Json | undefined }
  | UnreadablePlace
