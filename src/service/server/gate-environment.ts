import { userInfo } from 'node:os'
import { delimiter, dirname, isAbsolute, join } from 'node:path'
import { z } from 'zod'
import type { Environment } from '../../model/node-environment.ts'
import { agents } from '../../agents/registry.ts'
import type { GatePaths } from '../../files/state/places.ts'
import { readPrivate, writePrivate } from '../../files/private-folder.ts'

/** The variables of its owner that a background gate gets. None for proxies, tokens or agents is among them. */
const kept: ReadonlySet<string> = new Set([
  'HOME',
  'XDG_CONFIG_HOME',
  'PATH',
  'LANG',
  'TZ',
  'TMPDIR',
  // Labels of what the gate exports.
  'OTEL_RESOURCE_ATTRIBUTES',
])
const isLocale = (name: string) => name.startsWith('LC_')
/** The variables without which Windows programs do not start. */
const windowsKept: ReadonlySet<string> = new Set(
  (
    'SystemRoot SystemDrive windir ComSpec PATHEXT USERPROFILE LOCALAPPDATA APPDATA ProgramData ProgramFiles TEMP TMP ' +
    'USERNAME Path'
  )
    .split(' ')
    .map((name) => name.toUpperCase()),
)
const mustBeAbsolute: ReadonlySet<string> = new Set(['HOME', 'XDG_CONFIG_HOME', 'TMPDIR'])

const plainPath = [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin'].join(
  delimiter,
)

/**
 * Returns whether an environment is an agent session's, of which nothing is kept, and not that of a user's terminal.
 */
export const isOfSession = (env: Environment): boolean => Object.keys(env).some(isSessionVariable)

/** Removes the variables that describe one session: they must not apply to all sessions that a gate serves. */
export function withoutSession(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isSessionVariable(name)))
}

/**
 * Variables that agents set for their child processes. Agent settings (`CLAUDE_CODE_USE_BEDROCK`) are the user's own.
 */
const sessionVariables: ReadonlySet<string> = new Set(agents.flatMap(({ exposedEnv }) => exposedEnv))
const isSessionVariable = (name: string) => sessionVariables.has(name)

/**
 * Returns the environment for a background gate.
 *
 * INVARIANT: a session that starts the gate sets nothing in it but locale, time zone and Windows' system variables, or
 * it would choose the rules of all other sessions, and what their hooks find. The rest is the owner's environment from
 * their last own `hookgate up`, and before the first one, the account's home and a plain `PATH`.
 */
export function gateEnvironment(places: GatePaths, env: Environment, forSession: boolean): Record<string, string> {
  const isSession = forSession || isOfSession(env)
  const owners = isSession ? { ...accounts(env), ...keptAt(places) } : filtered(env)
  const { XDG_RUNTIME_DIR: runtime } = env
  return {
    PATH: plainPath,
    ...owners,
    // Absolute, because the gate has another working folder. The gate must listen where its clients will connect.
    HOOKGATE_HOME: places.folder,
    ...(runtime !== undefined && places.socketFolder === join(runtime, 'hookgate') && { XDG_RUNTIME_DIR: runtime }),
  }
}

/** Saves the owner's environment for gates that sessions start later. Does nothing if `env` is a session's. */
export function keepEnvironment(places: GatePaths, env: Environment): void {
  if (isOfSession(env)) return
  try {
    writePrivate(fileOf(places), `${JSON.stringify(filtered(env), undefined, 2)}\n`)
  } catch {
    // A gate can still be started, for example on a full disk.
  }
}

const fileOf = ({ folder }: GatePaths) => join(folder, 'environment.json')
const Kept = z.record(z.string(), z.string())

/** Reads the saved environment. An unsafe or malformed file counts as empty: the next `hookgate up` rewrites it. */
function keptAt(places: GatePaths): Record<string, string> {
  try {
    const parsed = Kept.safeParse(JSON.parse(readPrivate(fileOf(places)) ?? '{}'))
    return parsed.success ? filtered(parsed.data) : {}
  } catch {
    return {}
  }
}

function accounts(env: Environment): Record<string, string> {
  const harmless = Object.entries(filtered(env)).filter(([name]) => isHarmless(name))
  return { ...Object.fromEntries(harmless), ...(process.platform !== 'win32' && { HOME: accountHome(env) }) }
}

const isHarmless = (name: string) =>
  isLocale(name) || name === 'LANG' || name === 'TZ' || (process.platform === 'win32' && isWindows(name))
const isWindows = (name: string) => windowsKept.has(name.toUpperCase())

/** Returns the home folder from the user database, or else `HOME`: in containers, some users have no record there. */
function accountHome({ HOME: named }: Environment): string {
  try {
    const { homedir } = userInfo()
    if (isAbsolute(homedir)) return homedir
  } catch {
    // No record: fall back to `HOME`.
  }
  return named ?? ''
}

const isKept = (name: string) => kept.has(name) || isLocale(name) || (process.platform === 'win32' && isWindows(name))

function filtered(env: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => {
      if (value === undefined || !isKept(name) || (mustBeAbsolute.has(name) && !isAbsolute(value))) return []
      return [[name, name === 'PATH' ? lastingFolders(value) : value]]
    }),
  )
}

/**
 * Removes relative and `node_modules` folders from a `PATH`. The gate and its hooks run in other working folders; and
 * `npx` and the like prepend the programs of the current project, which hooks of other projects must not find.
 */
const lastingFolders = (path: string) =>
  path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !/[/\\]node_modules[/\\]/.test(folder))
    .join(delimiter)
