import { join } from 'node:path'
import { ownFolder } from '../install/install.ts'
import { msOf, objectAt, type SessionStore } from '../transcripts.ts'
import { parseJsonObject, textAt } from '../../model/json.ts'

/** The sessions of Copilot CLI, as of 1.0.102: one event on each line. A call starts before its hooks are asked. */
export const sessionStores: readonly SessionStore[] = [
  {
    folders: (site) => [join(ownFolder({ ...site, cwd: site.home }, 'COPILOT_HOME', '.copilot'), 'session-state')],
    files: /\/session-state\/(?:.+\/events|[^/]+)\.jsonl$/,
    format: { kind: 'jsonLines' },
    owns: (record) => record['type'] === 'session.start' && 'copilotVersion' in objectAt(record, 'data'),
    read() {
      let sessionId = ''
      let cwd: string | undefined
      return (record) => {
        const data = objectAt(record, 'data')
        if (record['type'] === 'session.start') sessionId = textAt(data, 'sessionId') ?? ''
        // At the start, on resuming, and when the folder has changed.
        cwd =
          textAt(objectAt(data, 'context'), 'cwd') ??
          (isFolderChange(record['type']) ? textAt(data, 'cwd') : undefined) ??
          cwd
        if (record['type'] !== 'tool.execution_start') return []
        const { toolName = null, arguments: given = {} } = data
        const atMs = msOf(textAt(record, 'timestamp'))
        const toolArgs = typeof given === 'string' ? (parseJsonObject(given) ?? given) : given
        // A sub-agent's hooks get its own id for that of the session.
        const wire = {
          sessionId: textAt(record, 'agentId') ?? sessionId,
          ...(atMs !== undefined && { timestamp: atMs }),
          cwd: cwd ?? '',
          toolName,
          toolArgs,
        }
        return [{ cwd, atMs, wire }]
      }
    },
  },
]

const isFolderChange = (type: unknown) => type === 'session.context_changed'
