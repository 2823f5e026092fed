import type { Json } from '../../model/json.ts'

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
export type AgentInstall = HooksFileInstall | OwnInstall

/**
 * An agent that needs code of its own in `install/`.
 *
 * These are Claude Code's HTTP groups, Cline's hook folders and the plugin of OpenCode and Kilo.
 */
export interface OwnInstall extends InstallLimits {
  readonly kind: 'http-groups' | 'hook-folders' | 'plugin'
  /** The reason why the agent never calls by HTTP, as a sentence; absent if it may. */
  readonly onlyBy?: string
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
