import type { ToolKind, ToolUse } from './event.ts'
import { isJsonObject, type Json, type JsonObject, objectsIn, parseJsonObject, textAt, textsAt } from './json.ts'
import { shellWord } from './text.ts'
import { toolWords } from './tool-words.ts'

/** An MCP call in the terms of the tools that agents bring themselves. */
export interface McpUse {
  /** The kind of tool whose policies are about the call as well. */
  readonly kind: ToolKind
  readonly command?: string
  readonly paths: readonly string[]
  readonly url?: string
  readonly content?: string
}

/**
 * Derives what an MCP call does from the names of its tool and fields, which servers choose freely but alike.
 *
 * Returns `undefined` for other tools, and where the input names no command, file or address.
 */
export function mcpUse({ kind, name, input }: ToolUse): McpUse | undefined {
  if (kind !== 'mcp') return undefined
  const given = mcpArguments(input)
  const words = toolWords(name.slice('mcp__'.length))
  const paths = pathsIn(given)
  const command = commandIn(given)
  const url = addressIn(given)
  const content = textIn(given, contentKeys) ?? nestedContent(given)
  const runs = command !== undefined && (paths.length === 0 || words.some((word) => runWords.has(word)))
  if (!runs && paths.length === 0 && url === undefined) return undefined
  return {
    kind: runs ? 'shell' : paths.length > 0 ? fileKind(words) : 'fetch',
    paths: runs ? [] : paths,
    ...(runs && { command }),
    ...(url !== undefined && { url }),
    ...(content !== undefined && { content }),
  }
}

/**
 * Returns the arguments sent to an MCP server. Cline's `use_mcp_tool` wraps them as a JSON string; its SDK does not. Grok's
 * `use_tool` wraps them beside the tool's name.
 */
export function mcpArguments(input: JsonObject): JsonObject {
  const { tool_name: named, tool_input: given } = input
  if (typeof named === 'string' && isJsonObject(given)) return given
  if (!('server_name' in input)) return input
  const wrapped: Json | undefined = input['arguments']
  if (typeof wrapped === 'string') return parseJsonObject(wrapped) ?? input
  return isJsonObject(wrapped) ? wrapped : {}
}

const commandKeys = [
  'command',
  'cmd',
  'shell_command',
  'shellCommand',
  'command_line',
  'commandLine',
  'cli_command',
  'cliCommand',
  'commands',
]
const pathKeys =
  'path paths file file_path filePath filepath filename absolute_path absolutePath source_path sourcePath source destination destination_path destinationPath target_path targetPath old_path new_path directory folder notebook_path relative_path'.split(
    ' ',
  )
const addressKeys = ['url', 'uri', 'address', 'link', 'href']
const contentKeys = ['content', 'contents', 'file_text', 'new_string', 'new_str', 'newText', 'text', 'body', 'data']

const runWords: ReadonlySet<string> = new Set(
  'shell bash sh zsh powershell terminal console exec execute run command commands cmd process ssh script'.split(' '),
)
const listWords: ReadonlySet<string> = new Set('list tree ls dir info stat exists glob'.split(' '))
const searchWords: ReadonlySet<string> = new Set('search grep find'.split(' '))
const readWords: ReadonlySet<string> = new Set('read get view cat open show head tail fetch describe'.split(' '))
const changeWords: ReadonlySet<string> = new Set(
  'write edit create delete remove move rename copy update set put append insert replace upload save push patch add make'.split(
    ' ',
  ),
)

/** A tool whose name does not say that it only reads is assumed to write. */
function fileKind(words: readonly string[]): ToolKind {
  if (words.some((word) => changeWords.has(word))) return 'write'
  if (words.some((word) => searchWords.has(word))) return 'search'
  if (words.some((word) => listWords.has(word))) return 'list'
  return words.some((word) => readWords.has(word)) ? 'read' : 'write'
}

function commandIn(given: JsonObject): string | undefined {
  for (const key of commandKeys) {
    const value = given[key]
    if (value === undefined) continue
    if (typeof value === 'string') return [value, ...textsAt(given, 'args').map(shellWord)].join(' ')
    const words = textsAt(given, key)
    if (words.length > 0) return key === 'commands' ? words.join('\n') : words.map(shellWord).join(' ')
  }
  return undefined
}

/** A `path` beside a `method` is part of an address. */
function pathsIn(given: JsonObject): readonly string[] {
  if (Object.hasOwn(given, 'method')) return []
  const own = pathKeys.flatMap((key) => textsAt(given, key))
  const uris = addressKeys.flatMap((key) => textsAt(given, key)).filter((one) => one.startsWith('file://'))
  const nested = objectsIn(given['files']).flatMap((one) => pathKeys.flatMap((key) => textsAt(one, key)))
  const paths = [...own, ...nested, ...uris].map((one) => one.replace(/^file:\/\//, ''))
  return [...new Set(paths)].filter(isPath)
}

/** Some servers have a file's text, or an address, under such a key. */
const isPath = (text: string) => text !== '' && !/[\n\r]|^[a-z][a-z\d+.-]+:\/\//i.test(text)

const addressIn = (given: JsonObject): string | undefined =>
  addressKeys.map((key) => textAt(given, key)).find((one) => one !== undefined && /^(?!file:)[a-z]+:\/\//i.test(one))

function textIn(given: JsonObject, keys: readonly string[]): string | undefined {
  return keys.map((key) => textAt(given, key)).find((one) => one !== undefined)
}

function nestedContent(given: JsonObject): string | undefined {
  const texts = [...objectsIn(given['files']), ...objectsIn(given['edits'])].flatMap(
    (one) => textIn(one, contentKeys) ?? [],
  )
  return texts.length === 0 ? undefined : texts.join('\n')
}
