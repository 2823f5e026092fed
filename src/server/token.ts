import { randomBytes } from 'node:crypto'
import { errorText, HookgateError } from '../model/errors.ts'
import type { Places } from './places.ts'
import { ensurePlaces } from './private-folder.ts'
import { makePrivate, readPrivate } from './private-file.ts'

/** 256 bits: nobody guesses it, however often they ask. */
const tokenBytes = 32
const tokenForm = /^[\w-]{43}$/

/**
 * The user's token for HTTP, made when it is first asked for. Of any number that ask at once, all get the same.
 *
 * @throws HookgateError `unavailable`
 */
export function tokenOf(places: Places): string {
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

/** The token, where there is one. @throws HookgateError `unavailable` where its file is not fit to be one's */
export function readToken({ token: file }: Places): string | undefined {
  const token = readPrivate(file)?.trim()
  if (token === undefined || tokenForm.test(token)) return token
  throw new HookgateError('unavailable', 'it is not a hookgate token', {
    place: { file },
    remedy: 'remove it, run `hookgate up --http` again, and enable your agents again',
  })
}
