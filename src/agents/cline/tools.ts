import { commandLine } from '../codec/rewrite.ts'
import { patchPaths, unknownToolUse } from '../codec/edits.ts'
import { toolKind, toolRow } from '../tool-names.ts'
import type { ToolUse, ToolKind } from '../../model/event.ts'
import { type Json, type JsonObject, isJsonObject, textAt } from '../../model/json.ts'
import { anything } from '../codec/mismatch.ts'

interface Wire {
  /** Whether the parameters were converted to strings, as those of engines A and B are. */
  readonly stringified: boolean
  readonly id?: string | undefined
}

/** Decodes a tool call of Cline into the common form. */
export function toolUseOf(toolName: string, input: JsonObject, { stringified, id }: Wire): ToolUse {
  const { name, tool } = named(toolName, input, stringified)
  if (tool === 'other') return { ...unknownToolUse(name, input), name, ...(id !== undefined && { id }), input }
  const { paths = [], ...rest } = common(toolName, tool, input, stringified)
  const [path] = paths
  return {
    kind: tool,
    name,
    ...(id === undefined ? {} : { id }),
    input,
    ...(path === undefined ? {} : { paths, path }),
    ...definedOf(rest),
  }
}

function named(toolName: string, input: JsonObject, stringified: boolean): { name: string; tool: ToolKind } {
  if (toolName === 'use_mcp_tool') {
    const [server, tool] = [textAt(input, 'server_name'), textAt(input, 'tool_name')]
    return {
      name: server === undefined || tool === undefined ? toolName : `mcp__${server}__${tool}`,
      tool: 'mcp',
    }
  }
  if (toolName === 'editor') {
    const whole = absent(input, 'old_text', stringified) && absent(input, 'insert_line', stringified)
    return { name: toolName, tool: whole ? 'write' : 'edit' }
  }
  const kind = toolKind('cline', toolName)
  // Engines B and C name an MCP tool `<server>__<tool>`; none of their own tools has two underscores in a row.
  if (kind === 'other' && /^.+?__./s.test(toolName)) return { name: `mcp__${toolName}`, tool: 'mcp' }
  return { name: toolName, tool: kind }
}

interface Common {
  readonly paths?: readonly string[]
  readonly command?: string | undefined
  readonly url?: string | undefined
  readonly content?: string | undefined
}

function common(toolName: string, tool: ToolKind, input: JsonObject, stringified: boolean): Common {
  const special = sdkReaders.get(toolName)
  if (special !== undefined) return special(input, stringified)
  const fields = toolRow('cline', toolName, tool)?.fields.cline
  if (tool === 'mcp' || fields === undefined) return {}
  return {
    paths: fields.path === undefined ? [] : classicPaths(input, fields.path),
    command: textAt(input, fields.command),
    url: textAt(input, fields.url),
    content: textAt(input, fields.content),
  }
}

/**
 * Returns the path. Some models' prompts make Cline's tools take `absolutePath`, which its handlers read if `path` is
 * empty.
 */
function classicPaths(input: JsonObject, key: string): readonly string[] {
  const path = textAt(input, key) || textAt(input, 'absolutePath')
  return path ? [path] : []
}

/** Readers of the tools whose input is not a flat record of texts. */
const sdkReaders = new Map<string, (input: JsonObject, stringified: boolean) => Common>([
  ['run_commands', (input, stringified) => ({ command: commandText(input, stringified) })],
  ['read_files', (input, stringified) => ({ paths: filePaths(input, stringified) })],
  ['editor', (input) => ({ paths: classicPaths(input, 'path'), content: textAt(input, 'new_text') })],
  ['apply_patch', (input) => ({ paths: patchPaths(textAt(input, 'input') ?? ''), content: textAt(input, 'input') })],
  ['fetch_web_content', (input, stringified) => ({ url: firstUrl(input, stringified) })],
  ['spawn_agent', (input) => ({ content: textAt(input, 'task') })],
])

function definedOf(fields: Omit<Common, 'paths'>): { [Field in 'command' | 'url' | 'content']?: string } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

/**
 * Reads the inputs of the tools of Cline's SDK in every form that their schemas accept (its `schemas.ts`).
 *
 * A form that was not read here would bypass every rule about commands or paths.
 */

/** Returns all commands of `run_commands`, one per line; `undefined` if any of them cannot be read. */
function commandText(input: JsonObject, stringified: boolean): string | undefined {
  const args = atKey(input, 'args', stringified)
  const given = [
    ...listAt(input, 'commands', stringified),
    ...listAt(input, 'command', stringified).map((command): Json => (args === undefined ? command : { command, args })),
    ...listAt(input, 'cmd', stringified),
  ]
  const read = given.map(commandLine)
  if (read.includes(undefined)) return undefined
  const lines = read.filter((line) => line !== undefined)
  // Engine B writes structure as JSON and text as it is, so a text that looks like structure may be a shell command.
  if (stringified && given.some(isJsonObject)) lines.push(...stringsIn(input['commands']))
  return lines.length === 0 ? undefined : lines.join('\n')
}

/** Returns all files of `read_files`. */
function filePaths(input: JsonObject, stringified: boolean): readonly string[] {
  return ['files', 'file_paths', 'paths', 'path'].flatMap((key) =>
    listAt(input, key, stringified).flatMap((entry) => stringsIn(isJsonObject(entry) ? entry['path'] : entry)),
  )
}

/** Returns the first URL of `fetch_web_content`. */
function firstUrl(input: JsonObject, stringified: boolean): string | undefined {
  return listAt(input, 'requests', stringified).flatMap((entry) =>
    stringsIn(isJsonObject(entry) ? entry['url'] : null),
  )[0]
}

/** Returns whether an optional value was left out; engine B writes `null` as the text `null`. */
function absent(input: JsonObject, key: string, stringified: boolean): boolean {
  const value = atKey(input, key, stringified)
  return value === undefined || value === null
}

function listAt(input: JsonObject, key: string, stringified: boolean): readonly Json[] {
  const value = atKey(input, key, stringified)
  if (value === undefined) return []
  return isList(value) ? value : [value]
}

function stringsIn(value: Json | undefined): readonly string[] {
  if (typeof value === 'string') return [value]
  return isList(value) ? value.filter((entry) => typeof entry === 'string') : []
}

/** Narrows readonly arrays, which `Array.isArray` does not. */
const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value)

/**
 * Reads a parameter. Engine B's parameters are texts: non-texts are JSON (`toStringRecord` of its `hooks-adapter.ts`).
 */
function atKey(input: JsonObject, key: string, stringified: boolean): Json | undefined {
  const value = input[key]
  if (!stringified || typeof value !== 'string' || !/^(?:[[{]|null$)/.test(value)) return value
  try {
    return anything.parse(JSON.parse(value))
  } catch {
    return value
  }
}
