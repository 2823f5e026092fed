import { homedir } from 'node:os'
import { type Places, placesOf } from '../server/places.ts'
import type { Invocation } from './command.ts'

/** Where the gate of whoever runs this command keeps what it has. */
export function ownPlaces(env: Invocation['env']): Places {
  return placesOf({ env, platform: process.platform, uid: process.getuid?.(), home: env['HOME'] ?? homedir() })
}
