import { type BigIntStats, lstat, realpath, stat } from 'node:fs'
import { promisify } from 'node:util'

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
