import { readdirSync, rmSync, statSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolders } from './entries.ts'
import { entryName } from './digest.ts'
import { readPrivate } from './private-folder.ts'
import { replaceFile } from './replace-file.ts'

/** Short texts by key, which other processes share if the store has a folder. */
export interface KeyValueStore {
  get(key: string): string | undefined
  /**
   * Stores a text, or removes it if `value` is `undefined`.
   *
   * @returns false if it is kept only in this process's memory, for example on a full disk
   */
  set(key: string, value: string | undefined): boolean
  /** Removes an entry. @returns true for one caller only, of however many at once in however many processes */
  take(key: string): boolean
  /** Returns all texts that can be read, in no order. */
  values(): readonly string[]
}

/**
 * Opens a store of the latest `entriesMax` entries, each in a file of its own: files need no lock between processes, and
 * a torn write loses one entry at most.
 *
 * @param folder private to the user; created with the first entry. Default: memory only
 */
export function openKeyValueStore(folder: string | undefined, entriesMax: number, msMax = Infinity): KeyValueStore {
  /** Without a folder all entries, least recently set first; otherwise those that could not be written. */
  const inMemory = new Map<string, string>()
  let writes = 0

  function remember(name: string, value: string | undefined): void {
    inMemory.delete(name)
    if (value === undefined) return
    inMemory.set(name, value)
    const [oldest] = inMemory.keys()
    if (inMemory.size > entriesMax && oldest !== undefined) inMemory.delete(oldest)
  }

  return {
    get(key) {
      const name = entryName(key)
      const remembered = inMemory.get(name)
      if (remembered !== undefined || folder === undefined) return remembered
      return textIn(join(folder, name))
    },
    set(key, value) {
      const name = entryName(key)
      if (folder !== undefined) {
        try {
          if (value === undefined) rmSync(join(folder, name), { force: true })
          else writeEntry(folder, name, value, { entriesMax, msMax: writes++ % writesPerLook === 0 ? msMax : Infinity })
          inMemory.delete(name)
          return true
        } catch {
          // Kept in memory instead: the event must still be decided.
        }
      }
      remember(name, value)
      return folder === undefined
    },
    take(key) {
      const name = entryName(key)
      if (inMemory.delete(name)) return true
      if (folder === undefined) return false
      try {
        unlinkSync(join(folder, name))
        return true
      } catch {
        return false
      }
    },
    values: () => [...inMemory.values(), ...(folder === undefined ? [] : textsIn(folder))],
  }
}

function textsIn(folder: string): readonly string[] {
  try {
    // Drafts that are still being written begin with a dot.
    const names = readdirSync(folder).filter((name) => !name.startsWith('.'))
    return names.flatMap((name) => textIn(join(folder, name)) ?? [])
  } catch {
    return []
  }
}

function textIn(file: string): string | undefined {
  try {
    return readPrivate(file)
  } catch {
    return undefined
  }
}

/** Looking for entries that are too old takes as long as a hundred writes. */
const writesPerLook = 100

interface StoreBounds {
  readonly entriesMax: number
  readonly msMax: number
}

/**
 * Writes an entry of a folder, and removes the oldest of those beyond the bounds.
 *
 * @throws the system error
 */
export function writeEntry(folder: string, latest: string, value: string, bounds: StoreBounds): void {
  makeFolders(folder, 0o700)
  replaceFile(join(folder, latest), Buffer.from(value), { flush: false })
  const names = readdirSync(folder)
  // Beyond the maximum, removes 10 % more than necessary, so that this does not run for every new entry.
  const surplus = names.length - bounds.entriesMax
  const removed = surplus > 0 ? surplus + Math.floor(bounds.entriesMax / 10) : 0
  if (removed === 0 && bounds.msMax === Infinity) return
  const others = names
    // File timestamps are coarse: the latest file may have the same time as others.
    .filter((name) => name !== latest)
    .map((name) => join(folder, name))
    .map((other) => ({ other, mtimeMs: statSync(other, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .toSorted((a, b) => a.mtimeMs - b.mtimeMs)
  for (const [at, { other, mtimeMs }] of others.entries()) {
    if (at < removed || Date.now() - mtimeMs > bounds.msMax) removeFile(other)
  }
}

function removeFile(file: string): void {
  try {
    rmSync(file, { force: true })
  } catch {
    // It is a folder, and therefore not hookgate's.
  }
}
