import { dirname, join } from 'node:path'
import { objectAt, type OpenSession, type RecordedCall, type SessionSite, type SessionStore } from '../transcripts.ts'
import { HookgateError } from '../../model/errors.ts'
import { given, type JsonObject, parseJsonObject, textAt } from '../../model/json.ts'

const dataFolder = ({ env, home }: SessionSite) =>
  join(env['XDG_DATA_HOME'] || join(home, '.local', 'share'), 'opencode')

const calls = `
  SELECT part.id AS key, part.session_id AS sessionID, part.data AS part, message.data AS message,
    session.directory AS directory, part.time_created AS created, (
      WITH RECURSIVE above(id, steps) AS (
        SELECT session.parent_id, 1 UNION ALL
        SELECT parent.parent_id, steps + 1 FROM above JOIN session AS parent ON parent.id = above.id WHERE steps < 100
      ) SELECT id FROM above WHERE id IS NOT NULL ORDER BY steps DESC LIMIT 1
    ) AS root
  FROM part LEFT JOIN message ON message.id = part.message_id LEFT JOIN session ON session.id = part.session_id
  WHERE part.id > :after ORDER BY part.id LIMIT :rows`

/** The sessions of OpenCode, as of 1.18: a database; earlier versions wrote a file for each part of a message. */
export const sessionStores: readonly SessionStore[] = [
  {
    folders: (site) => [dataFolder(site)],
    // Beside it are copies of whole projects.
    depth: 0,
    files: /\/opencode(?:-[\w.-]+)?\.db$/,
    format: { kind: 'sqlite', query: calls },
    read: () => (row) => {
      const part = parseJsonObject(textAt(row, 'part') ?? '')
      if (part === undefined) throw new HookgateError('eventMalformed', `part ${textAt(row, 'key') ?? ''} is not JSON`)
      const message = parseJsonObject(textAt(row, 'message') ?? '') ?? {}
      const [sessionID, directory, root] = ['sessionID', 'directory', 'root'].map((key) => textAt(row, key))
      return callIn(part, { sessionID, message, directory, root })
    },
  },
  {
    folders: (site) => [join(dataFolder(site), 'storage', 'part')],
    files: /\/storage\/part\/[^/]+\/[^/]+\.json$/,
    format: { kind: 'json' },
    read: (file) => (part) =>
      callIn(part, {
        sessionID: textAt(part, 'sessionID'),
        message: messageOf(file, part),
        directory: undefined,
        root: undefined,
      }),
  },
]

interface Around {
  readonly sessionID: string | undefined
  /** The message that the call is part of. */
  readonly message: JsonObject
  /** The session's folder. */
  readonly directory: string | undefined
  /** The session that has started this one's sub-agent, or that one's. */
  readonly root: string | undefined
}

function callIn(part: JsonObject, { sessionID = '', message, directory, root }: Around): readonly RecordedCall[] {
  const isPrompt = part['type'] === 'text' && message['role'] === 'user' && part['synthetic'] !== true
  if (part['type'] !== 'tool' && !isPrompt) return []
  const state = objectAt(part, 'state')
  const place = objectAt(message, 'path')
  const cwd = textAt(place, 'cwd') ?? directory
  const atMs = numberAt(objectAt(state, 'time'), 'start') ?? numberAt(objectAt(message, 'time'), 'created')
  const { tool = null, callID = null } = part
  const wire = {
    agent: 'opencode',
    event: 'tool.execute.before',
    sessionID,
    ...given('rootSessionID', root),
    directory: cwd ?? '',
    worktree: textAt(place, 'root') ?? '',
    ...(atMs !== undefined && { timestamp: atMs }),
    tool: isPrompt ? 'bash' : tool,
    callID,
    args: state['input'] ?? {},
  }
  if (isPrompt) return [{ cwd, atMs, wire, became: 'prompted', said: textAt(part, 'text') ?? '' }]
  const { status } = state
  const exit = numberAt(objectAt(state, 'metadata'), 'exit') ?? 0
  const became = status === 'error' || exit !== 0 ? 'failed' : status === 'completed' ? 'done' : undefined
  const said = state['output'] ?? state['error'] ?? null
  return [{ cwd, atMs, wire }, ...(became === undefined ? [] : [{ cwd, atMs, wire, became, said } as const])]
}

function messageOf({ path, text }: OpenSession, part: JsonObject): JsonObject {
  const [session, message] = [textAt(part, 'sessionID'), textAt(part, 'messageID')]
  if (session === undefined || message === undefined || !/^\w+$/.test(session + message)) return {}
  const file = join(dirname(path), '..', '..', 'message', session, `${message}.json`)
  return parseJsonObject(text(file) ?? '') ?? {}
}

const numberAt = (object: JsonObject, key: string) => (typeof object[key] === 'number' ? object[key] : undefined)
