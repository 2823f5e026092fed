import { homedir, userInfo } from 'node:os'
import { isAbsolute } from 'node:path'
import { type Places, placesOf } from '../server/places.ts'
import type { Invocation } from './command.ts'

/** Where the gate of whoever runs this command keeps what it has. */
export function ownPlaces(env: Invocation['env']): Places {
  return placesOf({ env, platform: process.platform, uid: process.getuid?.(), home: homeIn(env) })
}

/** A home that is empty, or leads elsewhere from each folder, would be one of whatever project this is started in. */
function homeIn({ HOME: named = homedir() }: Invocation['env']): string {
  if (isAbsolute(named)) return named
  try {
    return userInfo().homedir
  } catch {
    // Not every user of a container has a record; where `HOOKGATE_HOME` is set, none is asked for.
    return named
  }
}
