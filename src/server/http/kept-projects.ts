import { createHash } from 'node:crypto'
import { readdirSync, rmSync, statSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { makeFolders } from '../../files/make-folders.ts'
import { replaceFile } from '../../files/replace-file.ts'
import { readPrivate } from '../private-file.ts'

/** The projects of sessions, stored on disk for the next gate. */
export interface KeptProjects {
  readonly read: (session: string) => string | undefined
  readonly write: (session: string, project: string) => void
}

/**
 * Stores one file per session, for the latest `sessionsMax`. Write errors are ignored: this gate still has the project
 * in memory.
 */
export function keptProjects(folder: string, sessionsMax: number): KeptProjects {
  const fileOf = (session: string) => join(folder, createHash('sha256').update(session).digest('hex').slice(0, 32))
  return {
    read(session) {
      try {
        const project = readPrivate(fileOf(session))
        return project !== undefined && isAbsolute(project) ? project : undefined
      } catch {
        return undefined
      }
    },
    write(session, project) {
      try {
        makeFolders(folder, 0o700)
        const file = fileOf(session)
        replaceFile(file, Buffer.from(project), { flush: false })
        removeOldest(folder, sessionsMax, file)
      } catch {
        // The event must still be decided, for example on a full disk.
      }
    },
  }
}

function removeOldest(folder: string, sessionsMax: number, latest: string): void {
  const names = readdirSync(folder)
  if (names.length <= sessionsMax) return
  const byAge = names
    .map((name) => join(folder, name))
    // File timestamps are coarse: the latest file may have the same time as others.
    .filter((file) => file !== latest)
    .map((file) => ({ file, mtimeMs: statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .toSorted((one, other) => one.mtimeMs - other.mtimeMs)
  // Removes 10 % more than necessary, so that this does not run for every new session.
  for (const { file } of byAge.slice(0, names.length - sessionsMax + Math.floor(sessionsMax / 10)))
    rmSync(file, { force: true })
}
