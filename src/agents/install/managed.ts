import { join } from 'node:path'
import type { Json } from '../../model/json.ts'
import { type HookEntry, type HooksFile, type HookSwitch, type InstallSite, managedPath } from './install.ts'

/** The platforms on which an agent may have files of an administrator. */
type ManagedPlatform = 'linux' | 'darwin' | 'win32'

/** The files, which no user can change, in which an administrator has an agent ask hookgate for everybody on a machine. */
export interface ManagedInstall {
  /** `enforced`: no setting of a user or project switches it off once it is pinned. `advisory`: a user's can. */
  readonly binds: 'enforced' | 'advisory'
  /** `documentation`: the agent's vendor says so, and nobody has tried it. */
  readonly knownFrom: 'measurement' | 'documentation'
  /** The folder of the administrator's files. The agent has none on a platform that is left out. */
  readonly folders: Readonly<Partial<Record<ManagedPlatform, string>>>
  /** The file in it that hookgate is registered in. */
  readonly file: string
  /** True if nothing but hookgate's own stands in that file: the agent reads every file of its folder. Default: no. */
  readonly isOwnFile?: boolean
  readonly at: HooksFile['at']
  /** `tomlGroups`: tables `[[hooks.EVENT]]` with tables `[[hooks.EVENT.hooks]]` in them. */
  readonly holds: 'groups' | 'handlers' | 'tomlGroups'
  /** The name of a file beside it with hookgate's plugin, whose address then stands in the list `plugin`. */
  readonly pluginFile?: string
  /** Default: as `enable` writes it for a user. */
  readonly entry?: (entry: HookEntry) => object
  /**
   * True if it gives its hooks variables of users' settings: they are started by a program that needs no dynamic loader,
   * where one can be made. Default: no.
   */
  readonly needsStarter?: boolean
  /** The only keys that may stand at the top of the file: with any other, the agent ignores all of it. */
  readonly onlyKeys?: readonly string[]
  /** Settings without which the hooks can be switched off. */
  readonly pins?: readonly Pin[]
  /** The setting with which only hooks of administrators run; absent if there is none. */
  readonly onlyManagedHooks?: Pin
  /** Files of other administrators' means that the agent may read in place of these ones. */
  readonly above?: (site: InstallSite) => readonly string[]
  /** The settings of a server that count beside these files, or in their place; absent if there are none. */
  readonly served?: (site: InstallSite) => ServedSettings | undefined
  /** Settings in force with which the agent does not run these hooks all the same. */
  readonly switchedOff?: (site: InstallSite) => readonly HookSwitch[]
  /** A sentence for each way that stays open whatever an administrator writes. */
  readonly staysOpen: readonly string[]
}

/** The copy that an agent keeps, among the user's files, of settings that a server delivers for everybody. */
export interface ServedSettings {
  readonly file: string
  /** True if the agent reads no other file of an administrator beside them. */
  readonly replaces: boolean
}

/** A setting with a fixed value, or a list with fixed members. */
export interface Pin {
  readonly path: readonly [string, ...string[]]
  readonly value: Json
}

/** Returns the folder of an agent's files of administrators; `undefined` where it has none on this platform. */
export function managedFolderOf(
  { folders }: Pick<ManagedInstall, 'folders'>,
  site: Pick<InstallSite, 'platform' | 'managedRoot'>,
): string | undefined {
  const { platform } = site
  const folder = folders[platform === 'darwin' || platform === 'win32' ? platform : 'linux']
  return folder === undefined ? undefined : managedPath(site, folder)
}

/** Returns the file in which an administrator registers hookgate; `undefined` where there is none on this platform. */
export function managedFileOf(
  managed: Pick<ManagedInstall, 'folders' | 'file'>,
  site: Pick<InstallSite, 'platform' | 'managedRoot'>,
): string | undefined {
  const folder = managedFolderOf(managed, site)
  return folder === undefined ? undefined : join(folder, managed.file)
}
