import { type CarriedUse, carriedUse } from './carried-use.ts'
import type { ToolKind, ToolUse } from '../model/event.ts'
import { isJsonObject, type Json, type JsonObject, parseJsonObject } from '../model/json.ts'

/** An MCP call in the terms of the tools that agents bring themselves. */
interface McpUse extends Omit<CarriedUse, 'kind'> {
  /** The kind of tool whose policies are about the call as well; `mcp` where nothing says what it does with a file. */
  readonly kind: ToolKind
}

/**
 * Derives what an MCP call does from its input and the names of its tool.
 *
 * Returns `undefined` for other tools, and where the input names no command, file or address.
 */
export function mcpUse(tool: ToolUse): McpUse | undefined {
  if (tool.kind !== 'mcp') return undefined
  if (usesKnown.has(tool)) return usesKnown.get(tool)
  const use = carriedUse(tool.name.slice('mcp__'.length), ...readInputs(tool.input))
  const known: McpUse | undefined = use && { ...use, kind: use.kind ?? 'mcp' }
  usesKnown.set(tool, known)
  return known
}

/**
 * Returns the arguments and, where they seem to be wrapped, also what is beside them: to a server that takes its arguments
 * as they are, the keys of the wrapper are a few more.
 */
function readInputs(input: JsonObject): readonly JsonObject[] {
  const wrapped = mcpArguments(input)
  if (wrapped === input) return [input]
  const wrapper = wrapped === input['tool_input'] ? 'tool_input' : 'arguments'
  return [wrapped, Object.fromEntries(Object.entries(input).filter(([key]) => key !== wrapper))]
}

/** Every rule is matched with a call, whose input may be large. */
const usesKnown = new WeakMap<ToolUse, McpUse | undefined>()

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
