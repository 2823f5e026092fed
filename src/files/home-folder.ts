import { homedir, userInfo } from 'node:os'
import { isAbsolute } from 'node:path'
import { HookgateError } from '../model/errors.ts'
import { quoted } from '../model/text.ts'

/**
 * A user's home folder. INVARIANT: it is absolute. One that is empty, or leads elsewhere from each folder, would be one of
 * whatever project this is started in: that project's rules would be the user's own, and trusted, and what is the user's
 * would be written there.
 *
 * @param named by `HOME`, or by whoever embeds the gate. Default: what the system says
 * @throws HookgateError `usage` where the system does not know it either
 */
export function homeFolder(named?: string): string {
  const home = knownHome(named)
  if (home !== undefined) return home
  throw notAbsolute(named ?? '')
}

/**
 * The same for what writes into an agent's own settings, which no other home than the one that is meant is to have.
 *
 * @throws HookgateError `usage` where one is named that is none
 */
export function namedHome(named?: string): string {
  if (named !== undefined && !isAbsolute(named)) throw notAbsolute(named)
  return homeFolder(named)
}

function notAbsolute(named: string): HookgateError {
  const remedy = 'set `HOME` to your home folder'
  return new HookgateError('usage', `the home folder ${quoted(named)} is not an absolute path`, { remedy })
}

/** The same, for what may do without: not every user of a container has a record. */
export function knownHome(named?: string): string | undefined {
  return [() => named ?? homedir(), () => userInfo().homedir].map(attempted).find((home) => isAbsolute(home ?? ''))
}

/** What the system does not have, it throws. */
function attempted(ask: () => string): string | undefined {
  try {
    return ask()
  } catch {
    return undefined
  }
}
