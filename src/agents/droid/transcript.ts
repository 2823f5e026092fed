import { join } from 'node:path'
import { blocksOf, objectAt, type SessionStore, snakeCall } from '../transcripts.ts'
import { textAt } from '../../model/json.ts'

/** The sessions of droid: the first record says where it worked, the others are messages in Claude's format. */
export const sessionStores: readonly SessionStore[] = [
  {
    folders: ({ home }) => [join(home, '.factory', 'sessions')],
    files: /\/sessions\/.+\.jsonl$/,
    format: { kind: 'jsonLines' },
    owns: (record) => record['type'] === 'session_start' && 'cwd' in record,
    read({ path }) {
      let sessionId: string | undefined
      let cwd: string | undefined
      return (record) => {
        if (record['type'] === 'session_start') {
          sessionId = textAt(record, 'id')
          cwd = textAt(record, 'cwd')
        }
        const message = objectAt(record, 'message')
        if (record['type'] !== 'message' || message['role'] !== 'assistant') return []
        const time = textAt(record, 'timestamp')
        return blocksOf(message['content'], 'tool_use').map(({ name, input }) =>
          snakeCall({ path, sessionId, cwd, time, name, input }),
        )
      }
    },
  },
]
