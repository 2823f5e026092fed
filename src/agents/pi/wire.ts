import { z } from 'zod'
import { pi } from './index.ts'
import { mentionedPath } from '../codec/mention-path.ts'
import { dialectBy } from '../table/dialect-by.ts'
import { outputIn, textIn, toolCall, toolResult } from '../table/event-fields.ts'
import { pluginAnswers } from '../table/plugin-form.ts'
import type { AnswerFormat, AnswerRow, EventFrame } from '../table/table.ts'
import { given, textAt } from '../../model/json.ts'

const { name: agent } = pi

/** The frame that hookgate's extension makes of what Pi hands to an extension. */
const frame: EventFrame = {
  shape: {
    agent: z.literal(agent),
    type: z.string(),
    piSession: z.string(),
    sessionFile: z.string().optional(),
    cwd: z.string(),
    timestamp: z.number().optional(),
    hasUI: z.boolean().optional(),
  },
  read(wire, { nowMs }) {
    const cwd = textAt(wire, 'cwd') ?? ''
    const { timestamp } = wire
    const transcriptPath = textAt(wire, 'sessionFile')
    return {
      session: { id: textAt(wire, 'piSession') ?? '', cwd, ...given('transcriptPath', transcriptPath) },
      workspaceRoots: [cwd],
      atMs: typeof timestamp === 'number' ? timestamp : nowMs,
    }
  },
  write: ({ session: { id, cwd, transcriptPath }, atMs }, { spelled }) => ({
    type: spelled,
    agent,
    piSession: id,
    ...given('sessionFile', transcriptPath),
    cwd,
    timestamp: atMs,
  }),
  call: { name: 'toolName', input: 'input', id: 'toolCallId' },
}

/** The plugin's answers, and the end of a turn. */
const form: AnswerFormat = {
  encode(supported) {
    const object = pluginAnswers.encode(supported)
    return supported.stop === undefined ? object : { ...object, stop: supported.stop }
  },
  decode(object) {
    const answer = pluginAnswers.decode(object)
    return typeof answer === 'string' ? answer : { ...answer, stop: textAt(object, 'stop') }
  },
}

const spelling = { path: mentionedPath }

const output = outputIn('output', 'durationMs')

const result = toolResult(
  agent,
  {
    fields: { ...output.fields, isError: z.boolean().optional() },
    read(wire) {
      const { isError, output: said } = wire
      return {
        ...output.read(wire),
        succeeded: isError !== true,
        ...(isError === true && typeof said === 'string' && { error: said }),
      }
    },
    write: (done) => ({ ...output.write(done), ...(!done.succeeded && { output: done.error ?? '', isError: true }) }),
  },
  spelling,
)

/** The events of Pi, as hookgate's extension reports them. Its names of MCP tools are those of a `HookEvent`. */
const rows = (
  [
    ['tool_call', toolCall(agent, spelling)],
    ['tool_result', result],
    ['input', textIn('text', 'prompt')],
    ['session_start', textIn('reason', 'trigger', 'startup')],
    ['agent_settled', textIn('message', 'message')],
    ['session_shutdown', textIn('reason', 'trigger', 'quit')],
    ['session_before_compact', textIn('trigger', 'trigger', 'auto')],
  ] as const
).map(([spelled, own]): AnswerRow => ({ spelled, frame, form, own }))

/** The extension's events and answers for Pi, as of 1.6.0. */
export const dialect = dialectBy(pi, {
  namesProject: true,
  rows,
  nameKey: 'type',
  supportIn: (support, { hasUI }) => (hasUI === false ? { ...support, ask: 'asDeny' } : support),
  recognises: (wire) => 'piSession' in wire && wire['agent'] === agent,
  runsIn: 'session',
})
