import { createHash } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { GatePaths } from '../../server/places.ts'
import { readPrivate } from '../../files/private-file.ts'
import { ensureFolderOf } from '../../server/private-folder.ts'
import { writeOwn } from './replace-settings.ts'

/** The part of what `enable` did to one file that the file itself does not show. */
export const EnableRecord = z.strictObject({
  version: z.literal(1),
  /** With every symbolic link resolved. */
  file: z.string(),
  /** Whose hooks they are, for files that more than one agent reads. */
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

export const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex')

const folderOf = (places: GatePaths) => join(places.folder, 'enabled')
const fileOf = (places: GatePaths, real: string, agent: string | undefined) =>
  join(folderOf(places), `${sha256(agent === undefined ? real : `${agent}\0${real}`).slice(0, 32)}.json`)

/** `undefined` where there is no valid record: `disable` then judges by the file alone. */
export function readRecord(places: GatePaths, real: string, agent?: string): EnableRecord | undefined {
  const record = understood(fileOf(places, real, agent))
  return record?.file === real ? record : undefined
}

function understood(file: string): EnableRecord | undefined {
  try {
    return EnableRecord.safeParse(JSON.parse(readPrivate(file) ?? 'null')).data
  } catch {
    return undefined
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Finds the record of another agent that keeps its hooks in the same file. */
export function recordBeside(places: GatePaths, real: string, agent: string): EnableRecord | undefined {
  return namesIn(folderOf(places))
    .map((name) => understood(join(folderOf(places), name)))
    .find((record) => record?.file === real && record.agent !== agent)
}

/** @throws HookgateError `settingsUnwritable` */
export function writeRecord(places: GatePaths, record: EnableRecord): void {
  ensureFolderOf(places, 'enabled')
  writeOwn(fileOf(places, record.file, record.agent), Buffer.from(`${JSON.stringify(record, undefined, 2)}\n`))
}

export function removeRecord(places: GatePaths, real: string, agent: string | undefined): void {
  rmSync(fileOf(places, real, agent), { force: true })
}
