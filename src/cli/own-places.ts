import { homeFolder, knownHome } from '../files/home-folder.ts'
import { type Places, placesOf } from '../server/places.ts'
import type { Invocation } from './command.ts'

/** Where the gate of whoever runs this command keeps what it has. */
export function ownPlaces(env: Invocation['env']): Places {
  return placesOf({ env, platform: process.platform, uid: process.getuid?.(), home: homeIn(env) })
}

/** Where `HOOKGATE_HOME` is set, no home is asked for. */
function homeIn({ HOME: named, HOOKGATE_HOME: own = '' }: Invocation['env']): string {
  return own === '' ? homeFolder(named) : (knownHome(named) ?? own)
}
