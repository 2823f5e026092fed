import { isAbsolute, join } from 'node:path'
import type { FolderNames } from '../transcripts.ts'
import type { Environment } from '../../model/node-environment.ts'

/** Returns the folder in which Cline keeps its data, and that of its sessions. */
export function dataFolders(
  home: string | undefined,
  env: Environment,
): { readonly data: string | undefined; readonly sessions: string | undefined } {
  const own = folderNamed(env, 'CLINE_DIR') ?? (home && join(home, '.cline'))
  const data = folderNamed(env, 'CLINE_DATA_DIR') ?? (own && join(own, 'data'))
  return { data, sessions: folderNamed(env, 'CLINE_SESSION_DATA_DIR') ?? (data && join(data, 'sessions')) }
}

/**
 * Returns the folders that the extension would have in every editor built on VS Code, and in those that work on a remote
 * machine. Most do not exist.
 */
export function extensionFolders(
  home: string | undefined,
  settings: string | undefined,
  namesIn: FolderNames,
): readonly string[] {
  const below = (folder: string | undefined) =>
    folder === undefined ? [] : namesIn(folder).map((name) => join(folder, name))
  const remote = below(home).filter((editor) => /-(?:server|remote)\b/.test(editor))
  const editors = [...below(settings), ...remote.map((editor) => join(editor, 'data'))]
  return editors.map((editor) => join(editor, 'User', 'globalStorage', 'saoudrizwan.claude-dev'))
}

/** Returns the folder in which programs keep a user's settings, each in a folder of its own. */
export function settingsFolder(
  home: string | undefined,
  env: Environment,
  platform: NodeJS.Platform,
): string | undefined {
  if (platform === 'win32') return folderNamed(env, 'APPDATA')
  if (platform === 'darwin') return home && join(home, 'Library', 'Application Support')
  return folderNamed(env, 'XDG_CONFIG_HOME') ?? (home && join(home, '.config'))
}

/** Ignores a variable with a relative path, which would name a folder of the gate's own. */
export function folderNamed(env: Environment, variable: string): string | undefined {
  const folder = env[variable]?.trim() ?? ''
  return isAbsolute(folder) ? folder : undefined
}
