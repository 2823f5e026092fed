import { isAbsolute } from 'node:path'
import { z } from 'zod'
import { anything } from '../codec/mismatch.ts'
import { mcpNameFor } from '../tool-names.ts'
import { callsFor, type Spelling, toolUseIn } from './tool-use.ts'
import type { CallTime, EventFields, EventFrame, EventParts, EventRow } from './table.ts'
import type { AgentName, HookEvent } from '../../model/event.ts'
import { type JsonObject, merged, textAt, given } from '../../model/json.ts'

/** Declares an event without fields of its own. */
export const nothing: EventFields = { fields: {}, read: () => ({}), write: () => [{}] }

/** Maps a text field to a part of the event. */
export function textIn(key: string, part: 'prompt' | 'message' | 'trigger', otherwise = ''): EventFields {
  return {
    fields: { [key]: otherwise === '' && part === 'message' ? z.string().nullish() : z.string() },
    read: (wire) => {
      const text = textAt(wire, key)
      return text === undefined ? {} : { [part]: text }
    },
    write: (event) => (event[part] === undefined && part === 'message' ? [{}] : [{ [key]: event[part] ?? otherwise }]),
  }
}

/** Combines several groups of fields of one event. */
export function together(...parts: readonly EventFields[]): EventFields {
  return {
    fields: Object.fromEntries(parts.flatMap(({ fields }) => Object.entries(fields))),
    read: (wire, frame): EventParts =>
      Object.fromEntries(parts.flatMap(({ read }) => Object.entries(read(wire, frame)))),
    write: (event, frame) => [merged(...parts.flatMap(({ write }) => write(event, frame)))],
  }
}

/** Declares fields that the gate ignores, with the values that a hook gets if they are unknown. */
export function fixed(fields: z.ZodRawShape, values: JsonObject): EventFields {
  return { fields, read: () => ({}), write: () => [values] }
}

/** Declares a call that is about to be made; with `after`, one that will not be made. */
export function toolCall(agent: AgentName, spelling: Spelling = {}, time: CallTime = 'before'): EventFields {
  return {
    fields: {},
    call: time,
    read: (wire, { call }) => ({ tool: toolUseIn(agent, wire, call, spelling, time) }),
    write: (event, frame) => written(agent, event, frame, spelling),
  }
}

/** The format of a tool's result in an event. */
interface ResultForm {
  readonly fields: z.ZodRawShape
  readonly read: (wire: JsonObject) => NonNullable<HookEvent['result']>
  readonly write: (result: NonNullable<HookEvent['result']>) => JsonObject
}

/** Declares a call that was made, with its result. */
export function toolResult(agent: AgentName, form: ResultForm, spelling: Spelling = {}): EventFields {
  return {
    fields: form.fields,
    call: 'after',
    read: (wire, { call }) => ({ tool: toolUseIn(agent, wire, call, spelling, 'after'), result: form.read(wire) }),
    write: (event, frame) =>
      written(agent, event, frame, spelling).map((one) => merged(one, form.write(event.result ?? { succeeded: true }))),
  }
}

function written(agent: AgentName, event: HookEvent, { call }: EventFrame, spelling: Spelling): readonly JsonObject[] {
  const { tool } = event
  if (tool === undefined) return []
  return callsFor(agent, event.agent, tool, event.session.cwd).map(({ name, input }) =>
    merged(
      {
        [call.name]: mcpNameFor(agent, name) ?? name,
        [call.input]: merged(input, event.agent === agent ? {} : spelling.added?.(name)),
      },
      call.id === undefined ? {} : { [call.id]: tool.id ?? '' },
      spelling.beside?.(name),
    ),
  )
}

const duration = z.number().optional()

/** Declares a result under one key, in the agent's own shape, and its duration under another. */
export function outputIn(key: string, durationKey: string | undefined, error?: string): ResultForm {
  return {
    fields: {
      [key]: anything.optional(),
      ...(durationKey !== undefined && { [durationKey]: duration }),
      ...(error !== undefined && { [error]: z.string().optional() }),
    },
    read: (wire) => ({
      succeeded: error === undefined || textAt(wire, error) === undefined,
      ...given('output', wire[key]),
      ...given('error', error === undefined ? undefined : textAt(wire, error) || undefined),
      ...durationOf(wire, durationKey),
    }),
    write: (result) => ({
      ...given(key, result.output),
      ...(error !== undefined && !result.succeeded && { [error]: result.error ?? '' }),
      ...(durationKey !== undefined && given(durationKey, result.durationMs)),
    }),
  }
}

