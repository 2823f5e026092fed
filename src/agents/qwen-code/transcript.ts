import { dirname, join } from 'node:path'
import { ownFolder } from '../install/install.ts'
import { msOf, objectAt, type SessionStore, snakeCall, sumOf } from '../transcripts.ts'
import { objectsIn, textAt } from '../../model/json.ts'

/** The sessions of Qwen Code, as of 0.24.4: a record on each line, with messages in Gemini's format. */
export const sessionStores: readonly SessionStore[] = [
  {
    folders: (site) => {
      const folder = ownFolder({ ...site, cwd: site.home }, 'QWEN_HOME', '.qwen')
      return [join(folder, 'projects'), join(folder, 'tmp')]
    },
    files: /\/(?:projects|tmp)\/[^/]+\/(?:chats|subagents)\/.+\.jsonl$/,
    format: { kind: 'jsonLines' },
    owns: (record) => 'sessionId' in record && 'uuid' in record && Array.isArray(objectAt(record, 'message')['parts']),
    read({ path }) {
      return (record) => {
        if (record['type'] !== 'assistant') return []
        const agent = textAt(record, 'agentId')
        return objectsIn(objectAt(record, 'message')['parts'])
          .filter((part) => 'functionCall' in part)
          .map((part) => objectAt(part, 'functionCall'))
          .map(({ id = null, name, args }) =>
            snakeCall({
              path,
              sessionId: textAt(record, 'sessionId'),
              cwd: textAt(record, 'cwd'),
              time: textAt(record, 'timestamp'),
              name,
              input: args ?? {},
              more: {
                timestamp: textAt(record, 'timestamp') ?? '',
                tool_call_id: id,
                ...(agent !== undefined && { agent_id: agent }),
              },
            }),
          )
      }
    },
    tokens: {
      mark: '"usageMetadata"',
      of: (record) =>
        record['type'] !== 'assistant' || !('usageMetadata' in record)
          ? []
          : [
              {
                tokens: sumOf(objectAt(record, 'usageMetadata'), ['totalTokenCount'], ['cachedContentTokenCount']),
                id: textAt(record, 'uuid'),
                atMs: msOf(textAt(record, 'timestamp')),
              },
            ],
      subagents: (file, session) => join(dirname(file), '..', 'subagents', session),
    },
  },
]
