import { randomBytes } from 'node:crypto'
import { readPrivate, writePrivate } from '../private-file.ts'
import { errorText, HookgateError } from '../../model/errors.ts'
import { keyBytes } from '../proof.ts'
import type { GatePaths } from './places.ts'

const keyForm = /^[0-9a-f]{64}$/

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
    throw new HookgateError('unavailable', `the gate's key cannot be written: ${errorText(cause)}`, {
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
