import { existsSync } from 'node:fs'
import { homedir, userInfo } from 'node:os'
import { isAbsolute } from 'node:path'
import { HookgateError } from '../model/errors.ts'
import { quoted } from '../model/text.ts'
import { limits } from '../model/limits.ts'
import { isFolder } from './entries.ts'

/**
 * Returns a user's home folder.
 *
 * INVARIANT: it is absolute. An empty or relative one would resolve to a folder of the current project: that project's
 * rules would be trusted as the user's own, and the user's files would be written there.
 *
 * @param named the value of `HOME`, or of the embedder. Default: `os.homedir()`
 * @throws HookgateError `usage` if it is not absolute, and the user database has none either
 */
export function homeFolder(named?: string): string {
  const home = knownHome(named)
  if (home !== undefined) return home
  throw notAbsolute(named ?? '')
}

/**
 * Returns the home folder for writing agent settings. Unlike `homeFolder`, it does not replace a relative `named` by
 * the system's home: the settings must not be written to another home than the one meant.
 *
 * @throws HookgateError `usage` if `named` is not absolute
 */
export function namedHome(named?: string): string {
  if (named !== undefined && !isAbsolute(named)) throw notAbsolute(named)
  return homeFolder(named)
}

/**
 * Returns a home folder that exists. hookgate creates none: a home that is missing is a mistake in `HOME`, and its rules
 * would be missing without a word.
 *
 * @throws HookgateError `usage` if it is not a folder
 */
export function existingHome(home: string): string {
  if (isFolder(home)) return home
  const what = existsSync(home) ? 'is not a folder' : 'does not exist'
  throw new HookgateError('usage', `the home folder ${quoted(home)} ${what}`, { remedy: setHome })
}

const setHome = 'set `HOME` to your home folder'

function notAbsolute(named: string): HookgateError {
  return new HookgateError('usage', `the home folder ${quoted(named)} is not an absolute path`, { remedy: setHome })
}

/** Returns the home folder if there is an absolute one: in containers, some users have no record. */
export function knownHome(named?: string): string | undefined {
  const home = attempted(() => named ?? homedir())
  // The user database is a file that is read: it is asked only where it has to be.
  if (home !== undefined && isAbsolute(home)) return home
  const recorded = attempted(() => userInfo().homedir)
  return recorded !== undefined && isAbsolute(recorded) ? recorded : undefined
}

/** Turns an exception, by which Node reports a missing user record, into `undefined`. */
function attempted(ask: () => string): string | undefined {
  try {
    return ask()
  } catch {
    return undefined
  }
}

/** Returns the name of the person at this machine; `undefined` for one without an entry in the system's list. */
export function userName(): string | undefined {
  try {
    return userInfo().username.slice(0, limits.approvalNameCharactersMax)
  } catch {
    return undefined
  }
}

/** The folder in an agent's own where `hookgate emit` keeps events: it alone is no sign of the agent. */
export const keptEventsFolder = 'hook-events'
