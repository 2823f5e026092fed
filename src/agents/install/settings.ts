import { dirname, isAbsolute, join, sep } from 'node:path'
import { isJsonObject, type Json } from '../../model/json.ts'
import type { HookSwitch, InstallSite, SettingsReader } from './install.ts'

/** Returns an agent's folder: from its own environment variable, or below the user's home. */
export function ownFolder(
  { env, cwd, home }: Pick<InstallSite, 'env' | 'cwd' | 'home'>,
  variable: string,
  name: string,
): string {
  const named = env[variable]
  return named !== undefined && named !== '' ? join(isAbsolute(named) ? named : join(cwd, named)) : join(home, name)
}

/** Finds the first of several JSON files that has a value at a path. */
function firstSetting(
  settings: SettingsReader,
  files: readonly string[],
  ...path: readonly string[]
): { readonly file: string; readonly value: Json } | undefined {
  for (const file of files) {
    const value = settings.json(file, ...path)
    if (value !== undefined) return { file, value }
  }
  return undefined
}

/** Finds the setting that disables all hooks; empty if it is not set to `off` where it counts. */
export function switchedOff(
  { settings }: InstallSite,
  files: readonly string[],
  path: readonly string[],
  off: boolean,
): readonly HookSwitch[] {
  const found = firstSetting(settings, files, ...path)
  return found?.value === off ? [{ file: found.file, setting: `\`${path.join('.')}\` is ${off}` }] : []
}

/**
 * Returns whether a setting with which hooks run stands in a file of administrators.
 *
 * @param files those that override every other, the one that wins first
 */
export const pinned = (
  { settings }: InstallSite,
  files: readonly string[],
  path: readonly string[],
  on: boolean,
): boolean => firstSetting(settings, files, ...path)?.value === on

/** Returns where this system keeps what administrators settle for an agent. */
export function managedFile(
  site: Pick<InstallSite, 'platform' | 'managedRoot'>,
  { linux, darwin, win32 }: Readonly<Record<'linux' | 'darwin' | 'win32', string>>,
): string {
  const { platform } = site
  return managedPath(site, platform === 'darwin' ? darwin : platform === 'win32' ? win32 : linux)
}

/** Returns where a path of administrators really is. */
export const managedPath = ({ managedRoot }: Pick<InstallSite, 'managedRoot'>, path: string) =>
  managedRoot === undefined ? path : join(managedRoot, path)

/**
 * Reports that Gemini CLI, or an agent derived from it, runs no hooks in an untrusted folder.
 *
 * The agent asks for trust only if its settings turn that on.
 *
 * @param folder the agent's own folder, which holds the list of trusted folders
 */
export function untrustedFolder(
  { settings, cwd }: InstallSite,
  program: string,
  folder: string,
  files: readonly string[],
): readonly string[] {
  if (firstSetting(settings, files, 'security', 'folderTrust', 'enabled')?.value !== true) return []
  const list = settings.json(join(folder, 'trustedFolders.json'))
  const known = isJsonObject(list) ? Object.entries(list) : []
  const covering = known
    .map(([path, trust]) => ({ root: trust === 'TRUST_PARENT' ? dirname(path) : path, trust }))
    .filter(({ root }) => isBelow(cwd, root))
    .toSorted((a, b) => b.root.length - a.root.length)
  const [nearest] = covering
  if (nearest !== undefined && nearest.trust !== 'DO_NOT_TRUST') return []
  return [`it does not run hooks in an untrusted folder: start \`${program}\` in ${cwd} and trust it`]
}

/** Compares paths by whole segments. */
export const isBelow = (path: string, root: string) => path === root || path.startsWith(join(root, sep))
