import { existsSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { homeFolder } from '../files/home-folder.ts'
import { bundlesName, stateFolderOf } from '../files/state/places.ts'

/** Selects the rules that a gate reads. */
export interface RulesOptions {
  /** Files and folders named explicitly, in order: trusted, and ahead of the user's own. Default: none. */
  readonly explicit?: readonly string[] | undefined
  /** The folder that relative paths in `explicit` start from. Default: the working directory. */
  readonly cwd?: string | undefined
  /** Whether the managed, user and workspace locations are read too. Default: true. */
  readonly discover?: boolean | undefined
  /** Whether everything found in a workspace counts as trusted. Default: false. */
  readonly trustWorkspace?: boolean | undefined
  /**
   * How a global and a project Cline hook of the same name combine. Default: `both`.
   *
   * `both` run, as in Cline itself, or only the `project` one does, as Cline's published reference says.
   */
  readonly clinePrecedence?: 'both' | 'project' | undefined
  /** Default: the home directory. */
  readonly home?: string | undefined
  /** The environment that `XDG_CONFIG_HOME` and `ProgramData` are read from. Default: `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
  /** Default: `/etc/hookgate`, or `hookgate` below `ProgramData`. */
  readonly managedFolder?: string | undefined
  /**
   * The ids of the users who may own managed files. Default: root, and with a `managedFolder` the user who runs this too.
   */
  readonly managedOwners?: readonly number[] | undefined
  /** hookgate's state folder, absolute. With it, the rule that protects hookgate itself is in force. */
  readonly stateFolder?: string | undefined
  /** Whether drafts of policies are read too, which only observe. Default: false. */
  readonly drafts?: boolean | undefined
  /** Default: this machine's platform. */
  readonly platform?: NodeJS.Platform | undefined
}

/** The rules options with all defaults filled in. */
export interface RulesPlaces {
  readonly explicit: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly discover: boolean
  readonly trustWorkspace: boolean
  readonly drafts: boolean
  readonly clinePrecedence: 'both' | 'project'
  readonly home: string
  readonly managedFolder: string
  readonly managedOwners: readonly number[]
  /** The user's hookgate folder, which holds rules and pins. */
  readonly configFolder: string
  readonly trustFile: string
  readonly stateFolder: string | undefined
  /** Where the gate of this user keeps signed bundles. */
  readonly bundlesFolder: string
  readonly platform: NodeJS.Platform
}

export function placesFor(options: RulesOptions): RulesPlaces {
  const env = options.env ?? process.env
  const home = homeFolder(options.home)
  const platform = options.platform ?? process.platform
  // The XDG specification requires a relative path to be ignored.
  const xdg = env['XDG_CONFIG_HOME']
  const configFolder = join(xdg !== undefined && isAbsolute(xdg) ? xdg : join(home, '.config'), 'hookgate')
  const managed = platform === 'win32' ? join(env['ProgramData'] ?? 'C:\\ProgramData', 'hookgate') : '/etc/hookgate'
  return {
    explicit: options.explicit ?? [],
    cwd: options.cwd ?? process.cwd(),
    env,
    discover: options.discover ?? true,
    trustWorkspace: options.trustWorkspace ?? false,
    drafts: options.drafts ?? false,
    clinePrecedence: options.clinePrecedence ?? 'both',
    home,
    managedFolder: options.managedFolder ?? managed,
    managedOwners: options.managedOwners ?? [
      0,
      ...(options.managedFolder === undefined ? [] : [process.getuid?.() ?? 0]),
    ],
    configFolder,
    trustFile: join(configFolder, 'trust.json'),
    stateFolder: options.stateFolder,
    bundlesFolder: join(options.stateFolder ?? stateFolderOf(env, platform, home), bundlesName),
    platform,
  }
}

/** The managed rules file; `undefined` if there is none. */
export function managedFileHere({ managedFolder }: Pick<RulesPlaces, 'managedFolder'>): string | undefined {
  const file = join(managedFolder, 'hooks.json')
  return existsSync(file) ? file : undefined
}

/** The user's own rules file. */
export const userRulesFile = ({ configFolder }: Pick<RulesPlaces, 'configFolder'>) => join(configFolder, 'hooks.json')

/**
 * The format of a rules file. `hookgate` is hookgate's own `hooks.json`, in which an unknown key is a mistake.
 *
 * The others are Claude Code's format in another program's file, where unknown keys are accepted, as Claude Code does.
 * A `copy` is such a file by its name alone: it counts as hookgate's as soon as it uses a key that only hookgate has.
 */
export type Format = 'hookgate' | 'settings' | 'copy' | 'cline' | 'plugin'
