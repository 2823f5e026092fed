import { isAbsolute } from 'node:path'
import { z } from 'zod'
import { copilotCli } from './index.ts'
import { anObject, anything, mismatch } from '../codec/mismatch.ts'
import {
  fixed,
  outputIn,
  sessionSource,
  snakeFrame,
  textIn,
  together,
  toolCall,
  toolResult,
} from '../table/event-fields.ts'
import { dialectBy } from '../table/dialect-by.ts'
import type { AnswerFormat, AnswerRow, DecodedAnswer, EventFields, EventFrame, EventRow } from '../table/table.ts'
import { toolKind } from '../tool-names.ts'
import type { HookEvent } from '../../model/event.ts'
import { isJsonObject, type Json, type JsonObject, textAt } from '../../model/json.ts'

/** How an event is refused: as a call, as a permission request, by `decision: block`, or not at all. */
type CopilotRefusal = 'call' | 'permission' | 'block' | 'nothing'

const specific = z.looseObject({
  permissionDecision: z.enum(['allow', 'deny', 'ask']).optional(),
  permissionDecisionReason: z.string().nullish(),
  updatedInput: anObject.optional(),
  additionalContext: z.string().nullish(),
})

/** Accepts Copilot's own form, and Claude Code's. */
const Answer = specific.extend({
  modifiedArgs: anObject.optional(),
  modifiedResult: anything.optional(),
  behavior: z.enum(['allow', 'deny', 'ask']).optional(),
  message: z.string().nullish(),
  decision: z.string().nullish(),
  reason: z.string().nullish(),
  hookSpecificOutput: specific.optional(),
})

/**
 * Encodes and decodes answers in Copilot's format, which has all fields at the top level.
 *
 * @param named whether the hook is registered under Claude Code's name of the event, and may use its format too
 */
function copilotForm(refused: CopilotRefusal, named: 'camel' | 'pascal'): AnswerFormat {
  return {
    encode({ decision, reason, context, replaceInput, replaceOutput }) {
      const object: JsonObject = {
        ...(refused === 'call' &&
          decision !== 'abstain' && {
            permissionDecision: decision,
            ...(reason !== '' && { permissionDecisionReason: reason }),
          }),
        ...(refused === 'permission' &&
          decision !== 'abstain' && { behavior: decision, ...(reason !== '' && { message: reason }) }),
        ...(refused === 'block' && decision === 'deny' && { decision: 'block', reason }),
        ...(replaceInput !== undefined && { modifiedArgs: replaceInput }),
        ...(replaceOutput !== undefined && { modifiedResult: resultOf(replaceOutput.output) }),
        ...(context !== '' && { additionalContext: context }),
      }
      return Object.keys(object).length === 0 ? undefined : object
    },
    decode(object) {
      const parsed = Answer.safeParse(object, { reportInput: true })
      return parsed.success ? meaningOf(refused, parsed.data, named) : mismatch(parsed.error.issues)
    },
  }
}

function meaningOf(refused: CopilotRefusal, answer: z.infer<typeof Answer>, named: 'camel' | 'pascal'): DecodedAnswer {
  const inner = (named === 'pascal' ? answer.hookSpecificOutput : undefined) ?? {}
  const besides: DecodedAnswer = {
    input: answer.modifiedArgs ?? inner.updatedInput,
    output: bareText(answer.modifiedResult, 'resultType', 'textResultForLlm') ?? answer.modifiedResult,
    context: answer.additionalContext ?? inner.additionalContext ?? undefined,
  }
  switch (refused) {
    case 'call':
      return {
        ...besides,
        effect: answer.permissionDecision ?? inner.permissionDecision,
        reason: answer.permissionDecisionReason ?? inner.permissionDecisionReason ?? undefined,
      }
    case 'permission':
      return { ...besides, effect: answer.behavior, reason: answer.message ?? undefined }
    case 'block':
      return answer.decision === 'block' ? { ...besides, effect: 'deny', reason: answer.reason ?? undefined } : besides
    case 'nothing':
      return besides
  }
}

const agent = copilotCli.name
const projectVariables = ['COPILOT_PROJECT_DIR']

