import { join } from 'node:path'
import { ownFolder } from '../install/install.ts'
import { blocksOf, msOf, objectAt, type RecordedCall, type SessionStore, sumOf } from '../transcripts.ts'
import { type Json, type JsonObject, objectsIn, textAt } from '../../model/json.ts'

/**
 * The sessions of Pi, as of 1.6.0: an entry on each line. Branches of a session stand in the same file. A call that a
 * tool made of another tool stands with that tool's result, without its arguments where these are long.
 */
export const sessionStores: readonly SessionStore[] = [
  {
    folders: (site) => [
      join(ownFolder({ ...site, cwd: site.home }, 'PI_CODING_AGENT_DIR', '.pi/agent'), 'sessions'),
      ...[site.env['PI_CODING_AGENT_SESSION_DIR'] ?? ''].filter((folder) => folder !== ''),
    ],
    files: /\.jsonl$/,
    format: { kind: 'jsonLines' },
    owns: (record) => record['type'] === 'session' && 'id' in record && 'cwd' in record && 'timestamp' in record,
    read({ path }) {
      let session: JsonObject = {}
      return (record) => {
        if (record['type'] === 'session') session = record
        const message = objectAt(record, 'message')
        const atMs = msOf(textAt(record, 'timestamp'))
        const nested = objectsIn(objectAt(message, 'nestedCalls')['calls'])
        return [...(message['role'] === 'assistant' ? blocksOf(message['content'], 'toolCall') : []), ...nested].map(
          ({ id = null, name = null, arguments: input = null }) =>
            recorded(session, path, atMs, { toolCallId: id, toolName: name, input }),
        )
      }
    },
    tokens: {
      mark: '"usage"',
      of: (record) => {
        const message = objectAt(record, 'message')
        if (message['role'] !== 'assistant' || !('usage' in message)) return []
        const tokens = sumOf(objectAt(message, 'usage'), ['input', 'output', 'cacheWrite'])
        return [{ tokens, id: textAt(record, 'id'), atMs: msOf(textAt(record, 'timestamp')) }]
      },
    },
  },
]

function recorded(
  session: JsonObject,
  path: string,
  atMs: number | undefined,
  call: Readonly<Record<string, Json>>,
): RecordedCall {
  const cwd = textAt(session, 'cwd')
  return {
    cwd,
    atMs,
    wire: {
      type: 'tool_call',
      agent: 'pi',
      piSession: textAt(session, 'id') ?? '',
      sessionFile: path,
      cwd: cwd ?? '',
      ...(atMs !== undefined && { timestamp: atMs }),
      ...call,
    },
  }
}
