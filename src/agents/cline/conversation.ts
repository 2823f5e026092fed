import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { entryNames } from '../../files/entry-names.ts'
import { dataFolders, extensionFolders, folderNamed, settingsFolder } from './folders.ts'
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
  const { data, sessions } = dataFolders(home, env)
  return (
    messagesIn(sessions, session) ??
    messagesIn(sessions, task) ??
    historyIn(data, task) ??
    knownExtensionFolders(home, env)
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

/** Keeps the extension's folders that were found last: there may be a hundred programs to look at, at each event. */
function knownExtensionFolders(home: string | undefined, env: Environment): readonly string[] {
  const settings = settingsFolder(home, env, process.platform)
  const key = JSON.stringify([home, settings])
  if (lastFound?.key === key) return lastFound.folders
  const folders = extensionFolders(home, settings, entryNames).filter((folder) => existsSync(folder))
  if (folders.length > 0) lastFound = { key, folders }
  return folders
}
let lastFound: { readonly key: string; readonly folders: readonly string[] } | undefined
