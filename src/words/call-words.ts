import type { ToolKind } from '../model/event.ts'
import { isJsonObject, type Json, type JsonObject, parseJsonObject } from '../model/json.ts'
import { mcpParts, toolCarries } from '../model/tool-kinds.ts'
import { toolWords } from './names.ts'

/** A call as it is kept for people, its texts masked. */
export interface WordedCall {
  readonly tool?: ToolKind | undefined
  readonly toolName?: string | undefined
  /** The command, path or URL. */
  readonly subject?: string | undefined
  readonly input?: JsonObject | undefined
}

/** Characters of an argument in the words of a call: more than fits on a line. */
const argumentCharactersMax = 300

/** Words a call for people: its command, path or URL, else its tool and the first telling argument. */
export function callWords(call: WordedCall): string {
  const { tool, subject = '' } = call
  return subject !== '' && !hasPattern(tool) ? subject : toolWithCall(call)
}

/** Words a call with its tool, for a text in which nothing else names the tool; any other event by its name. */
export const toolWithCall = (call: WordedCall & { readonly event?: string | undefined }): string =>
  namedCall({ toolName: call.toolName ?? call.tool ?? call.event ?? 'event', subject: aboutCall(call) })

/** Names a tool, and says what its call is about. */
export const namedCall = ({ toolName, subject }: { readonly toolName: string; readonly subject: string }): string =>
  subject === '' ? toolTitle(toolName) : `${toolTitle(toolName)}: ${subject}`

/** Returns a tool's name for people: `github merge_pull_request` for `mcp__github__merge_pull_request`. */
export const toolTitle = (name: string): string => mcpParts(name)?.join(' ') ?? name

/** Returns what a call is about: its command, path or URL, or the argument that says most. */
export function aboutCall({ tool, toolName = '', subject = '', input = {} }: WordedCall): string {
  if (subject !== '' && !hasPattern(tool)) return subject
  const given = argumentsOf(input)
  if (hasPattern(tool)) {
    return [textUnder(given, patternKeys), subject].filter((text) => text !== '').join(' in ')
  }
  if (tool === 'websearch') return textUnder(given, patternKeys)
  if (tool === 'agent') {
    return [textUnder(given, roleKeys), textUnder(given, taskKeys)].filter((text) => text !== '').join(': ')
  }
  const [key, value] = tellingEntry(given, toolName) ?? []
  return key === undefined || value === undefined ? '' : `${key} ${textOf(value)}`
}

const hasPattern = (tool: ToolKind | undefined) => tool !== undefined && toolCarries[tool].also === 'pattern'

const patternKeys = /^(?:pattern|query|queries|regex|search(?:_?term)?|glob(?:_?pattern)?|file_?pattern|q)$/i
const roleKeys = /^(?:subagent_?type|agent_?(?:type|name)|agent|role|mode)$/i
/** Keys of what a sub-agent is asked to do; a `description`, which only people read, is the last resort. */
const taskKeys = /^(?:prompts?|task|message|instructions?|objective)$|^prompt_1$|^description$/i

/** Returns the first value under one of these keys. */
function textUnder(given: JsonObject, keys: RegExp): string {
  const own = Object.entries(given).filter(([key, value]) => keys.test(key) && textOf(value) !== '')
  const value = (own.find(([key]) => key !== 'description') ?? own[0])?.[1]
  return value === undefined ? '' : textOf(value)
}

/** Returns the arguments of a call: some agents wrap those of an MCP tool, beside its name or as JSON. */
function argumentsOf(input: JsonObject): JsonObject {
  const wrapped = input['arguments'] ?? input['tool_input']
  if (wrapped === undefined || !('server_name' in input || 'tool_name' in input)) return input
  return typeof wrapped === 'string' ? (parseJsonObject(wrapped) ?? input) : isJsonObject(wrapped) ? wrapped : input
}

/** Keys of what runs, then of where a call goes, and at last of names. */
const runs = /^(?:command|cmd|script|code|sql|statement|expression|function|query|mutation)$/i
const goesTo = /^(?:url|uri|path|file|file_?path|filename|source|destination|folder|directory)$/i
const names = /(?:^|_)(?:name|title|subject|branch|text|message|body)$|[a-z](?:Name|Title)$/
const ids = /(?:^|_)(?:key|id|ref|number)$|[a-z](?:Key|Id|Number)$/

/** Returns the argument that says most of what a call does: what runs, where it goes, or the thing that the tool names. */
function tellingEntry(given: JsonObject, toolName: string): readonly [key: string, value: Json] | undefined {
  const entries = Object.entries(given).filter(([, value]) => textOf(value) !== '')
  const words = toolWords(mcpParts(toolName)?.[1] ?? toolName)
  const isOfTool = (key: string) => toolWords(key).some((word) => words.some((one) => isShortFor(word, one)))
  const tests = [(key: string) => runs.test(key), (key: string) => goesTo.test(key), isOfTool]
  for (const test of [...tests, (key: string) => names.test(key), (key: string) => ids.test(key), () => true]) {
    const found = entries.find(([key]) => test(key))
    if (found !== undefined) return found
  }
  return undefined
}

/** `repo` names what `delete_repository` deletes. */
const isShortFor = (word: string, whole: string) => word.length > 2 && (whole.startsWith(word) || word === `${whole}s`)

function textOf(value: Json): string {
  const text = typeof value === 'string' ? value : value === null ? '' : textOfValue(value)
  return text.length > argumentCharactersMax ? `${text.slice(0, argumentCharactersMax - 1).toWellFormed()}…` : text
}

const textOfValue = (value: Exclude<Json, string | null>) =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')
    ? value.join(', ')
    : typeof value === 'object' && Object.keys(value).length === 0
      ? ''
      : JSON.stringify(value)
