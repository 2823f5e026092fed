import { resolve } from 'node:path'
import type { AgentName } from '../../model/agents.ts'
import type { Action } from '../../model/event.ts'
import { isJsonObject, type Json, type JsonObject, parseJsonObject } from '../../model/json.ts'
import { type ToolFields, toolKind, toolNameFor, toolRow } from '../../model/tool-names.ts'
import { textsOfEdit } from '../edits.ts'
import { textAt } from '../text-at.ts'

/** A call of one of Claude Code's tools, in the common words. */
export function actionOf(name: string, input: JsonObject, id: string | undefined): Action {
  const tool = toolKind('claude-code', name)
  const fields = toolRow('claude-code', name, tool)?.fields['claude-code'] ?? {}
  const path = textAt(input, fields.path)
  const command = textAt(input, fields.command)
  const url = textAt(input, fields.url)
  const content = name === 'MultiEdit' ? newTexts(input['edits']) : textAt(input, fields.content)
  return {
    tool,
    name,
    ...(id !== undefined && id !== '' && { id }),
    input,
    ...(path !== undefined && { paths: [path], path }),
    ...(command !== undefined && { command }),
    ...(url !== undefined && { url }),
    ...(content !== undefined && { content }),
  }
}

/** `MultiEdit` is gone from Claude Code, but not from the sessions that are resumed with it. */
function newTexts(edits: Json | undefined): string | undefined {
  if (!Array.isArray(edits)) return undefined
  return edits.flatMap((edit: Json) => (isJsonObject(edit) ? [textAt(edit, 'new_string') ?? ''] : [])).join('\n')
}

/** A tool call as Claude Code writes it. */
export interface ToolCall {
  readonly tool_name: string
  readonly tool_input: JsonObject
}

/**
 * A call by any agent as calls of Claude Code's tools, which take one file each. None where the call lacks what Claude
 * Code's tool cannot be without: a hook that guards paths must not be asked about no path and let it pass.
 */
export function callsOf(agent: AgentName, action: Action, cwd: string): readonly ToolCall[] {
  const asItIs = [{ tool_name: action.name, tool_input: action.input }]
  if (agent === 'claude-code') return asItIs
  if (action.tool === 'mcp') return [{ tool_name: action.name, tool_input: mcpArguments(action.input) }]
  const row = toolRow(agent, action.name, action.tool)
  const name = row && toolNameFor('claude-code', row)
  if (row === undefined || name === undefined) return asItIs
  return inputsOf(action, row.fields[agent] ?? {}, cwd).map((input) => ({ tool_name: name, tool_input: input }))
}

/** Claude Code's keys, in the order in which it writes them. */
function inputsOf(action: Action, theirs: ToolFields, cwd: string): readonly JsonObject[] {
  const { command, url, content = '', path } = action
  const absolute = (file: string) => resolve(cwd, file)
  const forEachFile = (inputFor: (file: string) => JsonObject) =>
    (action.paths ?? (path === undefined ? [] : [path])).map(inputFor)
  const inFolder = path === undefined ? {} : { path: absolute(path) }

  switch (action.tool) {
    case 'shell':
      return command === undefined ? [] : [{ command }]
    case 'read':
      return forEachFile((file) => ({ file_path: absolute(file) }))
    case 'write':
      return forEachFile((file) => ({ file_path: absolute(file), content }))
    case 'edit':
      return forEachFile((file) => {
        const { removed, added } = textsOfEdit(action, file, theirs)
        return { file_path: absolute(file), old_string: removed, new_string: added, replace_all: false }
      })
    case 'search': {
      const pattern = textAt(action.input, theirs.pattern) ?? alternatives(action.input['queries'])
      const glob = textAt(action.input, theirs.glob)
      return pattern === undefined ? [] : [{ pattern, ...inFolder, ...(glob !== undefined && { glob }) }]
    }
    case 'list':
      return [{ pattern: isSet(action.input['recursive']) ? '**/*' : '*', ...inFolder }]
    case 'fetch': {
      const prompt = textAt(action.input, theirs.prompt)
      return url === undefined ? [] : [{ url, ...(prompt !== undefined && { prompt }) }]
    }
    case 'websearch': {
      const query = textAt(action.input, theirs.pattern)
      return query === undefined ? [] : [{ query }]
    }
    case 'agent':
      return [{ prompt: content }]
    case 'browser':
    case 'mcp':
    case 'other':
      return [action.input]
  }
}

/** Classic Cline takes its parameters from XML: they are all strings. */
const isSet = (flag: Json | undefined) => flag === true || flag === 'true'

/** Cline's SDK searches for several patterns in one call. */
function alternatives(queries: Json | undefined): string | undefined {
  if (typeof queries === 'string') return queries
  const texts = Array.isArray(queries) ? queries.filter((query: Json) => typeof query === 'string') : []
  return texts.length === 0 ? undefined : texts.join('|')
}

/** Cline's `use_mcp_tool` wraps what goes to the server, as JSON in a string; its SDK sends it bare. */
function mcpArguments(input: JsonObject): JsonObject {
  if (!('server_name' in input)) return input
  const wrapped = input['arguments']
  if (typeof wrapped === 'string') return parseJsonObject(wrapped) ?? input
  return isJsonObject(wrapped) ? wrapped : {}
}
