import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import { type KeyValueStore, openKeyValueStore } from '../key-value-store.ts'
import { isSameSecret } from '../same-secret.ts'
import { renewedKey } from './lasting-key.ts'

/** The file, beside the stores, with the key of their seals. */
export const sealKeyName = 'seal.key'

/** A seal, and the line end behind it, by which a text in the store is longer. */
export const sealCharacters = 65

interface SealedOptions {
  /** Private to the user, and there before anything is set; `undefined`: memory only. */
  readonly folder: string | undefined
  readonly name: string
  readonly entriesMax: number
  readonly msMax: number
}

/**
 * Opens a store whose texts are sealed with a key of the folder, each with its name in the store.
 *
 * INVARIANT: a text that was written without the key, or under another name, is not there.
 */
export function openSealedStore({ folder, name, entriesMax, msMax }: SealedOptions): KeyValueStore {
  if (folder === undefined) return openKeyValueStore(undefined, entriesMax, msMax)
  const store = openKeyValueStore(join(folder, name), entriesMax, msMax)
  const sealOf = (text: string) =>
    createHmac('sha256', renewedKey(join(folder, sealKeyName)))
      .update(`${name}\n${text}`)
      .digest('hex')

  function opened(sealed: string): string | undefined {
    const end = sealed.indexOf('\n')
    const text = sealed.slice(end + 1)
    try {
      return end !== -1 && isSameSecret(sealed.slice(0, end), sealOf(text)) ? text : undefined
    } catch {
      // Without its key no seal can be true.
      return undefined
    }
  }

  return {
    get: (key) => mapped(store.get(key), opened),
    set: (key, value) =>
      store.set(
        key,
        mapped(value, (text) => `${sealOf(text)}\n${text}`),
      ),
    take: (key) => store.take(key),
    values: () => store.values().flatMap((sealed) => opened(sealed) ?? []),
  }
}

const mapped = (text: string | undefined, by: (text: string) => string | undefined) =>
  text === undefined ? undefined : by(text)