function durationOf(wire: JsonObject, key: string | undefined): { readonly durationMs?: number } {
  const value = key === undefined ? undefined : wire[key]
  return typeof value === 'number' ? { durationMs: value } : {}
}

// Event-specific fields that several agents have adopted from Claude Code, spelled as there.

/** The end of a turn. */
export const stopping: EventFields = together(
  fixed({ stop_hook_active: z.boolean().optional() }, { stop_hook_active: false }),
  textIn('last_assistant_message', 'message'),
)

export const subagentStarting: EventFields = together(textIn('agent_type', 'trigger'), {
  ...nothing,
  fields: { agent_id: z.string().optional() },
  write: ({ session }: HookEvent) => [{ agent_id: session.agentId ?? '' }],
})

export const subagentStopping: EventFields = together(subagentStarting, stopping)

export const notification: EventFields = together(textIn('notification_type', 'trigger'), textIn('message', 'message'))

/** The start of a session, for agents whose source of a fresh session is `new`. */
export const sessionSource: EventFields = {
  fields: { source: z.string() },
  read: ({ source }) => (typeof source === 'string' ? { trigger: source === 'new' ? 'startup' : source } : {}),
  write: ({ trigger }) => [{ source: trigger === undefined || trigger === 'startup' ? 'new' : trigger }],
}

interface SnakeFrame {
  /** Variables with the project's folder, the agent's own first. */
  readonly projectVariables?: readonly string[]
  /** Whether each event has the time at which it was sent, in ISO 8601. */
  readonly timestamp?: true
  /** The permission mode sent to a hook if it is unknown. Absent: the agent sends none. */
  readonly permissionMode?: string
  /** The transcript path sent if there is none. Absent: the field is left out. */
  readonly noTranscript?: '' | null
  /** Returns agent-specific fields for a hook that gets another agent's event. */
  readonly extra?: (event: HookEvent, row: EventRow) => JsonObject
  readonly extraFields?: z.ZodRawShape
}

/** Makes the frame of agents that copied Claude Code's protocol: `session_id`, `cwd`, `hook_event_name`. */
export function snakeFrame(options: SnakeFrame): EventFrame {
  const { projectVariables = [], timestamp, permissionMode, noTranscript, extra, extraFields = {} } = options
  return {
    shape: {
      session_id: z.string(),
      transcript_path: z.string().nullable().optional(),
      cwd: z.string(),
      hook_event_name: z.string(),
      permission_mode: z.string().optional(),
      timestamp: z.string().optional(),
      ...extraFields,
    },
    read(wire, { env, nowMs, cwd: here }) {
      const cwd = textAt(wire, 'cwd') || here
      const mode = textAt(wire, 'permission_mode')
      const transcriptPath = textAt(wire, 'transcript_path')
      const sentAtMs = Date.parse(textAt(wire, 'timestamp') ?? '')
      const named = projectVariables.map((name) => env[name]).find((folder) => folder !== undefined)
      return {
        session: {
          id: textAt(wire, 'session_id') ?? '',
          cwd,
          ...(transcriptPath && { transcriptPath }),
          ...(mode !== undefined && { permissionMode: mode }),
          ...textUnder(wire, 'agent_id', 'agentId'),
          ...textUnder(wire, 'agent_type', 'agentType'),
        },
        workspaceRoots: [named !== undefined && isAbsolute(named) ? named : cwd],
        atMs: Number.isNaN(sentAtMs) ? nowMs : sentAtMs,
      }
    },
    write(event, row) {
      const { session, atMs } = event
      const transcript = session.transcriptPath ?? noTranscript
      return {
        session_id: session.id,
        ...(transcript !== undefined && { transcript_path: transcript }),
        cwd: session.cwd,
        hook_event_name: row.spelled,
        ...(timestamp && { timestamp: new Date(atMs).toISOString() }),
        ...(permissionMode !== undefined && { permission_mode: permissionMode }),
        ...extra?.(event, row),
      }
    },
    call: { name: 'tool_name', input: 'tool_input', id: 'tool_use_id' },
  }
}

function textUnder(wire: JsonObject, key: string, as: string): Readonly<Record<string, string>> {
  const value = textAt(wire, key)
  return value === undefined ? {} : { [as]: value }
}
