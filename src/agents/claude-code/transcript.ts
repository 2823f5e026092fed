import { basename, join } from 'node:path'
import { ownFolder } from '../settings.ts'
import { msOf, type RecordedCall, type SessionStore } from '../transcripts.ts'
import { isJsonObject, type JsonObject, objectsIn, textAt } from '../../model/json.ts'

/** The sessions of Claude Code, as of 2.1.329: one file for each session and for each sub-agent, one record a line. */
export const sessionStores: readonly SessionStore[] = [
  {
    folders: (site) => [join(ownFolder({ ...site, cwd: site.home }, 'CLAUDE_CONFIG_DIR', '.claude'), 'projects')],
    files: /\/projects\/[^/]+\/.+\.jsonl$/,
    format: { kind: 'jsonLines' },
    owns: (record) =>
      'sessionId' in record && 'uuid' in record && Array.isArray(messageOf(record)['content']) && 'userType' in record,
    read({ path }) {
      let mode = 'default'
      return (record) => {
        mode = textAt(record, 'permissionMode') ?? mode
        return record['type'] === 'assistant' ? callsIn(record, path, mode) : []
      }
    },
  },
]

function callsIn(record: JsonObject, path: string, mode: string): readonly RecordedCall[] {
  const cwd = textAt(record, 'cwd')
  const agent = agentOf(record, path)
  return objectsIn(messageOf(record)['content'])
    .filter(({ type }) => type === 'tool_use')
    .map(({ name = null, input = null, id = null }) => ({
      cwd,
      atMs: msOf(textAt(record, 'timestamp')),
      wire: {
        session_id: textAt(record, 'sessionId') ?? '',
        transcript_path: path,
        cwd: cwd ?? '',
        permission_mode: mode,
        ...(agent !== undefined && { agent_id: agent }),
        hook_event_name: 'PreToolUse',
        tool_name: name,
        tool_input: input,
        tool_use_id: id,
      },
    }))
}

const messageOf = ({ message }: JsonObject): JsonObject => (isJsonObject(message) ? message : {})

/** Returns a sub-agent's id: its records have it, or else its file's name has, `agent-<id>.jsonl`. */
function agentOf(record: JsonObject, path: string): string | undefined {
  if (record['isSidechain'] !== true) return undefined
  return textAt(record, 'agentId') ?? (/^agent-(.+)\.jsonl$/.exec(basename(path))?.[1] || 'unknown')
}
