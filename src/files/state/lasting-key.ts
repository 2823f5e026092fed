import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { errorText, HookgateError } from '../../model/errors.ts'
import { makePrivate, readPrivate } from '../private-file.ts'

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
    throw new HookgateError('unavailable', `the key cannot be written: ${errorText(cause)}`, { place: { file }, cause })
  }
  const made = readPrivate(file)
  if (made !== undefined && keyForm.test(made)) return made
  throw new HookgateError('unavailable', 'it is not a key of hookgate', {
    place: { file },
    remedy: 'remove it: the next command that needs it makes a new one',
  })
}
