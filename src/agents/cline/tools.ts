import { absent, commandText, filePaths, firstUrl } from './sdk-tools.ts'
import { patchPaths } from '../edits.ts'
import { toolKind, toolRow } from '../tool-names.ts'
import type { Action, ToolKind } from '../../model/event.ts'
import { type JsonObject, textAt } from '../../model/json.ts'

interface Wire {
  /** Whether the parameters were converted to strings, as those of engines A and B are. */
  readonly stringified: boolean
  readonly id?: string | undefined
}

/** Decodes a tool call of Cline into the common form. */
export function actionOf(toolName: string, input: JsonObject, { stringified, id }: Wire): Action {
  const { name, tool } = named(toolName, input, stringified)
  const { paths = [], ...rest } = common(toolName, tool, input, stringified)
  const [path] = paths
  return {
    tool,
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
  if (kind === 'other' && /^.+?__.+$/.test(toolName)) return { name: `mcp__${toolName}`, tool: 'mcp' }
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
