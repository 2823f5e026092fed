import { createHash } from 'node:crypto'
import { readdirSync, rmSync, statSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { makeFolders } from '../../files/make-folders.ts'
import { replaceFile } from '../../files/replace-file.ts'
import { readPrivate } from '../private-file.ts'

/** The projects of sessions, for the gate that comes after this one. */
export interface KeptProjects {
  readonly read: (session: string) => string | undefined
  readonly write: (session: string, project: string) => void
}

/** A file for each session, the latest `sessionsMax`. What cannot be kept is known for as long as this gate is there. */
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
        // On a full disk an event is decided all the same.
      }
    },
  }
}

function removeOldest(folder: string, sessionsMax: number, latest: string): void {
  const names = readdirSync(folder)
  if (names.length <= sessionsMax) return
  const byAge = names
    .map((name) => join(folder, name))
    // Clocks of file systems are slow: it may be as old as others.
    .filter((file) => file !== latest)
    .map((file) => ({ file, mtimeMs: statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .toSorted((one, other) => one.mtimeMs - other.mtimeMs)
  // Some more than there have to be: not with every session.
  for (const { file } of byAge.slice(0, names.length - sessionsMax + Math.floor(sessionsMax / 10)))
    rmSync(file, { force: true })
}
