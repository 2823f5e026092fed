import { isAbsolute } from 'node:path'
import { z } from 'zod'
import { snakeFrame } from '../table/snake-frame.ts'
import type { EventFrame } from '../table/table.ts'
import { textAt } from '../../model/json.ts'

const projectVariables = ['COPILOT_PROJECT_DIR']

/** The frame of Copilot's own events: camel case, a numeric time, and no event name except at permission requests. */
export const camel: EventFrame = {
  shape: {
    sessionId: z.string(),
    timestamp: z.union([z.number(), z.string()]).optional(),
    cwd: z.string(),
  },
  read(wire, { env, nowMs }) {
    const cwd = textAt(wire, 'cwd') ?? ''
    const transcriptPath = textAt(wire, 'transcriptPath')
    const { timestamp } = wire
    const sentAtMs = typeof timestamp === 'number' ? timestamp : Date.parse(textAt(wire, 'timestamp') ?? '')
    const named = projectVariables.map((name) => env[name]).find((folder) => folder !== undefined)
    return {
      session: { id: textAt(wire, 'sessionId') ?? '', cwd, ...(transcriptPath && { transcriptPath }) },
      workspaceRoots: [named !== undefined && isAbsolute(named) ? named : cwd],
      atMs: Number.isNaN(sentAtMs) ? nowMs : sentAtMs,
    }
  },
  write: ({ session, atMs }) => ({ sessionId: session.id, timestamp: Math.trunc(atMs), cwd: session.cwd }),
  call: { name: 'toolName', input: 'toolArgs' },
}

/** The frame of permission requests, the only event with a name, and with another key for a call's input. */
export const permission: EventFrame = {
  ...camel,
  shape: { ...camel.shape, hookName: z.string() },
  write: (event, row) => ({ hookName: 'permissionRequest', ...camel.write(event, row) }),
  call: { name: 'toolName', input: 'toolInput' },
}

/** The frame of hooks registered under Claude Code's event names: its spelling, with Copilot's own tools. */
export const pascal: EventFrame = {
  ...snakeFrame({ projectVariables, timestamp: true }),
  call: { name: 'tool_name', input: 'tool_input' },
}
