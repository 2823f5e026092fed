import { basename, dirname, join } from 'node:path'
import type { Became } from '../../model/event.ts'
import { geminiExit } from './exit.ts'
import {
  CallsUnderWay,
  msOf,
  objectAt,
  type OpenSession,
  type RecordedCall,
  type SessionStore,
  snakeCall,
  sumOf,
} from '../transcripts.ts'
import {
  isJsonObject,
  type Json,
  type JsonObject,
  objectsIn,
  parseJsonObject,
  textAt,
  textsAt,
} from '../../model/json.ts'

const common = {
  folders: ({ env, home }) => [join(env['GEMINI_CLI_HOME'] || home, '.gemini', 'tmp')],
  read: readerOf,
} satisfies Partial<SessionStore>

/**
 * The sessions of Gemini CLI, as of 0.61: a record on each line, which changes the conversation. Earlier versions wrote
 * the conversation as one document.
 */
export const sessionStores: readonly SessionStore[] = [
  {
    ...common,
    files: /\/tmp\/[^/]+\/chats\/.+\.jsonl$/,
    format: { kind: 'jsonLines' },
    owns: (record) => 'sessionId' in record && 'projectHash' in record,
    tokens: {
      mark: '"tokens"',
      of: (record) =>
        messagesOf(record)
          .filter((message) => 'tokens' in message)
          .map((message) => ({
            tokens: sumOf(objectAt(message, 'tokens'), ['total'], ['cached']),
            id: textAt(message, 'id'),
            atMs: msOf(textAt(message, 'timestamp')),
          })),
      subagents: (file, session) => join(dirname(file), session),
    },
  },
  {
    ...common,
    files: /\/tmp\/[^/]+\/chats\/.+\.json$/,
    format: { kind: 'json' },
    owns: (record) => 'sessionId' in record && 'projectHash' in record && 'messages' in record,
  },
]

/** The hooks of a sub-agent get the session of its parent, in whose folder its conversation is. */
function readerOf(file: OpenSession) {
  let session: JsonObject = {}
  let cwd: string | undefined
  /** A message is written again whenever it changes, with its calls. */
  const seen = new Set<Json | undefined>()
  const calls = new CallsUnderWay()
  return (record: JsonObject): readonly RecordedCall[] => {
    if ('projectHash' in record) {
      session = record
      cwd = folderBeside(file, textsAt(record, 'directories'), textAt(record, 'projectHash'))
    }
    const messages = messagesOf(record)
    cwd ??= messages
      .map((message) => folderIn(message, file, textAt(session, 'projectHash')))
      .find((one) => one !== undefined)
    const callsOf = (message: JsonObject) =>
      objectsIn(message['toolCalls']).flatMap((call) => {
        const { id, name, args } = call
        const time = textAt(call, 'timestamp') ?? textAt(record, 'timestamp')
        const ended = () => calls.ended(id, becameOf(call), { time, said: call['result'] })
        if (id !== undefined && seen.has(id)) return ended()
        seen.add(id)
        const context = mcpContext(call)
        const made = calls.began(
          id,
          snakeCall({
            path: file.path,
            sessionId: session['kind'] === 'subagent' ? basename(dirname(file.path)) : textAt(session, 'sessionId'),
            cwd,
            time,
            event: 'BeforeTool',
            name,
            input: args ?? {},
            more: {
              timestamp: time ?? '',
              ...(context !== undefined && { mcp_context: context }),
            },
          }),
        )
        return made.concat(ended())
      })
    return messages.flatMap((message) => {
      const id = message['id'] ?? null
      if (message['type'] !== 'user' || seen.has(id)) return callsOf(message)
      seen.add(id)
      const { content } = message
      const texts =
        typeof content === 'string' ? [content] : objectsIn(content).map((part) => textAt(part, 'text') ?? '')
      return calls.prompted(textAt(message, 'timestamp'), texts.join('\n'))
    })
  }
}

function becameOf(call: JsonObject): Became | undefined {
  if (call['status'] === 'error') return 'failed'
  if (call['status'] !== 'success') return undefined
  const outputs = objectsIn(call['result']).map((part) => objectAt(objectAt(part, 'functionResponse'), 'response'))
  const isFailed = call['name'] === 'run_shell_command' && outputs.some(({ output }) => geminiExit(output))
  return isFailed ? 'failed' : 'done'
}

/** Returns the messages that a record is or changes. */
function messagesOf(record: JsonObject): readonly JsonObject[] {
  const set = record['$set']
  return [record, ...objectsIn(isJsonObject(set) ? set['messages'] : record['messages'])]
}

/** Returns the server and the tool of an MCP call, which Gemini shows as "tool (server MCP Server)". */
function mcpContext(call: JsonObject): JsonObject | undefined {
  const [, tool, server] = /^(.{1,200}) \((.{1,200}) MCP Server\)$/.exec(textAt(call, 'displayName') ?? '') ?? []
  return tool === undefined || server === undefined ? undefined : { server_name: server, tool_name: tool }
}

/**
 * Finds the project's folder: in the description of the session, in Gemini's files beside it, or in the list of all
 * projects. Only one with the right hash is it.
 */
function folderBeside(
  { path, text, sha256 }: OpenSession,
  named: readonly string[],
  hash: string | undefined,
): string | undefined {
  const [, top = dirname(path)] = /^(.*[/\\]tmp[/\\][^/\\]+)[/\\]chats[/\\]/.exec(path) ?? []
  const own = text(join(top, '.project_root'))?.trim()
  const listed = parseJsonObject(text(join(top, '..', '..', 'projects.json')) ?? '')?.['projects']
  const all = [...named, ...(own ? [own] : []), ...Object.keys(isJsonObject(listed) ? listed : {})]
  return all.find((one) => sha256(one) === hash)
}

/** Finds the project's folder in the description of its folders with which a conversation begins. */
function folderIn(message: JsonObject, { sha256 }: OpenSession, hash: string | undefined): string | undefined {
  if (message['type'] !== 'user') return undefined
  const texts = objectsIn(message['content']).flatMap((part) => textAt(part, 'text') ?? [])
  const lines = texts.join('\n').slice(0, contextCharactersMax).split('\n')
  return lines.map((line) => line.replace(/^[^/\\A-Z]*(?=[/\\]|[A-Z]:)/, '').trim()).find((one) => sha256(one) === hash)
}
/** The folders stand at the beginning of a conversation. */
const contextCharactersMax = 16_384