/** The frame of Copilot's own events: camel case, a numeric time, and no event name except at permission requests. */
const camel: EventFrame = {
  shape: {
    sessionId: z.string(),
    timestamp: z.union([z.number(), z.string()], 'a number or a string').optional(),
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
const permission: EventFrame = {
  ...camel,
  shape: { ...camel.shape, hookName: z.string() },
  write: (event, row) => ({ hookName: 'permissionRequest', ...camel.write(event, row) }),
  call: { name: 'toolName', input: 'toolInput' },
}

/** The frame of hooks registered under Claude Code's event names: its spelling, with Copilot's own tools. */
const pascal: EventFrame = {
  ...snakeFrame({ projectVariables, timestamp: true }),
  call: { name: 'tool_name', input: 'tool_input' },
}

/** MCP tools are `server-tool`, or `server/tool` in permission requests; no tool of its own has either sign. */
const spelling = {
  mcp(name: string): readonly [string, string] | undefined {
    if (toolKind(agent, name) !== 'other') return undefined
    const [, server, tool] = /^([^-/]+)[-/](.+)$/s.exec(name) ?? []
    return server === undefined || tool === undefined ? undefined : [server, tool]
  },
}

const call = toolCall(agent, spelling)
const stopping = (key: string): EventFields =>
  together(
    fixed({ stop_hook_active: z.boolean().optional(), [key]: z.string().optional() }, { [key]: 'end_turn' }),
    textIn('last_assistant_message', 'message'),
  )

/** The prompt as transformed for the model; the trigger is what the user wrote. */
const transformed: EventFields = together(textIn('prompt', 'trigger'), textIn('transformedPrompt', 'prompt'))

/** An error's message and origin. */
const erring: EventFields = {
  fields: { error: anything, errorContext: z.string().optional() },
  read({ error, errorContext }) {
    const message = isJsonObject(error) ? textAt(error, 'message') : undefined
    return {
      trigger: typeof errorContext === 'string' ? errorContext : 'unknown',
      ...(message && { message }),
    }
  },
  write: ({ trigger = 'unknown', message = '' }) => [
    { error: { message, name: 'Error' }, errorContext: trigger, recoverable: false },
  ],
}

/** Maps a tool's result, which has a kind and the text for the model. */
function resultAt(key: string, typeKey: string, textKey: string) {
  return {
    fields: { [key]: anything.optional(), durationMs: z.number().optional() },
    read(wire: JsonObject): NonNullable<HookEvent['result']> {
      const { [key]: output, durationMs } = wire
      const bare = bareText(output, typeKey, textKey)
      return {
        succeeded: true,
        ...(output !== undefined && { output: bare ?? output }),
        ...(typeof durationMs === 'number' && { durationMs }),
      }
    },
    write: ({ output, durationMs }: NonNullable<HookEvent['result']>): JsonObject => ({
      [key]: { [typeKey]: 'success', [textKey]: outputText(output) },
      ...(durationMs !== undefined && { durationMs }),
    }),
  }
}

function bareText(output: Json | undefined, typeKey: string, textKey: string): string | undefined {
  if (!isJsonObject(output)) return undefined
  const keys = Object.keys(output)
  const isBare = keys.length === 2 && keys.includes(typeKey) && keys.includes(textKey)
  return isBare ? textAt(output, textKey) : undefined
}

/** Measured: a bare text is ignored. */
const resultOf = (output: Json): Json =>
  typeof output === 'string' ? { resultType: 'success', textResultForLlm: output } : output

const outputText = (output: Json | undefined) => (typeof output === 'string' ? output : JSON.stringify(output ?? ''))

const failed = outputIn('toolResult', 'durationMs', 'error')

/** In permission requests, tools that change files use other keys for their input than elsewhere. */
const permissionCall: EventFields = {
  ...call,
  read(wire, frame) {
    const { tool } = call.read(wire, frame)
    const path = tool && textAt(tool.input, 'file_path')
    return tool === undefined || path === undefined
      ? { ...(tool && { tool }) }
      : { tool: { ...tool, paths: [path], path, content: textAt(tool.input, 'diff') ?? '' } }
  },
}

const ending = textIn('reason', 'trigger', 'other')
const compacting = textIn('trigger', 'trigger', 'auto')

/** Each event under its own name, and under Claude Code's if a hook may be registered with it. */
const events: readonly (readonly [refused: CopilotRefusal, camel: NamedFields, pascal?: NamedFields])[] = [
  ['call', ['preToolUse', call], ['PreToolUse', call]],
  [
    'block',
    ['postToolUse', toolResult(agent, resultAt('toolResult', 'resultType', 'textResultForLlm'), spelling)],
    ['PostToolUse', toolResult(agent, resultAt('tool_result', 'result_type', 'text_result_for_llm'), spelling)],
  ],
  [
    'nothing',
    ['postToolUseFailure', toolResult(agent, failed, spelling)],
    ['PostToolUseFailure', toolResult(agent, outputIn('tool_result', 'duration_ms', 'error'), spelling)],
  ],
  ['block', ['userPromptSubmitted', textIn('prompt', 'prompt')], ['UserPromptSubmit', textIn('prompt', 'prompt')]],
  ['nothing', ['sessionStart', sessionSource], ['SessionStart', sessionSource]],
  ['nothing', ['sessionEnd', ending], ['SessionEnd', ending]],
  ['block', ['agentStop', stopping('stopReason')], ['Stop', stopping('stop_reason')]],
  [
    'block',
    ['subagentStop', together(textIn('agentName', 'trigger'), stopping('stopReason'))],
    ['SubagentStop', together(textIn('agent_name', 'trigger'), stopping('stop_reason'))],
  ],
  ['nothing', ['subagentStart', textIn('agentName', 'trigger')], ['SubagentStart', textIn('agent_name', 'trigger')]],
  ['nothing', ['preCompact', compacting], ['PreCompact', compacting]],
  ['nothing', ['notification', together(textIn('notificationType', 'trigger'), textIn('message', 'message'))]],
  ['nothing', ['userPromptTransformed', transformed]],
  ['nothing', ['errorOccurred', erring]],
]
type NamedFields = readonly [spelled: string, own: EventFields]

/** Copilot's events, followed by the same in the format for hooks registered under Claude Code's names. */
const rows: readonly AnswerRow[] = [
  ...events.map(([refused, [spelled, own]]) => ({
    spelled,
    frame: camel,
    form: copilotForm(refused, 'camel'),
    own,
  })),
  { spelled: 'permissionRequest', frame: permission, form: copilotForm('permission', 'camel'), own: permissionCall },
  ...events.flatMap(([refused, , described]) => {
    const [spelled, own] = described ?? []
    if (spelled === undefined || own === undefined) return []
    return [{ spelled, frame: pascal, form: copilotForm(refused, 'pascal'), own }]
  }),
]

/**
 * Finds a row. Copilot's own events do not contain their name: they are recognised by fields that only one of them has.
 */
function rowOf(wire: JsonObject, among: readonly EventRow<AnswerRow>[]): EventRow<AnswerRow> | undefined {
  const named = wire['hook_event_name']
  if (typeof named === 'string') return among.find(({ spelled, frame }) => spelled === named && frame === pascal)
  if (typeof wire['sessionId'] !== 'string') return undefined
  const spelled = wire['hookName'] === 'permissionRequest' ? 'permissionRequest' : spelledIn(wire)
  return among.find((row) => row.spelled === spelled)
}

function spelledIn(wire: JsonObject): string | undefined {
  if ('toolName' in wire) {
    if ('error' in wire) return 'postToolUseFailure'
    return 'toolResult' in wire ? 'postToolUse' : 'preToolUse'
  }
  if ('agentName' in wire) return 'stopReason' in wire ? 'subagentStop' : 'subagentStart'
  if ('stopReason' in wire) return 'agentStop'
  if ('source' in wire) return 'sessionStart'
  if ('error' in wire) return 'errorOccurred'
  if ('transformedPrompt' in wire) return 'userPromptTransformed'
  if ('notificationType' in wire) return 'notification'
  if ('prompt' in wire) return 'userPromptSubmitted'
  if ('trigger' in wire) return 'preCompact'
  return 'reason' in wire ? 'sessionEnd' : undefined
}

/** The hooks of GitHub Copilot CLI, as of 1.0.102, in both of its formats. */
export const dialect = dialectBy(copilotCli, {
  rows,
  rowOf,
  recognises,
  // Any other code refuses a call as well, but the model does not get the reason.
  refusalCode: 0,
  outcome(exitCode, { event }) {
    if (event === 'PreToolUse') return 'refuses'
    return event === 'PermissionRequest' && exitCode === 2 ? 'refuses' : 'fails'
  },
  runsIn: 'project',
  variables: (_event, root) => ({
    COPILOT_CLI: '1',
    COPILOT_PROJECT_DIR: root,
    CLAUDE_PROJECT_DIR: root,
  }),
})

/** Recognises Copilot. Its Claude Code format resembles VS Code's, but no tool call names a transcript. */
function recognises(wire: JsonObject): boolean {
  if ('taskId' in wire || 'clineVersion' in wire) return false
  if ('sessionId' in wire) return true
  if ('permission_mode' in wire || 'transcript_path' in wire || 'tool_use_id' in wire) return false
  return 'timestamp' in wire && 'session_id' in wire
}
