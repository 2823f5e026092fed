import { readdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { entryNames } from '../../files/entries.ts'
import { z } from 'zod'
import { readPrivate } from '../../files/private-folder.ts'
import { removeEmptyFolders, writeOwn } from './settings-file.ts'
import { limits } from '../../model/limits.ts'
import { enabledName, type GatePaths } from '../../files/state/places.ts'
import { ensureFolderOf } from '../../files/state/own-folder.ts'
import { sha256Of } from '../../files/digest.ts'

/** The part of what `enable` did to one file that the file itself does not show. */
export const EnableRecord = z.strictObject({
  version: z.literal(1),
  /** With every symbolic link resolved. */
  file: z.string(),
  /** The agent of these hooks; absent for the rules file. More than one agent may read a file. */
  agent: z.string().optional(),
  /** Its text before any agent's `enable`, without the byte order mark; `null` where there was no such file. */
  before: z.string().nullable(),
  /** Folders that were made for it, the topmost first. */
  foldersMade: z.array(z.string()),
  /** Its permission bits from before they were changed, and what they were changed to. */
  mode: z.strictObject({ before: z.int(), after: z.int() }).optional(),
  /** The SHA-256 of each command or file that was registered: what may be run to see whether it answers. */
  registered: z.array(z.string()),
})
export type EnableRecord = Readonly<z.infer<typeof EnableRecord>>

const enabledFolder = (places: GatePaths) => join(places.folder, enabledName)
const fileOf = (places: GatePaths, real: string, agent: string | undefined) =>
  join(enabledFolder(places), `${sha256Of(agent === undefined ? real : `${agent}\0${real}`).slice(0, 32)}.json`)

/** `undefined` where there is no valid record: `disable` then judges by the file alone. */
export function readRecord(places: GatePaths, real: string, agent?: string): EnableRecord | undefined {
  const record = understood(fileOf(places, real, agent))
  return record?.file === real ? record : undefined
}

function understood(file: string): EnableRecord | undefined {
  try {
    return EnableRecord.safeParse(JSON.parse(readPrivate(file, limits.enableRecordBytesMax) ?? 'null')).data
  } catch {
    return undefined
  }
}

/** Reads all valid records. */
export const allRecords = (places: GatePaths): readonly EnableRecord[] =>
  entryNames(enabledFolder(places)).flatMap((name) => understood(join(enabledFolder(places), name)) ?? [])

/** Finds the record of another agent that keeps its hooks in the same file. */
export function recordBeside(places: GatePaths, real: string, agent: string): EnableRecord | undefined {
  return allRecords(places).find((record) => record.file === real && record.agent !== agent)
}

/** @throws HookgateError `settingsUnwritable` */
export function writeRecord(places: GatePaths, record: EnableRecord): void {
  ensureFolderOf(places, enabledName)
  writeOwn(fileOf(places, record.file, record.agent), Buffer.from(`${JSON.stringify(record, undefined, 2)}\n`))
}

export function removeRecord(places: GatePaths, real: string, agent: string | undefined): void {
  rmSync(fileOf(places, real, agent), { force: true })
}

/**
 * Keeps a copy of a file from before it is changed, for its owner only, and of older copies the newest few. They are not
 * put beside the file: in a project they would be committed.
 *
 * @returns where the copy is
 * @throws HookgateError `settingsUnwritable`
 */
export function backUp(places: GatePaths, real: string, bytes: Uint8Array, now = new Date()): string {
  const folder = ensureFolderOf(places, 'backups')
  // Times in this form sort by age; the process id separates two at the same time.
  const stamp = now.toISOString().replace(/[:.]/g, '-')
  const copy = join(folder, `${stamp}-${process.pid}-${basename(real)}`)
  writeOwn(copy, bytes)
  const copies = readdirSync(folder).toSorted()
  for (const old of copies.slice(0, Math.max(0, copies.length - settingsBackupsMax))) {
    rmSync(join(folder, old), { force: true })
  }
  return copy
}
/** Backups of settings from before a change, over all files. */
export const settingsBackupsMax = 20

/** The folders that `enable` writes in hookgate's own. Its lock stays: others may wait for it. */
const own = ['backups', 'clients', enabledName, 'hooks'] as const

/** Removes again what an `enable` that fails has put there since this call. Called with its lock held. */
export function traces({ folder }: GatePaths): { made(name: (typeof own)[number]): readonly string[]; remove(): void } {
  const tops = own.map((name) => join(folder, name))
  const before = new Set([...tops.filter(isThere), ...tops.flatMap(below)])
  return {
    /** The files below one of these folders that were not there before. */
    made: (name) => below(join(folder, name)).filter((path) => !before.has(path) && !isThere(path)),
    remove() {
      const made = [...tops.filter(isThere), ...tops.flatMap(below)].filter((path) => !before.has(path)).toSorted()
      for (const path of made) if (!isThere(path)) rmSync(path, { force: true })
      removeEmptyFolders(made)
    },
  }
}

/** Folders alone can be listed. */
function isThere(folder: string): boolean {
  try {
    readdirSync(folder)
    return true
  } catch {
    return false
  }
}

const below = (folder: string): readonly string[] =>
  isThere(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)) : []
