import { randomBytes } from 'node:crypto'
import { errorText, HookgateError } from '../../model/errors.ts'
import type { GatePaths } from './places.ts'
import { ensurePlaces } from './own-folder.ts'
import { makePrivate, readPrivate } from '../private-file.ts'

/** 256 bits cannot be guessed, however many attempts there are. */
const tokenBytes = 32
const tokenForm = /^[\w-]{43}$/

/**
 * Returns the user's token for HTTP, which the first call creates. Concurrent callers all get the same token.
 *
 * @throws HookgateError `unavailable`
 */
export function tokenOf(places: GatePaths): string {
  ensurePlaces(places)
  const present = readToken(places)
  if (present !== undefined) return present
  try {
    makePrivate(places.token, `${randomBytes(tokenBytes).toString('base64url')}\n`)
  } catch (cause) {
    throw new HookgateError('unavailable', `the token cannot be written: ${errorText(cause)}`, {
      place: { file: places.token },
      cause,
    })
  }
  const made = readToken(places)
  if (made !== undefined) return made
  throw new HookgateError('unavailable', 'the token disappears as soon as it is created', {
    place: { file: places.token },
  })
}

/**
 * Reads the token; `undefined` if there is none.
 *
 * @throws HookgateError `unavailable` if its file is unsafe or malformed
 */
export function readToken({ token: file }: GatePaths): string | undefined {
  const token = readPrivate(file)?.trim()
  if (token === undefined || tokenForm.test(token)) return token
  throw new HookgateError('unavailable', 'it is not a hookgate token', {
    place: { file },
    remedy: 'remove it, run `hookgate up --http` again, and enable your agents again',
  })
}
