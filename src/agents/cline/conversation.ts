import { existsSync, readdirSync, statSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import type { Environment } from '../../model/node-environment.ts'

/** The ids by which an event names its task, and the session that the task belongs to. */
export interface TaskIds {
  readonly task: string
  /** Sent by the SDK only: a conversation, and that of each sub-agent, is a task within a session. */
  readonly session: string
}

/**
 * Finds the file in which Cline keeps the conversation of a task, for hooks whose format promises a `transcript_path`.
 *
 * No event names it. The SDK, and what is built on it (CLI 3, the extension from 4.0), write one file of messages for
 * each session; CLI 2 and the older extension one for each task, the extension in a folder of its editor's.
 *
 * @returns `undefined` if there is none, for example at the start of a task
 */
export function conversationFile({ task, session }: TaskIds, env: Environment): string | undefined {
  const home = folderNamed(env, 'HOME') ?? folderNamed(env, 'USERPROFILE')
  const own = folderNamed(env, 'CLINE_DIR') ?? (home && join(home, '.cline'))
  const data = folderNamed(env, 'CLINE_DATA_DIR') ?? (own && join(own, 'data'))
  const sessions = folderNamed(env, 'CLINE_SESSION_DATA_DIR') ?? (data && join(data, 'sessions'))
  return (
    messagesIn(sessions, session) ??
    messagesIn(sessions, task) ??
    historyIn(data, task) ??
    extensionFolders(home, env)
      .map((folder) => historyIn(folder, task))
      .find((file) => file !== undefined)
  )
}

const messagesIn = (sessions: string | undefined, id: string) => fileBelow(sessions, id, `${id}.messages.json`)
const historyIn = (folder: string | undefined, task: string) =>
  fileBelow(folder && join(folder, 'tasks'), task, 'api_conversation_history.json')

/** INVARIANT: an id is one folder's name, never a path: the sender of an event must not choose which file is named. */
function fileBelow(folder: string | undefined, id: string, name: string): string | undefined {
  if (folder === undefined || !/^[\w-]+$/.test(id)) return undefined
  const file = join(folder, id, name)
  try {
    return statSync(file, { throwIfNoEntry: false })?.isFile() === true ? file : undefined
  } catch {
    return undefined
  }
}

/**
 * Returns the folders of the extension in every editor built on VS Code, and in those that work on a remote machine.
 *
 * Those that were found last are kept: there may be a hundred programs to look at, and each event would wait for it.
 */
function extensionFolders(home: string | undefined, env: Environment): readonly string[] {
  const settings = settingsFolder(home, env)
  const key = JSON.stringify([home, settings])
  if (lastFound?.key === key) return lastFound.folders
  const remote = pathsIn(home).filter((editor) => /-(?:server|remote)\b/.test(editor))
  const editors = [...pathsIn(settings), ...remote.map((editor) => join(editor, 'data'))]
  const own = join('User', 'globalStorage', 'saoudrizwan.claude-dev')
  const folders = editors.map((editor) => join(editor, own)).filter((folder) => existsSync(folder))
  if (folders.length > 0) lastFound = { key, folders }
  return folders
}
let lastFound: { readonly key: string; readonly folders: readonly string[] } | undefined

/** Returns the folder in which programs keep a user's settings, each in a folder of its own. */
function settingsFolder(home: string | undefined, env: Environment): string | undefined {
  if (process.platform === 'win32') return folderNamed(env, 'APPDATA')
  if (process.platform === 'darwin') return home && join(home, 'Library', 'Application Support')
  return folderNamed(env, 'XDG_CONFIG_HOME') ?? (home && join(home, '.config'))
}

function pathsIn(folder: string | undefined): readonly string[] {
  if (folder === undefined) return []
  try {
    return readdirSync(folder).map((name) => join(folder, name))
  } catch {
    return []
  }
}

/** Ignores a variable with a relative path, which would name a folder of the gate's own. */
function folderNamed(env: Environment, variable: string): string | undefined {
  const folder = env[variable]?.trim() ?? ''
  return isAbsolute(folder) ? folder : undefined
}
