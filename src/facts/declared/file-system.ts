import { type BigIntStats, lstat, realpath, stat } from 'node:fs'
import { promisify } from 'node:util'

const statLater = promisify(stat)
const lstatLater = promisify(lstat)

/** What a path leads to, symbolic links followed. Rejects where there is nothing. */
export const statOf = (path: string): Promise<BigIntStats> => statLater(path, { bigint: true })
/** What stands at a path itself. */
export const lstatOf = (path: string): Promise<BigIntStats> => lstatLater(path, { bigint: true })
/** The path with every symbolic link resolved. */
export const realPathOf: (path: string) => Promise<string> = promisify(realpath.native)

/** Whether an error says that there is nothing at a path; nothing can be below what is no folder. */
export function saysAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}

export async function orAbsent<Found>(found: Promise<Found>): Promise<Found | undefined> {
  try {
    return await found
  } catch (error) {
    if (saysAbsent(error)) return undefined
    throw error
  }
}
