import { basename, join, resolve } from 'node:path'
import { isJsonObject } from '../../model/json.ts'
import { type HookSwitch, type InstallSite, managedFile, pinned, switchedOff } from '../install/install.ts'
import type { ServedSettings } from '../install/managed.ts'
import { environment, isOn, inheritedVariables, type SwitchVariables } from '../install/switch-variables.ts'

/** Returns the folder of the user's own settings. */
export function configFolder({ env, cwd, home }: Pick<InstallSite, 'env' | 'cwd' | 'home'>): string {
  const named = env['CLAUDE_CONFIG_DIR']
  return named !== undefined && named !== '' ? resolve(cwd, named) : join(home, '.claude')
}

/** A settings file, by who decides in it. */
export interface ClaudeSettings {
  readonly by: 'administrator' | 'project' | 'user'
  readonly file: string
}

/** Returns the files that Claude Code takes settings from, the one that wins first. */
export function settingsFiles(site: InstallSite): readonly ClaudeSettings[] {
  return [
    ...managedFiles(site).map((file) => ({ by: 'administrator', file }) as const),
    ...['settings.local.json', 'settings.json'].map(
      (name) => ({ by: 'project', file: join(site.cwd, '.claude', name) }) as const,
    ),
    { by: 'user', file: join(configFolder(site), 'settings.json') },
  ]
}

/** The folder of administrators' files. */
export const managedFolders = {
  linux: '/etc/claude-code',
  darwin: '/Library/Application Support/ClaudeCode',
  win32: 'C:\\Program Files\\ClaudeCode',
} as const
/** The folder in it of which every file counts. */
export const managedDropIns = 'managed-settings.d'
/** The file in it that `enable --managed` writes. */
export const ownDropIn = '50-hookgate.json'

/** The file beside the folder. */
export const mainManagedFile = (site: InstallSite) => join(managedFile(site, managedFolders), 'managed-settings.json')

/**
 * Returns the files of administrators that count, the one that wins first: what is served, the last of the folder, then
 * that beside the folder.
 */
export function managedFiles(site: InstallSite): readonly string[] {
  const served = servedSettings(site)
  if (served?.replaces === true) return [served.file]
  const below = join(managedFile(site, managedFolders), managedDropIns)
  const names = site.settings.list(below).filter((name) => name.endsWith('.json'))
  const files = [...names.toReversed().map((name) => join(below, name)), mainManagedFile(site)]
  return served === undefined ? files : [served.file, ...files]
}

/**
 * Finds the copy that Claude Code keeps of the settings that an organization serves. Measured on 2.1.332: unless these say
 * `merge` themselves, no other file of an administrator is read. Where they are empty, the others are.
 */
export function servedSettings(site: InstallSite): ServedSettings | undefined {
  const file = join(configFolder(site), 'remote-settings.json')
  const served = site.settings.json(file)
  if (!isJsonObject(served) || Object.keys(served).length === 0) return undefined
  return { file, replaces: served['managedSourcesBehavior'] !== 'merge' }
}

const key = ['disableAllHooks']

/** Finds the switch in force. Measured on 2.1.329: it takes effect within seconds, in running sessions as well. */
export const switchOf = (site: InstallSite): readonly HookSwitch[] =>
  switchedOff(
    site,
    settingsFiles(site).map(({ file }) => file),
    key,
    true,
  )

/** The variables of Claude Code 2.1.332, of which a project's settings cannot set any. Those of settings count first. */
export const variables: SwitchVariables = {
  places: (site) => [
    ...settingsFiles(site).flatMap(({ by, file }) => (by === 'project' ? [] : [{ by, file, at: 'env' } as const])),
    environment,
  ],
  rows: [
    ...['CLAUDE_CODE_SIMPLE', 'CLAUDE_CODE_SAFE_MODE'].map(
      (name) => ({ name, when: isOn, does: 'runs no hook', from: ['environment', 'user'], passes: ['own'] }) as const,
    ),
    { name: 'CLAUDE_CONFIG_DIR', does: 'reads hooks in another folder', from: ['user'], passes: ['own'] },
    { name: 'HOME', does: 'has hookgate look for rules elsewhere', from: ['user'], passes: ['own'] },
    // Its hooks are started by `sh -p`, which reads no `BASH_ENV`.
    ...inheritedVariables(['own'], ['user'], ['BASH_ENV']),
  ],
}

/** Hooks that an administrator registers run whatever a project says. */
export const isPinned = (site: InstallSite): boolean => {
  const files = managedFiles(site)
  return files.some((file) => basename(file) === ownDropIn) || pinned(site, files, key, false)
}
