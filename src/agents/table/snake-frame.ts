import { isAbsolute } from 'node:path'
import { z } from 'zod'
import type { EventRow, EventFrame } from './table.ts'
import type { HookEvent } from '../../model/event.ts'
import { type JsonObject, textAt } from '../../model/json.ts'

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
          ...text(wire, 'agent_id', 'agentId'),
          ...text(wire, 'agent_type', 'agentType'),
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

function text(wire: JsonObject, key: string, as: string): Readonly<Record<string, string>> {
  const value = textAt(wire, key)
  return value === undefined ? {} : { [as]: value }
}
