import { createHmac } from 'node:crypto'
import { lastingKey } from './lasting-key.ts'
import { ensurePlaces } from './own-folder.ts'
import type { GatePaths } from './places.ts'

/** The two topics of a push service: to the person's phone, and back. Whoever knows them can read and answer. */
export interface Topics {
  readonly toPerson: string
  readonly fromPerson: string
}

/**
 * Returns the user's topics, which nobody can guess: they are derived from a key that the first call creates.
 *
 * @throws HookgateError `unavailable`
 */
export function topicsOf(places: GatePaths): Topics {
  ensurePlaces(places)
  const key = lastingKey(places.approvalsKey)
  const named = (name: string) =>
    `hookgate-${createHmac('sha256', key)
      .update(name)
      .digest('base64url')
      .replaceAll(/[^A-Za-z0-9]/g, '')
      .slice(0, 32)}`
  return { toPerson: named('to the person'), fromPerson: named('from the person') }
}
