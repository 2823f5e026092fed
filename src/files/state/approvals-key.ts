import { createHmac, randomBytes } from 'node:crypto'
import { errorText, HookgateError } from '../../model/errors.ts'
import { makePrivate, readPrivate } from '../private-file.ts'
import { ensurePlaces } from './own-folder.ts'
import type { GatePaths } from './places.ts'

const keyForm = /^[0-9a-f]{64}$/

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
  const key = approvalsKey(places)
  const named = (name: string) =>
    `hookgate-${createHmac('sha256', key)
      .update(name)
      .digest('base64url')
      .replaceAll(/[^A-Za-z0-9]/g, '')
      .slice(0, 32)}`
  return { toPerson: named('to the person'), fromPerson: named('from the person') }
}

function approvalsKey(places: GatePaths): string {
  ensurePlaces(places)
  const file = places.approvalsKey
  const present = readPrivate(file)
  if (present !== undefined && keyForm.test(present)) return present
  try {
    makePrivate(file, randomBytes(32).toString('hex'))
  } catch (cause) {
    throw new HookgateError('unavailable', `the key cannot be written: ${errorText(cause)}`, { place: { file }, cause })
  }
  const made = readPrivate(file)
  if (made !== undefined && keyForm.test(made)) return made
  throw new HookgateError('unavailable', 'it is not a key of hookgate', {
    place: { file },
    remedy: 'remove it, and run `hookgate approvals phone` again',
  })
}
