import { isBelow } from '../../words/machine-paths.ts'
import { spellingOf } from '../registry.ts'
import type { ToolUse, HookEvent } from '../../model/event.ts'
import { type Json, type JsonObject, isJsonObject, textAt, given } from '../../model/json.ts'
import { askingEngine, SdkInput } from './schemas.ts'
import { relative, resolve } from 'node:path'
import { type EditTexts, editsOf } from '../codec/edits.ts'
import { toolNameFor, toolRow } from '../tool-names.ts'
import type { ToolField } from '../tools.ts'

/** Encodes an event for a Cline hook in the published protocol, that of engine A. */
export function encodeEvent(event: HookEvent): readonly JsonObject[] {
  const hookName = spellingOf('cline', event.name, event.trigger)
  if (hookName === undefined) return []
  if (event.agent === 'cline' && askingEngine(event) !== 'sdk') return [event.raw]
  return partsOf(hookName, event).map(([part, data]) =>
    written({
      clineVersion: ownText(event, 'clineVersion', 'hookgate'),
      hookName,
      timestamp: String(Math.trunc(event.atMs)),
      taskId: event.session.id,
      workspaceRoots: event.workspaceRoots,
      userId: ownText(event, 'userId', 'unknown'),
      model: event.session.model ?? { provider: 'unknown', slug: 'unknown' },
      [part]: data,
    }),
  )
}

/** Returns the event's own object with its key. */
function partsOf(hookName: string, event: HookEvent): readonly (readonly [string, JsonObject])[] {
  const { session, tool, result } = event
  const metadata = { taskId: session.id, ulid: '' }
  switch (hookName) {
    case 'PreToolUse':
      return tool === undefined ? [] : classicCalls(event, tool).map((call) => ['preToolUse', written({ ...call })])
    case 'PostToolUse':
      return tool === undefined
        ? []
        : classicCalls(event, tool).map((call) => ['postToolUse', written({ ...call, ...resultOf(result) })])
    case 'UserPromptSubmit':
      // Cline writes this field even if it has its default.
      return [['userPromptSubmit', { prompt: event.prompt ?? '' }]]
    case 'TaskStart':
      return [['taskStart', { taskMetadata: { ...metadata, initialTask: event.prompt ?? '' } }]]
    case 'TaskResume':
      return [['taskResume', { taskMetadata: metadata }]]
    case 'TaskCancel':
      return [['taskCancel', { taskMetadata: { ...metadata, completionStatus: 'cancelled' } }]]
    case 'TaskComplete':
      return [['taskComplete', { taskMetadata: { ...metadata, result: event.message ?? '', command: '' } }]]
    case 'PreCompact':
      return [['preCompact', written({ taskId: session.id })]]
    case 'Notification':
      return [['notification', notificationOf(event)]]
    default:
      return []
  }
}

function resultOf(result: HookEvent['result']): JsonObject {
  const { output, error, succeeded = false, durationMs = 0 } = result ?? {}
  const text = succeeded || error === undefined ? (output ?? '') : error
  return { result: asText(text), success: succeeded, executionTimeMs: Math.round(durationMs) }
}

/** Encodes a notification as one of Cline's two kinds: something has ended, or needs the user's attention. */
function notificationOf({ agent, trigger, message }: HookEvent): JsonObject {
  const completed = trigger === 'agent_completed'
  return written({
    event: completed ? 'task_complete' : 'user_attention',
    source: agent,
    message: message ?? '',
    waitingForUserInput: !completed,
    eventVersion: '1',
    requiresUserAction: !completed,
    severity: 'info',
  })
}

/** Returns a text that only Cline sends; for other agents a fixed value, since none is made up. */
function ownText(event: HookEvent, key: string, otherwise: string): string {
  const own = event.agent === 'cline' ? event.raw[key] : undefined
  return typeof own === 'string' && own !== '' ? own : otherwise
}

/** Omits fields that equal their default, as Proto3 does. Hooks rely on that. */
function written(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isDefault(value)))
}

function isDefault(value: Json): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0
  return value === '' || value === 0 || value === false
}

/** A tool call in the classic protocol: every parameter is a text. */
interface ClassicCall {
  readonly toolName: string
  readonly parameters: Readonly<Record<string, string>>
}

