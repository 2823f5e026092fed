import { existingHome, homeFolder, knownHome } from '../../files/home-folder.ts'
import { type GatePaths, placesOf } from '../../files/state/places.ts'
import type { Invocation } from '../command.ts'

/**
 * Returns the files and directories of the current user's gate.
 *
 * @throws HookgateError `usage` if there is no home folder to keep them in
 */
export function ownPlaces(env: Invocation['env']): GatePaths {
  return placesOf({ env, platform: process.platform, uid: process.getuid?.(), home: homeIn(env) })
}

/** Returns the home directory. With `HOOKGATE_HOME` set, a home is not required. */
function homeIn({ HOME: named, HOOKGATE_HOME: own = '' }: Invocation['env']): string {
  return own === '' ? existingHome(homeFolder(named)) : (knownHome(named) ?? own)
}
