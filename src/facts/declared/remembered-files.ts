import type { BigIntStats } from 'node:fs'
import { limits } from '../../model/limits.ts'
import {
  type FileContent,
  fileContent,
  isMissing,
  type Missing,
  missing,
  readRegularFile,
  realPlace,
  whyNot,
  type WorkspacePath,
} from './inside.ts'
import { isAbsentError, realPathOf, statOf } from '../timed-lookups.ts'

/** A cache of workspace files: a file is read again only after it has changed. */
interface RememberedFiles {
  /** Returns a reader that looks at each file once, however often it is read, so that all reads agree. */
  snapshot(): FileReader
}

export interface FileReader {
  /** Reads the first bytes of a file; `undefined` if it does not exist. */
  read(place: WorkspacePath): Promise<FileContent | Missing | undefined>
}

interface Remembered {
  /** The file's identity, size and times when it was read, at a path that was verified to be inside the workspace. */
  readonly stamp: string
  readonly content: FileContent
}

export function rememberFiles(): RememberedFiles {
  /** Ordered by last use, least recent first. */
  const remembered = new Map<string, Remembered>()
  let bytes = 0

  const forget = (key: string) => {
    bytes -= remembered.get(key)?.content.bytes.length ?? 0
    remembered.delete(key)
  }
  const remember = (key: string, next: Remembered) => {
    forget(key)
    remembered.set(key, next)
    bytes += next.content.bytes.length
    for (const oldest of remembered.keys()) {
      if (remembered.size <= factsRememberedMax && bytes <= factsRememberedBytesMax) break
      forget(oldest)
    }
  }

  const read = async (key: string, place: WorkspacePath): Promise<FileContent | Missing | undefined> => {
    const { path, written } = place
    try {
      const known = remembered.get(key)
      // The same file, unchanged: wherever its path leads by now, returning the cached content discloses nothing new.
      if (known !== undefined && known.stamp === (await stampAt(path))) {
        // While this call awaited `stampAt`, another one may have evicted or replaced the entry.
        if (remembered.get(key) === known) remember(key, known)
        return known.content
      }
      const startedAtMs = Date.now()
      const fresh = await readNew(place)
      if (fresh === undefined || isMissing(fresh)) return fresh
      if (isSettled(fresh.stat, startedAtMs)) remember(key, { stamp: stampOf(fresh.stat), content: fresh.content })
      return fresh.content
    } catch (error) {
      return isAbsentError(error) ? undefined : missing(written, whyNot(error))
    }
  }
  return {
    snapshot() {
      const looks = new Map<string, ReturnType<FileReader['read']>>()
      return {
        read(place) {
          const key = keyOf(place)
          const look = looks.get(key) ?? read(key, place)
          looks.set(key, look)
          return look
        },
      }
    },
  }
}
/** Files whose content is cached while they do not change. */
export const factsRememberedMax = 1000
/** Size of the cached files, in bytes: a thousand of 4 KB. As parsed JSON they may take ten times as much. */
export const factsRememberedBytesMax = 4 * 1024 * 1024

/** Builds the cache key. The root is part of it, since a link's target may be inside one root and outside another. */
const keyOf = ({ root, path }: WorkspacePath) => `${root}\0${path}`

async function readNew(
  place: WorkspacePath,
): Promise<{ stat: BigIntStats; content: FileContent } | Missing | undefined> {
  const real = await realPlace(place)
  if (typeof real !== 'string') return real
  const read = await readRegularFile(real, await realPathOf(place.root), limits.factBytesMax)
  if (typeof read === 'string') return missing(place.written, read)
  return { stat: read.stat, content: fileContent(read.bytes, read.whole) }
}

async function stampAt(path: string): Promise<string | undefined> {
  try {
    return stampOf(await statOf(path))
  } catch {
    return undefined
  }
}

function stampOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}`
}

/**
 * Tells whether a file is old enough to be cached. Two writes within one tick of the file system's clock leave the same
 * stamp, so a file that had just changed when it was read is read again.
 */
function isSettled({ ctimeMs, mtimeMs }: BigIntStats, readAtMs: number): boolean {
  const changedAtMs = Number(ctimeMs > mtimeMs ? ctimeMs : mtimeMs)
  return changedAtMs <= readAtMs - limits.rulesSettleMs
}