/** Encodes a call for a Cline hook: one, or one for each file if another agent's call touches several. */
function classicCalls(event: HookEvent, tool: ToolUse): readonly ClassicCall[] {
  if (event.agent === 'cline') return [{ toolName: ownName(event, tool), parameters: strings(tool.input) }]
  const mcp = /^mcp__(.+?)__(.+)$/s.exec(tool.name)
  if (mcp !== null) {
    const [, server = '', toolName = ''] = mcp
    return [
      {
        toolName: 'use_mcp_tool',
        parameters: { server_name: server, tool_name: toolName, arguments: JSON.stringify(tool.input) },
      },
    ]
  }
  const row = toolRow(event.agent, tool.name, tool.kind)
  const toolName = row === undefined ? undefined : toolNameFor('cline', row)
  if (toolName === undefined) return [{ toolName: tool.name, parameters: strings(tool.input) }]
  const paths = tool.paths === undefined || tool.paths.length === 0 ? [tool.path] : tool.paths
  return paths.map((path) => ({ toolName, parameters: parametersOf(toolName, event, tool, path) }))
}

/** Returns engine C's own name of a tool if the common form has another (`mcp__…`). */
function ownName(event: HookEvent, tool: ToolUse): string {
  const wire = SdkInput.safeParse(event.raw)
  return wire.data?.tool_call?.name ?? wire.data?.tool_result?.name ?? tool.name
}

/** Returns a tool's input under the keys and in the forms of Cline's own tool of that name. */
function parametersOf(toolName: string, event: HookEvent, tool: ToolUse, path: string | undefined): Strings {
  const at = path === undefined ? '.' : fromRoot(event, path)
  switch (toolName) {
    case 'execute_command':
      return { command: tool.command ?? '', requires_approval: 'false' }
    case 'read_file':
      return { path: at }
    case 'write_to_file':
      return { path: at, content: tool.content ?? '' }
    case 'replace_in_file':
      return { path: at, diff: diffOf(editsIn(event, tool, path)) }
    case 'search_files':
      return {
        path: at,
        regex: field('pattern', event, tool) ?? '',
        ...given('file_pattern', field('glob', event, tool)),
      }
    case 'list_files':
      return { path: at, recursive: 'true' }
    case 'web_fetch':
      return { url: tool.url ?? '', ...given('prompt', field('prompt', event, tool)) }
    case 'web_search':
      return { query: field('pattern', event, tool) ?? '' }
    case 'new_task':
      return { context: tool.content ?? '' }
    default:
      return strings(tool.input)
  }
}
type Strings = Readonly<Record<string, string>>

/**
 * Returns a path as Cline's model writes it: relative to the primary root, where the hook runs; absolute outside of it.
 */
function fromRoot(event: HookEvent, path: string): string {
  const root = event.workspaceRoots[0] ?? event.session.cwd
  const absolute = resolve(event.session.cwd, path)
  const within = relative(root, absolute)
  if (within === '') return '.'
  return isBelow(absolute, root) ? within : absolute
}

/** Reads a field of another agent's tool that has no common name in the event. */
function field(name: ToolField, event: HookEvent, tool: ToolUse): string | undefined {
  const key = toolRow(event.agent, tool.name, tool.kind)?.fields[event.agent]?.[name]
  return textAt(tool.input, key)
}

/** Returns the edits of one file. */
function editsIn(event: HookEvent, tool: ToolUse, path: string | undefined): readonly EditTexts[] {
  const fields = toolRow(event.agent, tool.name, tool.kind)?.fields[event.agent] ?? {}
  if (fields.edits !== undefined) return editsOf(tool, path ?? '', fields)
  const { edits } = tool.input
  const replacements = Array.isArray(edits) ? edits.filter(isJsonObject) : [tool.input]
  return replacements.map((edit) => ({
    removed: textAt(edit, 'old_string') ?? '',
    added: textAt(edit, 'new_string') ?? tool.content ?? '',
  }))
}

/** Encodes edits in Cline's own form, one block each. */
function diffOf(edits: readonly EditTexts[]): string {
  return edits
    .map(({ removed, added }) =>
      ['------- SEARCH', ...(removed === '' ? [] : [removed]), '=======', added, '+++++++ REPLACE'].join('\n'),
    )
    .join('\n')
}

/** Converts every value to text, non-texts to JSON, as Cline's engine B does. */
export function strings(input: JsonObject): Strings {
  return Object.fromEntries(Object.entries(input).map(([key, value]): [string, string] => [key, asText(value)]))
}

function asText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
