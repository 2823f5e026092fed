import { userInfo } from 'node:os'
import { delimiter, dirname, isAbsolute, join } from 'node:path'
import { z } from 'zod'
import { agents } from '../agents/registry.ts'
import type { Places } from './places.ts'
import { readPrivate, writePrivate } from './private-file.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** What a gate in the background is given: of its owner, and of no session. No proxy, no token, no agent's variable. */
const kept: ReadonlySet<string> = new Set(['HOME', 'XDG_CONFIG_HOME', 'PATH', 'LANG', 'TZ', 'TMPDIR'])
const isLocale = (name: string) => name.startsWith('LC_')
/** Windows starts nothing without them. */
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

/** Whether these are the variables of an agent's session, of which nothing is kept, and not of a person at a terminal. */
export const isOfSession = (env: Environment): boolean => Object.keys(env).some(isSessionVariable)

/** What is said of one session must not be taken for what holds for all that a gate serves. */
export function withoutSession(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isSessionVariable(name)))
}

/** What agents set for what they start. Their settings, `CLAUDE_CODE_USE_BEDROCK` for example, are a person's own. */
const sessionVariables: ReadonlySet<string> = new Set(agents.flatMap(({ exposedEnv }) => exposedEnv))
const isSessionVariable = (name: string) => sessionVariables.has(name)

/**
 * The environment of a gate in the background.
 *
 * INVARIANT: nothing in it comes from the session whose event had it started, or that session would decide for all
 * others which rules hold and what their hooks find. It is what its owner's was at the last `hookgate up` of their own,
 * and where there was none, what the account has.
 */
export function gateEnvironment(places: Places, env: Environment, forSession: boolean): Record<string, string> {
  const isSessions = forSession || isOfSession(env)
  const owners = isSessions ? { ...accounts(env), ...keptAt(places) } : filtered(env)
  const { XDG_RUNTIME_DIR: runtime } = env
  return {
    PATH: plainPath,
    ...owners,
    // It is in another working folder, where a relative path would lead elsewhere; and it has to listen where it is asked.
    HOOKGATE_HOME: places.folder,
    ...(runtime !== undefined && places.socketFolder === join(runtime, 'hookgate') && { XDG_RUNTIME_DIR: runtime }),
  }
}

/** Keeps what a gate that sessions have started is to be given. Nothing where this is a session itself. */
export function keepEnvironment(places: Places, env: Environment): void {
  if (isOfSession(env)) return
  try {
    writePrivate(fileOf(places), `${JSON.stringify(filtered(env), undefined, 2)}\n`)
  } catch {
    // On a full disk a gate can be started all the same.
  }
}

const fileOf = ({ folder }: Places) => join(folder, 'environment.json')
const Kept = z.record(z.string(), z.string())

/** A file that is not fit to be read, or no longer understood, is as good as none: it is written anew. */
function keptAt(places: Places): Record<string, string> {
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

/** Not every user of a container has a record. */
function accountHome({ HOME: named }: Environment): string {
  try {
    const { homedir } = userInfo()
    if (isAbsolute(homedir)) return homedir
  } catch {
    // What is named is all there is.
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
 * The gate stands in another folder, and in that of whatever workspace its hooks do. `npx` and its like put the programs of
 * the project that they are called in ahead of all others: no other project's hooks are to find those.
 */
const lastingFolders = (path: string) =>
  path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !/[/\\]node_modules[/\\]/.test(folder))
    .join(delimiter)
