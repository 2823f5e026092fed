import { z } from 'zod'
import { openclaw } from './index.ts'
import { mentionedPath } from '../codec/mention-path.ts'
import { dialectBy } from '../table/dialect-by.ts'
import { outputIn, textIn, toolCall, toolResult } from '../table/event-fields.ts'
import { pluginAnswers } from '../table/plugin-form.ts'
import type { AnswerRow, EventFrame } from '../table/table.ts'
import { folderOfCall } from '../table/tool-use.ts'
import { given, isJsonObject, type JsonObject, textAt, textsAt } from '../../model/json.ts'
import { shellWord } from '../../model/text.ts'

const { name: agent } = openclaw

/** The frame that hookgate's plugin makes of what OpenClaw hands to a plugin. */
const frame: EventFrame = {
  shape: {
    agent: z.literal(agent),
    type: z.string(),
    clawSession: z.string(),
    subagent: z.string().optional(),
    cwd: z.string(),
    timestamp: z.number().optional(),
    requester: z.looseObject({ senderIsOwner: z.boolean().optional(), senderId: z.string().optional() }).optional(),
  },
  read(wire, { nowMs }) {
    const workspace = textAt(wire, 'cwd') ?? ''
    const { timestamp } = wire
    return {
      session: {
        id: textAt(wire, 'clawSession') ?? '',
        cwd: folderOfCall(wire['params'], 'workdir', workspace),
        ...given('agentId', textAt(wire, 'subagent')),
        ...(isStranger(wire) && { stranger: true }),
      },
      workspaceRoots: [workspace],
      atMs: typeof timestamp === 'number' ? timestamp : nowMs,
    }
  },
  write: ({ session: { id, cwd, agentId, stranger }, workspaceRoots: [root = cwd], atMs }, { spelled }) => ({
    type: spelled,
    agent,
    clawSession: id,
    ...given('subagent', agentId),
    cwd: root,
    timestamp: atMs,
    ...(stranger && { requester: { senderIsOwner: false } }),
  }),
  call: { name: 'toolName', input: 'params', id: 'toolCallId' },
}

/** True for a turn that somebody in a chat began, unless OpenClaw says that it was its owner. Other turns have no sender. */
function isStranger({ requester }: JsonObject): boolean {
  if (!isJsonObject(requester) || requester['senderIsOwner'] === true) return false
  return requester['senderIsOwner'] === false || requester['senderId'] !== undefined
}

/** Returns the text that a call types into a running program, which may be a shell: given as a text, as bytes or as keys. */
function typedText(input: JsonObject): string | undefined {
  const bytes = textsAt(input, 'hex').map((byte) => String.fromCodePoint(Number.parseInt(byte, 16) || 0))
  const keys = textsAt(input, 'keys').map((key) => namedKeys[key.trim().toLowerCase()] ?? key)
  const typed = ['data', 'text', 'literal'].map((key) => textAt(input, key) ?? '')
  const text = [...typed, ...bytes, ...keys].join('')
  return text === '' ? undefined : text.replaceAll('\r', '\n')
}
const namedKeys: Readonly<Record<string, string>> = { enter: '\n', return: '\n', 'c-m': '\n', space: ' ', tab: '\t' }

/** Returns the command that a call stands for: what it types, or what the program of OpenClaw does as its helper does. */
function commandFor(name: string, input: JsonObject): string | undefined {
  return name === 'process' ? typedText(input) : helperCommand(name, input)
}

/** OpenClaw's helper changes its settings and plugins by one tool, as its program does: `config_set`, `plugin_uninstall`. */
function helperCommand(name: string, { action, ...input }: JsonObject): string | undefined {
  if (name !== 'openclaw' || typeof action !== 'string') return undefined
  const operands = Object.values(input).filter((one) => typeof one === 'string')
  return ['openclaw', ...action.split('_'), ...operands].map(shellWord).join(' ')
}

const spelling = {
  path: mentionedPath,
  command: commandFor,
  mcp(name: string): readonly [string, string] | undefined {
    const [, server, tool] = /^(.+?)__(.+)$/s.exec(name) ?? []
    return server === undefined || tool === undefined ? undefined : [server, tool]
  },
}

const result = toolResult(agent, outputIn('result', 'durationMs', 'error'), spelling)

const rows = (
  [
    ['before_tool_call', toolCall(agent, spelling)],
    ['after_tool_call', result],
    ['session_start', textIn('source', 'trigger', 'startup')],
    ['session_end', textIn('reason', 'trigger', 'unknown')],
  ] as const
).map(([spelled, own]): AnswerRow => ({ spelled, frame, form: pluginAnswers, own }))

/** The plugin's events and answers for OpenClaw, as of 2026.9. */
export const dialect = dialectBy(openclaw, {
  namesProject: true,
  rows,
  nameKey: 'type',
  recognises: (wire) => 'clawSession' in wire && wire['agent'] === agent,
  runsIn: 'session',
})
