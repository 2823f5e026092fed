import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { rmSync } from 'node:fs'
import { HookgateError } from '../../model/errors.ts'
import { whyFailed } from '../disk.ts'
import { makePrivate, readPrivate, writePrivate } from '../private-folder.ts'
import { keyBytes } from '../proof.ts'
import type { GatePaths } from './places.ts'
import { ensurePlaces } from './own-folder.ts'

const keyForm = /^[0-9a-f]{64}$/

/** Returns the key in a file as `lastingKey` does; a damaged one is replaced, since nothing can be proved by it any more. */
export function renewedKey(file: string): string {
  try {
    return lastingKey(file)
  } catch {
    rmSync(file, { force: true })
    return lastingKey(file)
  }
}

/**
 * Returns the key in a file, 64 hexadecimal digits, which the first call creates and which stays. The folder must exist.
 *
 * @throws HookgateError `unavailable`
 */
export function lastingKey(file: string): string {
  const present = readPrivate(file)
  if (present !== undefined && keyForm.test(present)) return present
  try {
    makePrivate(file, randomBytes(32).toString('hex'))
  } catch (cause) {
    throw new HookgateError('unavailable', `the key cannot be written: ${whyFailed(cause)}`, { place: { file }, cause })
  }
  const made = readPrivate(file)
  if (made !== undefined && keyForm.test(made)) return made
  throw new HookgateError('unavailable', 'it is not a key of hookgate', {
    place: { file },
    remedy: 'remove it: the next command that needs it makes a new one',
  })
}

/**
 * Returns a new key, by which a gate proves itself to its clients, and writes it for them. On a full disk, it is the key
 * of the gate before.
 *
 * INVARIANT: only the holder of the gate's lock calls this, before it listens.
 *
 * @throws HookgateError `unavailable` if there is no key and none can be written
 */
export function newKey({ key: file }: GatePaths): string {
  const made = randomBytes(keyBytes).toString('hex')
  try {
    writePrivate(file, made)
    return made
  } catch (cause) {
    const before = readKey({ key: file })
    if (before !== undefined) return before
    throw new HookgateError('unavailable', `the gate's key cannot be written: ${whyFailed(cause)}`, {
      place: { file },
      cause,
    })
  }
}

/** Reads the key of the gate; `undefined` if there is none that is the user's alone. */
export function readKey({ key: file }: Pick<GatePaths, 'key'>): string | undefined {
  try {
    const key = readPrivate(file)
    return key !== undefined && keyForm.test(key) ? key : undefined
  } catch {
    return undefined
  }
}

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
    throw new HookgateError('unavailable', `the token cannot be written: ${whyFailed(cause)}`, {
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

/** Compares in constant time. Hashing makes the lengths equal, as `timingSafeEqual` needs it, and hides them. */
export const isSameSecret = (given: string, wanted: string): boolean => timingSafeEqual(digest(given), digest(wanted))

const digest = (text: string) => createHash('sha256').update(text).digest()
