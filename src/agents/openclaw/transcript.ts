import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { clawFolder } from './folder.ts'
import { HookgateError } from '../../model/errors.ts'
import { isJsonObject, type JsonObject, parseJsonObject, textAt } from '../../model/json.ts'
import { limits } from '../../model/limits.ts'
import { blocksOf, msOf, objectAt, type RecordedCall, type SessionStore } from '../transcripts.ts'

const events = `
  SELECT CAST(rowid AS TEXT) AS key, session_id AS session, event_json AS event, hex(event_zstd) AS packed
  FROM transcript_events WHERE rowid > CAST(:after AS INTEGER) ORDER BY rowid LIMIT :rows`

/** The sessions of OpenClaw, as of 2026.9: a database for each agent, with an event of a session in each row. */
export const sessionStores: readonly SessionStore[] = [
  {
    folders: (site) => [join(clawFolder({ ...site, cwd: site.home }), 'agents')],
    files: /\/openclaw-agent\.sqlite$/,
    format: { kind: 'sqlite', query: events },
    read() {
      const begun = new Map<string, Begun>()
      return (row) => {
        const session = textAt(row, 'session') ?? ''
        const event = parseJsonObject(textAt(row, 'event') ?? unpacked(textAt(row, 'packed') ?? ''))
        if (event === undefined) {
          throw new HookgateError('eventMalformed', `event ${textAt(row, 'key') ?? ''} is not JSON`)
        }
        const around = begun.get(session) ?? {}
        if (event['type'] === 'session') begun.set(session, { ...around, cwd: textAt(event, 'cwd') })
        const message = objectAt(event, 'message')
        // Who began the turn stands with the prompt.
        if (message['role'] === 'user') begun.set(session, { ...around, requester: requesterOf(message) })
        if (message['role'] !== 'assistant') return []
        const atMs = msOf(textAt(event, 'timestamp'))
        return blocksOf(message['content'], 'toolCall').map((call) => recorded(session, around, atMs, innerOf(call)))
      }
    },
  },
]

/** Long events are compressed. */
function unpacked(hex: string): string {
  return zstdDecompressSync(Buffer.from(hex, 'hex'), { maxOutputLength: limits.sessionLineBytesMax }).toString()
}

interface Begun {
  readonly cwd?: string | undefined
  readonly requester?: JsonObject | undefined
}

function requesterOf(message: JsonObject): JsonObject | undefined {
  const { senderIsOwner } = objectAt(message, '__openclaw')
  return typeof senderIsOwner === 'boolean' ? { senderIsOwner } : undefined
}

/** Behind `tool_call` stands another call, of which alone the plugin is asked. */
function innerOf(call: JsonObject): JsonObject {
  const outer = objectAt(call, 'arguments')
  const name = textAt(outer, 'id')
  return call['name'] !== 'tool_call' || name === undefined ? call : { ...call, name, arguments: outer['args'] ?? {} }
}

function recorded(
  session: string,
  { cwd, requester }: Begun,
  atMs: number | undefined,
  { id = null, name = null, arguments: params = null }: JsonObject,
): RecordedCall {
  return {
    cwd,
    atMs,
    wire: {
      type: 'before_tool_call',
      agent: 'openclaw',
      clawSession: session,
      cwd: cwd ?? '',
      ...(atMs !== undefined && { timestamp: atMs }),
      ...(isJsonObject(requester) && { requester }),
      toolName: name,
      toolCallId: id,
      params,
    },
  }
}
