import { dirname, isAbsolute, join } from 'node:path'
import { isJsonObject, type Json } from '../../model/json.ts'
import { isAtOrBelow } from '../../words/machine-paths.ts'

/** The installation's scope and location, as far as an agent's descriptor needs them. */
export interface InstallSite {
  /** `user`: this person on this machine. `project`: a file that is committed with the project. */
  readonly scope: 'user' | 'project'
  readonly env: Readonly<Record<string, string | undefined>>
  /** The project's folder, absolute. */
  readonly cwd: string
  /** The person's home folder, absolute. */
  readonly home: string
  readonly platform: NodeJS.Platform
  /** The folder in which what administrators settle is searched, in place of the disk's root. Default: the root. */
  readonly managedRoot?: string | undefined
  readonly settings: SettingsReader
}

/** Reads files that an agent keeps. A file that is missing, unreadable or malformed holds nothing. */
export interface SettingsReader {
  exists(file: string): boolean
  text(file: string): string | undefined
  /** The value at a path of keys in a JSON file, with or without comments. */
  json(file: string, ...path: readonly string[]): Json | undefined
  /** The value at a path of keys in a TOML file. */
  toml(file: string, ...path: readonly string[]): Json | undefined
  /** The names in a folder, sorted. */
  list(folder: string): readonly string[]
}

/** A setting that keeps an agent from running the hooks of hookgate. */
export interface HookSwitch {
  /** The file that decides it. */
  readonly file: string
  /** The key and what it is, as a phrase: `disableAllHooks` is true. */
  readonly setting: string
  /** What to do about it. Default: to remove it. */
  readonly remedy?: string
}

/** Restrictions on the events for which an agent can call hookgate, by its own names for them. */
export interface InstallLimits {
  /** Events that are never registered, with the reason. */
  readonly never?: Readonly<Record<string, string>>
  /** Events that need more than registration, with what they need. */
  readonly needsMore?: Readonly<Record<string, string>>
  /** Event names that rules use but that this agent never sends. */
  readonly foreign?: readonly string[]
  /** Settings in force with which the agent runs no hook of hookgate, in a project. Default: it has none. */
  readonly switchedOff?: (site: InstallSite) => readonly HookSwitch[]
  /**
   * Returns whether an administrator has settled that a project's settings keep no hooks from running, as
   * `enable --managed` does. Absent, or `undefined`, where a project cannot switch hooks off, or an administrator
   * cannot keep it from that.
   */
  readonly isPinned?: (site: InstallSite) => boolean | undefined
}

/** How hookgate is installed for an agent. */
export type AgentInstall = HooksFileInstall | PluginInstall | OwnInstall

/**
 * An agent that needs code of its own in `install/`.
 *
 * These are Claude Code's HTTP groups and Cline's hook folders.
 */
export interface OwnInstall extends InstallLimits {
  readonly kind: 'http-groups' | 'hook-folders'
  /** The reason why the agent never calls by HTTP, as a sentence; absent if it may. */
  readonly onlyBy?: string
}

/** An agent without hooks that are processes: it loads a file of code into its own process. */
export interface PluginInstall extends InstallLimits {
  readonly kind: 'plugin'
  /** The reason why the agent never calls by HTTP, as a sentence. */
  readonly onlyBy: string
  /** What the code is: a plugin for OpenCode and agents derived from it, an extension for Pi, or OpenClaw's package. */
  readonly api: 'plugin' | 'extension' | 'package'
  /** Returns the file of hookgate's code in a scope, absolute. */
  readonly file: (site: Pick<InstallSite, 'scope' | 'env' | 'cwd' | 'home'>) => string
  /** Files that belong to it, in the same folder, by their names: it is no folder of anybody else's. */
  readonly beside?: Readonly<Record<string, string>>
  /** The value in the agent's settings with which it loads the code; absent where the file alone suffices. */
  readonly entry?: (site: Pick<InstallSite, 'env' | 'cwd' | 'home'>) => SettingsEntry
  /** The reason why a project cannot have such code of its own, as a sentence; absent if it can. */
  readonly userOnly?: string
  /** Reasons why the agent does not load the file of one scope. */
  readonly problems?: (site: InstallSite) => readonly string[]
  /** Remarks that `status` prints. */
  readonly notes?: (site: InstallSite) => readonly string[]
  /** Steps that a person must do after `enable`. */
  readonly steps?: (site: InstallSite) => readonly string[]
}

/** A value in a JSON file, which may have comments. */
export interface SettingsEntry {
  readonly file: string
  readonly path: readonly [string, ...string[]]
  readonly value: Readonly<Record<string, boolean>>
}

