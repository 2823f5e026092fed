import { type BigIntStats, lstat, realpath, stat } from 'node:fs'
import { promisify } from 'node:util'

/** Concurrent lookups of facts for one event: half of libuv's threads, so that a dead drive leaves the gate some. */
const factsAtOnce = 2

/**
 * Roots where a file access has outlived its time limit, because the drive may be dead. Node runs all file access on a
 * few libuv threads: each further access to such a root would block one more of them, until none is left.
 */
export interface StuckRoots {
  has(root: string): boolean
  /** Marks a root as stuck until the pending access settles. */
  hold(root: string, look: Promise<unknown>): void
}

export function stuckRoots(): StuckRoots {
  const looks = new Map<string, Set<Promise<unknown>>>()
  const release = async (root: string, look: Promise<unknown>) => {
    await look
    const others = looks.get(root)
    others?.delete(look)
    if (others?.size === 0) looks.delete(root)
  }
  return {
    has: (root) => looks.has(root),
    hold(root, look) {
      looks.set(root, (looks.get(root) ?? new Set()).add(look))
      void release(root, look)
    },
  }
}

/** A lookup of a file, on a root that may not answer. */
export interface TimedLookup<Found> {
  /** The root to skip if it is stuck; absent if nothing is read from a disk. */
  readonly root?: string
  readonly run: () => Promise<Found>
}

/**
 * Runs lookups in `factsAtOnce` parallel lanes, for at most `ms`, and returns the results obtained by then. A root
 * with an unfinished lookup is marked as stuck; lookups on a stuck root are skipped, and have the result `skipped`.
 */
export async function lookUpInTime<Key, Found>(
  lookups: ReadonlyMap<Key, TimedLookup<Found>>,
  { ms, stuck, skipped }: { readonly ms: number; readonly stuck: StuckRoots; readonly skipped: Found },
): Promise<ReadonlyMap<Key, Found>> {
  const found = new Map<Key, Found>()
  const underWay = new Map<Key, { readonly root: string | undefined; readonly end: Promise<Found> }>()
  const waiting = lookups.entries()
  let over = false
  const lane = async () => {
    for (const [key, { root, run }] of waiting) {
      if (root !== undefined && stuck.has(root)) {
        found.set(key, skipped)
        continue
      }
      const end = run()
      underWay.set(key, { root, end })
      // oxlint-disable-next-line no-await-in-loop -- a lane runs one lookup after the other
      found.set(key, await end)
      underWay.delete(key)
      if (over) return
    }
  }
  await withinTime(Promise.all(Array.from({ length: factsAtOnce }, lane)), ms)
  over = true
  for (const { root, end } of underWay.values()) if (root !== undefined) stuck.hold(root, end)
  return new Map(found)
}

/** Waits for the work, but no longer than `ms`. The timer does not keep the process alive. */
async function withinTime(work: Promise<unknown>, ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  timer.unref()
  await Promise.race([work, promise])
  clearTimeout(timer)
}

const statLater = promisify(stat)
const lstatLater = promisify(lstat)

/** Follows symbolic links, and rejects if nothing exists at the path. */
export const statOf = (path: string): Promise<BigIntStats> => statLater(path, { bigint: true })
/** Describes the entry at the path itself, without following a symbolic link. */
export const lstatOf = (path: string): Promise<BigIntStats> => lstatLater(path, { bigint: true })
/** Resolves every symbolic link in a path. */
export const realPathOf: (path: string) => Promise<string> = promisify(realpath.native)

/** Tells whether an error means that nothing exists at a path. ENOTDIR does too: nothing is below a plain file. */
export function isAbsentError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}

export async function orAbsent<Found>(found: Promise<Found>): Promise<Found | undefined> {
  try {
    return await found
  } catch (error) {
    if (isAbsentError(error)) return undefined
    throw error
  }
}
