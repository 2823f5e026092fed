import { basename, dirname, join } from 'node:path'
import { dataFolders, extensionFolders, settingsFolder } from './folders.ts'
import {
  blocksOf,
  CallsUnderWay,
  objectAt,
  type OpenSession,
  type RecordedCall,
  type SessionStore,
} from '../transcripts.ts'
import { isJsonObject, type Json, type JsonObject, objectsIn, parseJsonObject, textAt } from '../../model/json.ts'

/**
 * The sessions of Cline: one document of messages for each session of CLI 3 and the extension from 4.0, and one for each
 * task of CLI 2 and the older extension.
 */
export const sessionStores: readonly SessionStore[] = [
  {
    folders: ({ home, env }) => [dataFolders(home, env).sessions ?? ''],
    files: /\/sessions\/[^/]+\/[^/]+\.messages\.json$/,
    format: { kind: 'json' },
    owns: (record) => 'sessionId' in record && 'agent' in record && Array.isArray(record['messages']),
    read: (file) => (record) => sessionCalls(record, file),
  },
  {
    folders({ home, env, platform }, namesIn) {
      // Of the folders in `~/.config` and its kin, most belong to no editor.
      const extension = extensionFolders(home, settingsFolder(home, env, platform), namesIn).filter((folder) =>
        namesIn(dirname(folder)).includes(basename(folder)),
      )
      return [dataFolders(home, env).data ?? '', ...extension].map((folder) => folder && join(folder, 'tasks'))
    },
    files: /\/api_conversation_history\.json$/,
    format: { kind: 'json' },
    read: taskReader,
  },
]

function sessionCalls(record: JsonObject, { path, text }: OpenSession): readonly RecordedCall[] {
  const folder = dirname(path)
  const session = parseJsonObject(text(join(folder, `${basename(folder)}.json`)) ?? '') ?? {}
  const cwd = textAt(session, 'cwd')
  const root = textAt(session, 'workspace_root') ?? cwd
  const taskId = textAt(record, 'sessionId') ?? ''
  const isLead = (textAt(record, 'agent') ?? leadAgent) === leadAgent
  const calls = new CallsUnderWay()
  return objectsIn(record['messages']).flatMap((message) => {
    const { content } = message
    const atMs = numberAt(message, 'ts')
    const time = atMs === undefined ? undefined : new Date(atMs).toISOString()
    const made = blocksOf(content, 'tool_use').flatMap(({ id = null, name = null, input = null }) => {
      const wire = {
        hookName: 'tool_call',
        ...(time !== undefined && { timestamp: time }),
        taskId,
        sessionContext: { rootSessionId: basename(folder) },
        workspaceRoots: [root ?? ''],
        workspaceInfo: { rootPath: cwd ?? '' },
        agent_id: isLead ? leadAgent : basename(path, '.messages.json'),
        parent_agent_id: isLead ? null : leadAgent,
        tool_call: { id, name, input },
      }
      return calls.began(id, { cwd, atMs, wire })
    })
    const ended = blocksOf(content, 'tool_result').flatMap((block) => {
      const said = block['content']
      // One entry for each command of a call.
      const became = objectsIn(said).some(({ success }) => success === false) ? 'failed' : 'done'
      return calls.ended(block['tool_use_id'], became, { time, said })
    })
    const words = blocksOf(content, 'text').flatMap((block) => textAt(block, 'text') ?? [])
    const isPrompt = message['role'] === 'user' && words.length > 0
    return made.concat(ended, isPrompt ? calls.prompted(time, words.join('\n')) : [])
  })
}
/** The name of the agent that all others of a session work for. */
const leadAgent = 'lead'

/** The tools that models call in their text, and that call hooks. */
const toolsInText: ReadonlySet<string> = new Set([
  'execute_command',
  'read_file',
  'write_to_file',
  'replace_in_file',
  'apply_patch',
  'new_rule',
  'search_files',
  'list_files',
  'list_code_definition_names',
  'browser_action',
  'web_fetch',
  'web_search',
  'use_mcp_tool',
  'access_mcp_resource',
])

/** The tools that call no hooks: they only talk with the user or the model. */
const unhookedTools: ReadonlySet<string> = new Set([
  'attempt_completion',
  'ask_followup_question',
  'plan_mode_respond',
  'act_mode_respond',
  'new_task',
  'condense',
  'summarize_task',
  'use_skill',
  'use_subagents',
  'load_mcp_documentation',
  'generate_explanation',
  'report_bug',
])