/** An agent that reads its hooks from a file. */
export interface HooksFileInstall extends InstallLimits {
  readonly kind: 'hooks-file'
  /** The files that the agent may read in a scope; the first is the one that it reads in the present configuration. */
  readonly files: (site: InstallSite) => readonly [HooksFile, ...HooksFile[]]
  /** The reason why a project cannot have hooks of its own, as a sentence; absent if it can. */
  readonly userOnly?: string
  /** Keys and values that every such file must hold beside the hooks. */
  readonly beside?: Readonly<Record<string, number>>
  /** The only keys that may stand at the top of a file: with any other, the agent ignores the whole file. */
  readonly onlyKeys?: readonly string[]
  readonly comments?: 'allowed' | 'none'
  /** The position at which an entry's answer counts, with the reason. */
  readonly wins?: { readonly position: 'first' | 'last'; readonly since: string }
  readonly entry: (entry: HookEntry) => object
  /** Events at which the agent waits for a different time than usual. */
  readonly times?: Readonly<Record<string, HookTimes>>
  /** Reasons why the agent runs no hooks at all, beside settings that switch them off. */
  readonly obstacles?: (site: InstallSite) => readonly string[]
  /** Reasons why the agent does not run the hooks of one scope. */
  readonly problems?: (site: InstallSite, installed: InstalledHooks) => readonly string[]
  /** Remarks that `status` prints. */
  readonly notes?: (site: InstallSite) => readonly string[]
  /** Steps that a person must do after `enable`. */
  readonly steps?: (site: InstallSite) => readonly string[]
}

/** A file of hooks, and their position in it. */
export interface HooksFile {
  readonly file: string
  /** Whether the lists of hooks are below the key `hooks`, or at the top of the file. */
  readonly at: 'hooks' | 'top'
  /**
   * Whether a list holds handlers, or groups with handlers below their key `hooks`. `tables`: the file is TOML and has a
   * table `[[hooks]]` for each handler, with its event.
   */
  readonly holds: 'groups' | 'handlers' | 'tables'
}

/** One entry to be written into a hooks file. */
export interface HookEntry {
  /** A command line for a shell. */
  readonly command: string
  readonly platform: NodeJS.Platform
  readonly timeoutS: number
  /** True at events that can be refused. */
  readonly refuses: boolean
  /** A program that starts the shell without variables of the dynamic loader. */
  readonly starter?: string | undefined
}

/** The hooks of hookgate in one file. */
export interface InstalledHooks {
  readonly file: string
  /** Its path with symbolic links resolved. */
  readonly real: string
  readonly handlers: readonly InstalledHandler[]
}

/** A hook's place in its file. */
interface InstalledHandler {
  readonly event: string
  /** Index of its entry in the event's list. */
  readonly entry: number
  /** Index of the handler in its group. */
  readonly index: number
}

/** How long the agent waits for a hook, and how long a client may take before that. */
export interface HookTimes {
  readonly timeoutS: number
  readonly answerMs: number
}

/**
 * Code that an agent loads into its own process, where it stands above hooks: it may answer in their place, or act without
 * a call that they would see.
 */
export interface InnerCode {
  /** What people call one, with its article: `the mod`. */
  readonly title: string
  /** The names by which the agent's program is started. */
  readonly programs: readonly string[]
  /** Matches an option of the program with which it loads such code, with or without its value. */
  readonly options: RegExp
  /** Matches the first words of a command of the program that brings such code in, joined by spaces. */
  readonly commands: RegExp
  /** Environment variables from which it loads such code. */
  readonly variables: readonly string[]
  /** Matches settings, given with the command as JSON, that bring such code in. */
  readonly settings: RegExp
  /** Matches a file of a project that names such code, and a text in it with which it does; absent if there is none. */
  readonly line?: { readonly file: RegExp; readonly text: RegExp }
  /** Finds what is loaded in a project and could overrule hooks. */
  readonly found: (site: InstallSite) => readonly FoundCode[]
  /** What an administrator can do about it, as a phrase. */
  readonly remedy: (site: InstallSite) => string
}

export interface FoundCode {
  /** Its folder. */
  readonly folder: string
  /** What it uses that could overrule hooks, by the agent's own names. */
  readonly uses: readonly string[]
  /** The file of an administrator that keeps it from that; absent where none does. */
  readonly heldBy?: string | undefined
}

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
    .filter(({ root }) => isAtOrBelow(cwd, root))
    .toSorted((a, b) => b.root.length - a.root.length)
  const [nearest] = covering
  if (nearest !== undefined && nearest.trust !== 'DO_NOT_TRUST') return []
  return [`it does not run hooks in an untrusted folder: start \`${program}\` in ${cwd} and trust it`]
}
