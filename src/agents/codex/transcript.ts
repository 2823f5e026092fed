import { join } from 'node:path'
import { ownFolder } from '../install/install.ts'
import type { Became } from '../../model/event.ts'
import { CallsUnderWay, msOf, objectAt, type SessionStore, snakeCall, sumOf } from '../transcripts.ts'
import {
  isJsonObject,
  type Json,
  type JsonObject,
  objectsIn,
  parseJsonObject,
  textAt,
  textsAt,
} from '../../model/json.ts'
import { shellWord, withoutEnd } from '../../model/text.ts'

/** The sessions of Codex, as of 0.169, and of earlier versions, which wrote the same items without an envelope. */
export const sessionStores: readonly SessionStore[] = [
  {
    folders: (site) => {
      const folder = ownFolder({ ...site, cwd: site.home }, 'CODEX_HOME', '.codex')
      return [join(folder, 'sessions'), join(folder, 'archived_sessions')]
    },
    files: /\/(?:archived_)?sessions\/(?:.+\/)?rollout-[^/]+\.jsonl$/,
    format: { kind: 'jsonLines' },
    owns: (record) => record['type'] === 'session_meta' && 'cwd' in objectAt(record, 'payload'),
    read({ path }) {
      let meta: JsonObject | undefined
      let context: JsonObject = {}
      let cwd: string | undefined
      const calls = new CallsUnderWay()
      return (record) => {
        const item = isJsonObject(record['payload']) ? record['payload'] : record
        // A session that continues another one begins with its own description, and repeats the other's.
        if (record['type'] === 'session_meta') meta ??= item
        if (record['type'] === 'turn_context') context = item
        cwd = textAt(context, 'cwd') ?? textAt(meta ?? {}, 'cwd') ?? cwd ?? folderIn(item)
        const call = callOf(item)
        const time = textAt(record, 'timestamp')
        if (call === undefined) {
          const words = promptOf(item)
          const said = item['output']
          return words === undefined
            ? calls.ended(item['call_id'], becameOf(item), { time, said })
            : calls.prompted(time, words)
        }
        return calls.began(
          item['call_id'],
          snakeCall({
            path,
            ...sessionOf(meta ?? {}),
            cwd,
            time,
            ...call,
            more: {
              turn_id: textAt(context, 'turn_id') ?? '',
              model: textAt(context, 'model') ?? '',
              permission_mode: asksNever(context) ? 'bypassPermissions' : 'default',
              tool_use_id: item['call_id'] ?? null,
              ...agentOf(meta ?? {}),
            },
          }),
        )
      }
    },
    tokens: {
      mark: '"token_count"',
      of: (record) => {
        const item = isJsonObject(record['payload']) ? record['payload'] : record
        const total = objectAt(objectAt(item, 'info'), 'total_token_usage')
        if (item['type'] !== 'token_count' || !('total_tokens' in total)) return []
        const tokens = sumOf(total, ['total_tokens'], ['cached_input_tokens'])
        return [{ tokens, isTotal: true, atMs: msOf(textAt(record, 'timestamp')) }]
      },
    },
  },
]

/** The person's words; descriptions of the folder and the instructions begin with a tag or a title. */
const promptOf = (item: JsonObject): string | undefined => {
  const texts = objectsIn(item['content']).map((block) => textAt(block, 'text') ?? '')
  const isPrompt = item['type'] === 'message' && item['role'] === 'user' && !/^\s*(?:<|#|$)/.test(texts[0] ?? '')
  return isPrompt ? texts.join('\n') : undefined
}

/** Returns how a call has ended, as far as its output says: only those of shells have a code. */
function becameOf(item: JsonObject): Became | undefined {
  if (!/^(?:function|custom_tool)_call_output$/.test(textAt(item, 'type') ?? '')) return undefined
  const { output } = item
  const text =
    typeof output === 'string'
      ? output
      : objectsIn(output)
          .map((one) => textAt(one, 'text') ?? '')
          .join('\n')
  const code =
    objectAt(parseJsonObject(text) ?? {}, 'metadata')['exit_code'] ??
    /(?:exited with code|Exit code:) (-?\d+)/.exec(text)?.[1]
  return code === undefined || Number(code) === 0 ? 'done' : 'failed'
}

const sessionOf = (meta: JsonObject) => ({ sessionId: textAt(meta, 'session_id') ?? textAt(meta, 'id') })

/** Returns the id of a sub-agent: its session is a thread of another one. */
function agentOf(meta: JsonObject): JsonObject {
  const isSubagent = meta['thread_source'] === 'subagent' || 'subagent' in objectAt(meta, 'source')
  const id = textAt(meta, 'id')
  return isSubagent && id !== undefined ? { agent_id: id } : {}
}

/** Returns whether Codex works without a sandbox and without asking. */
const asksNever = (context: JsonObject) =>
  context['approval_policy'] === 'never' && objectAt(context, 'sandbox_policy')['type'] === 'danger-full-access'

/** Finds the folder in the first message of a session that says it nowhere else. */
function folderIn(item: JsonObject): string | undefined {
  if (item['type'] !== 'message') return undefined
  const texts = objectsIn(item['content']).flatMap((block) => textAt(block, 'text') ?? [])
  return texts.map((text) => /<cwd>([^<]+)<\/cwd>/.exec(text)?.[1]).find((folder) => folder !== undefined)
}

interface HookCall {
  readonly name: Json
  readonly input: Json
}

/** Returns a call under the name and with the input that hooks get; `undefined` for every other item. */
function callOf(item: JsonObject): HookCall | undefined {
  const { name = null } = item
  switch (textAt(item, 'type')) {
    case 'function_call':
      return calledFunction(textAt(item, 'namespace') ?? '', name, argumentsOf(item))
    case 'custom_tool_call': {
      const { input = null } = item
      return { name, input: name === 'apply_patch' ? { command: input } : { input } }
    }
    case 'local_shell_call':
      return { name: 'Bash', input: { command: commandOf(objectAt(item, 'action'), 'command') } }
    case undefined:
    default:
      return undefined
  }
}

const argumentsOf = (item: JsonObject): Json =>
  item['arguments'] === '' ? {} : (parseJsonObject(textAt(item, 'arguments') ?? '') ?? item['arguments'] ?? null)

/** The functions that start commands, with the key of the command. */
const shells: ReadonlyMap<Json, string> = new Map([
  ['exec_command', 'cmd'],
  ['shell', 'command'],
  ['shell_command', 'command'],
  ['container.exec', 'command'],
])

function calledFunction(namespace: string, name: Json, input: Json): HookCall {
  const key = shells.get(name)
  if (!isJsonObject(input)) return { name, input }
  if (namespace === '' && key !== undefined) return { name: 'Bash', input: { command: commandOf(input, key) } }
  if (namespace === '' && name === 'apply_patch') return { name, input: { command: input['input'] ?? null } }
  const isMcp = namespace.startsWith('mcp__')
  const prefix = isMcp ? `${withoutEnd(namespace, '_')}__` : name === 'spawn_agent' ? '' : namespace
  return { name: typeof name === 'string' ? `${prefix}${name}` : name, input }
}

/** Returns a command as one text, which it is for some tools; the words of others are joined as hooks get them. */
function commandOf(input: JsonObject, key: string): Json {
  const command = input[key] ?? null
  return Array.isArray(command) ? textsAt(input, key).map(shellWord).join(' ') : command
}