function taskReader({ path }: OpenSession) {
  let cwd: string | undefined
  return (message: JsonObject): readonly RecordedCall[] => {
    cwd ??= folderIn(message)
    if (message['role'] !== 'assistant') return []
    const atMs = numberAt(message, 'ts')
    return callsOf(message).map(({ name, parameters }) => ({
      cwd,
      atMs,
      wire: {
        hookName: 'PreToolUse',
        ...(atMs !== undefined && { timestamp: String(atMs) }),
        taskId: basename(dirname(path)),
        workspaceRoots: [cwd ?? ''],
        preToolUse: { toolName: name, parameters },
      },
    }))
  }
}

/** Returns a message's calls: in blocks of their own, or in its text. */
function callsOf(message: JsonObject) {
  const { content } = message
  const texts =
    typeof content === 'string' ? [content] : blocksOf(content, 'text').map((block) => textAt(block, 'text') ?? '')
  const blocks = blocksOf(content, 'tool_use').map((block) =>
    nativeCall(textAt(block, 'name') ?? '', objectAt(block, 'input')),
  )
  return [...texts.flatMap((text) => callsInText(text, toolsInText)), ...blocks].filter(
    ({ name }) => !unhookedTools.has(name),
  )
}

/** Returns a call as hooks get it: its values are texts. For the model, an MCP tool's name is `<server>0mcp0<tool>`. */
function nativeCall(spelled: string, input: JsonObject) {
  const [, server, tool] = /^(.+)0mcp0(.+)$/s.exec(spelled) ?? []
  return server === undefined || tool === undefined
    ? { name: spelled, parameters: stringified(input) }
    : { name: 'use_mcp_tool', parameters: { server_name: server, tool_name: tool, arguments: JSON.stringify(input) } }
}

const stringified = (input: JsonObject) =>
  Object.fromEntries(
    Object.entries(input).map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)]),
  )

/** Finds the folder in the description of the environment with which a task's first message ends. */
function folderIn(message: JsonObject): string | undefined {
  const { content } = message
  const blocks = isJsonObject(content) || typeof content === 'string' ? [] : blocksOf(content, 'text')
  const texts = typeof content === 'string' ? [content] : blocks.map((block) => textAt(block, 'text') ?? '')
  const headings = texts.map((text) => /^# Current (?:Working|Workspace) Directory \((.+)\) Files$/m.exec(text)?.[1])
  return headings.find((folder) => folder !== undefined)
}

function numberAt(object: JsonObject, key: string): number | undefined {
  const value: Json | undefined = object[key]
  return typeof value === 'number' && Math.abs(value) <= 8.64e15 ? value : undefined
}

/** A call of a tool as hooks get it: all values are texts. */
interface TextCall {
  readonly name: string
  readonly parameters: Readonly<Record<string, string>>
}

/**
 * Finds the calls in a message of a model that writes them as tags: `<execute_command><command>ls</command>…`.
 *
 * A call without its end is none: Cline waits for the end, and a session that was cut off has none.
 */
function callsInText(text: string, tools: ReadonlySet<string>): readonly TextCall[] {
  const calls: TextCall[] = []
  const opening = /<(\w+)>/g
  for (let tag = opening.exec(text); tag !== null; tag = opening.exec(text)) {
    const [whole, name = ''] = tag
    const from = tag.index + whole.length
    const end = tools.has(name) ? text.indexOf(`</${name}>`, from) : -1
    if (end < 0) continue
    calls.push({ name, parameters: parametersIn(text.slice(from, end)) })
    opening.lastIndex = end
  }
  return calls
}

/** The parameters that hold a file's text, which may itself have tags: they end with their last closing tag. */
const verbatim: ReadonlySet<string> = new Set(['content', 'diff'])

function parametersIn(text: string): Readonly<Record<string, string>> {
  const parameters: [string, string][] = []
  const opening = /<(\w+)>/g
  for (let tag = opening.exec(text); tag !== null; tag = opening.exec(text)) {
    const [whole, name = ''] = tag
    const from = tag.index + whole.length
    const closing = `</${name}>`
    const end = verbatim.has(name) ? text.lastIndexOf(closing) : text.indexOf(closing, from)
    if (end < from) continue
    const value = text.slice(from, end)
    parameters.push([name, verbatim.has(name) ? value.replace(/^\n/, '').replace(/\n$/, '') : value.trim()])
    opening.lastIndex = end
  }
  return Object.fromEntries(parameters)
}
