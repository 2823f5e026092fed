import { z } from 'zod'
import { Json, JsonObject } from './json.ts'

/** What can happen, in Claude Code's words; `event-names.ts` says what other agents call the same thing. */
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

/** What kind of tool is used, whatever the agent calls it. */
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

/** A tool call: the agent's own words, and what every agent spells differently made one. */
const Action = z.strictObject({
  tool: ToolKind,
  /** The tool's name as its agent says it; MCP tools as `mcp__<server>__<tool>`, whatever the agent's spelling. */
  name: z.string(),
  id: z.string().optional(),
  /** The agent's own input, its own keys. A rewrite is expressed in these. */
  input: JsonObject,
  /** Every file the input names, as the agent wrote it. `path` is the first of them. */
  paths: z.array(z.string()).readonly().optional(),
  path: z.string().optional(),
  /** The shell command; where a tool takes several, they stand on lines of their own. */
  command: z.string().optional(),
  url: z.string().optional(),
  /** The text that is written, or that replaces another. */
  content: z.string().optional(),
})
export type Action = z.infer<typeof Action>

const Result = z.strictObject({
  /** What the tool returned, in its agent's own shape. */
  output: Json.optional(),
  succeeded: z.boolean(),
  error: z.string().optional(),
  durationMs: z.number().optional(),
})

const Session = z.strictObject({
  /** Claude Code's `session_id`, Cline's task id. */
  id: z.string(),
  /** The working directory of the agent when the event happened. */
  cwd: z.string(),
  transcriptPath: z.string().optional(),
  permissionMode: z.string().optional(),
  effort: z.string().optional(),
  /** Set inside a sub-agent. */
  agentId: z.string().optional(),
  agentType: z.string().optional(),
  model: z.strictObject({ provider: z.string(), slug: z.string() }).optional(),
})

/** The farthest from the epoch that a date can be, in ms (ECMAScript's own limit). */
const dateMsMax = 8.64e15

/** What is about to happen or has happened, free of any agent's wire format. Frozen when it leaves the decoder. */
export const HookEvent = z.strictObject({
  name: EventName,
  /** The agent's name, as its descriptor has it. */
  agent: z.string(),
  session: Session,
  /** Absolute paths; the first is the primary one. */
  workspaceRoots: z.array(z.string()).readonly(),
  /** When it happened, in ms since the epoch, as the agent says or, where it does not, as it was received. */
  atMs: z.number().min(-dateMsMax).max(dateMsMax),
  /**
   * What a matcher is held against where there is no tool: how a session started, why it ended, what kind of
   * notification it is. See `event-names.ts`.
   */
  trigger: z.string().optional(),
  action: Action.optional(),
  result: Result.optional(),
  prompt: z.string().optional(),
  /** A notification's text, or the agent's last message when it stops. */
  message: z.string().optional(),
  /** The wire object, whole: what a hook of the same agent is given. */
  raw: JsonObject,
})
export type HookEvent = Readonly<z.infer<typeof HookEvent>>
