import { isAbsolute, relative, resolve } from 'node:path'
import { SdkInput } from './schemas.ts'
import { editsOf, type EditTexts } from '../edits.ts'
import { toolNameFor, toolRow } from '../tool-names.ts'
import type { ToolField } from '../tools.ts'
import type { Action, HookEvent } from '../../model/event.ts'
import { isJsonObject, type Json, type JsonObject, textAt } from '../../model/json.ts'

/** A tool call in the classic protocol: every parameter is a text. */
export interface ClassicCall {
  readonly toolName: string
  readonly parameters: Readonly<Record<string, string>>
}

/** Encodes a call for a Cline hook: one, or one for each file if another agent's call touches several. */
export function classicCalls(event: HookEvent, action: Action): readonly ClassicCall[] {
  if (event.agent === 'cline') return [{ toolName: ownName(event, action), parameters: strings(action.input) }]
  const mcp = /^mcp__(.+?)__(.+)$/s.exec(action.name)
  if (mcp !== null) {
    const [, server = '', tool = ''] = mcp
    return [
      {
        toolName: 'use_mcp_tool',
        parameters: { server_name: server, tool_name: tool, arguments: JSON.stringify(action.input) },
      },
    ]
  }
  const row = toolRow(event.agent, action.name, action.tool)
  const toolName = row === undefined ? undefined : toolNameFor('cline', row)
  if (toolName === undefined) return [{ toolName: action.name, parameters: strings(action.input) }]
  const paths = action.paths === undefined || action.paths.length === 0 ? [action.path] : action.paths
  return paths.map((path) => ({ toolName, parameters: parametersOf(toolName, event, action, path) }))
}

/** Returns engine C's own name of a tool if the common form has another (`mcp__…`). */
function ownName(event: HookEvent, action: Action): string {
  const wire = SdkInput.safeParse(event.raw)
  return wire.data?.tool_call?.name ?? wire.data?.tool_result?.name ?? action.name
}

/** Returns a tool's input under the keys and in the forms of Cline's own tool of that name. */
function parametersOf(toolName: string, event: HookEvent, action: Action, path: string | undefined): Strings {
  const at = path === undefined ? '.' : fromRoot(event, path)
  switch (toolName) {
    case 'execute_command':
      return { command: action.command ?? '', requires_approval: 'false' }
    case 'read_file':
      return { path: at }
    case 'write_to_file':
      return { path: at, content: action.content ?? '' }
    case 'replace_in_file':
      return { path: at, diff: diffOf(editsIn(event, action, path)) }
    case 'search_files':
      return {
        path: at,
        regex: field('pattern', event, action) ?? '',
        ...optional('file_pattern', field('glob', event, action)),
      }
    case 'list_files':
      return { path: at, recursive: 'true' }
    case 'web_fetch':
      return { url: action.url ?? '', ...optional('prompt', field('prompt', event, action)) }
    case 'web_search':
      return { query: field('pattern', event, action) ?? '' }
    case 'new_task':
      return { context: action.content ?? '' }
    default:
      return strings(action.input)
  }
}
type Strings = Readonly<Record<string, string>>

const optional = (key: string, value: string | undefined): Strings => (value === undefined ? {} : { [key]: value })

/**
 * Returns a path as Cline's model writes it: relative to the primary root, where the hook runs; absolute outside of it.
 */
function fromRoot(event: HookEvent, path: string): string {
  const root = event.workspaceRoots[0] ?? event.session.cwd
  const absolute = resolve(event.session.cwd, path)
  const within = relative(root, absolute)
  if (within === '') return '.'
  return within.split(/[/\\]/)[0] === '..' || isAbsolute(within) ? absolute : within
}

/** Reads a field of another agent's tool that has no common name in the event. */
function field(name: ToolField, event: HookEvent, action: Action): string | undefined {
  const key = toolRow(event.agent, action.name, action.tool)?.fields[event.agent]?.[name]
  return textAt(action.input, key)
}

/** Returns the edits of one file. */
function editsIn(event: HookEvent, action: Action, path: string | undefined): readonly EditTexts[] {
  const fields = toolRow(event.agent, action.name, action.tool)?.fields[event.agent] ?? {}
  if (fields.edits !== undefined) return editsOf(action, path ?? '', fields)
  const { edits } = action.input
  const replacements = Array.isArray(edits) ? edits.filter(isJsonObject) : [action.input]
  return replacements.map((edit) => ({
    removed: textAt(edit, 'old_string') ?? '',
    added: textAt(edit, 'new_string') ?? action.content ?? '',
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
function strings(input: JsonObject): Strings {
  return Object.fromEntries(Object.entries(input).map(([key, value]): [string, string] => [key, asText(value)]))
}

export function asText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
