import { isAbsolute, join } from 'node:path'
import { homeFolder } from '../files/home-folder.ts'

/** Which rules a gate reads. */
export interface RulesOptions {
  /** Files and folders that were named, in order: trusted, and ahead of the user's own. Default: none. */
  readonly given?: readonly string[] | undefined
  /** What relative paths among `given` are relative to. Default: the working directory. */
  readonly cwd?: string | undefined
  /** Whether the managed, user and workspace places are read too. Default: true. */
  readonly discover?: boolean | undefined
  /** Whether everything that is found in a workspace counts as trusted. Default: false. */
  readonly trustWorkspace?: boolean | undefined
  /**
   * Of a global and a project Cline hook of one name, run `both`, as Cline does, or only the `project` one, as its
   * published reference says. Default: `both`.
   */
  readonly clinePrecedence?: 'both' | 'project' | undefined
  /** Default: the home directory. */
  readonly home?: string | undefined
  /** For `XDG_CONFIG_HOME` and `ProgramData`. Default: `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
  /** Default: `/etc/hookgate`, or `hookgate` below `ProgramData`. */
  readonly managedFolder?: string | undefined
  /** Default: this machine's. */
  readonly platform?: NodeJS.Platform | undefined
}

/** The options with nothing left open. */
export interface Places {
  readonly given: readonly string[]
  readonly cwd: string
  readonly discover: boolean
  readonly trustWorkspace: boolean
  readonly clinePrecedence: 'both' | 'project'
  readonly home: string
  readonly managedFolder: string
  /** The user's own folder of hookgate: rules and pins. */
  readonly configFolder: string
  readonly trustFile: string
  readonly platform: NodeJS.Platform
}

export function placesFor(options: RulesOptions): Places {
  const env = options.env ?? process.env
  const home = homeFolder(options.home)
  const platform = options.platform ?? process.platform
  // The XDG specification says to ignore a relative one.
  const xdg = env['XDG_CONFIG_HOME']
  const configFolder = join(xdg !== undefined && isAbsolute(xdg) ? xdg : join(home, '.config'), 'hookgate')
  const managed = platform === 'win32' ? join(env['ProgramData'] ?? 'C:\\ProgramData', 'hookgate') : '/etc/hookgate'
  return {
    given: options.given ?? [],
    cwd: options.cwd ?? process.cwd(),
    discover: options.discover ?? true,
    trustWorkspace: options.trustWorkspace ?? false,
    clinePrecedence: options.clinePrecedence ?? 'both',
    home,
    managedFolder: options.managedFolder ?? managed,
    configFolder,
    trustFile: join(configFolder, 'trust.json'),
    platform,
  }
}
