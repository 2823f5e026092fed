import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Places } from '../../server/places.ts'
import { readPrivate } from '../../server/private-file.ts'
import { ensureFolderOf } from '../../server/private-folder.ts'
import { Containers } from '../json/hook-lists.ts'
import { writeOwn } from './replace-settings.ts'

/** What `enable` did to one file, as far as the file itself does not say so. */
export const EnableRecord = z.strictObject({
  version: z.literal(1),
  /** With every symbolic link resolved. */
  file: z.string(),
  /** Whose hooks they are, for files that more than one agent reads. */
  agent: z.string().optional(),
  /** Whether it was there before. */
  existed: z.boolean(),
  /** Folders that were made for it, the topmost first. */
  foldersMade: z.array(z.string()),
  /** Its permission bits from before they were changed, and what they were changed to. */
  mode: z.strictObject({ before: z.int(), after: z.int() }).optional(),
  containers: Containers.optional(),
  /** The SHA-256 of each command or file that was registered: what may be run to see whether it answers. */
  registered: z.array(z.string()),
})
export type EnableRecord = Readonly<z.infer<typeof EnableRecord>>

export const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex')

const folderOf = (places: Places) => join(places.folder, 'enabled')
const fileOf = (places: Places, real: string, agent: string | undefined) =>
  join(folderOf(places), `${sha256(agent === undefined ? real : `${agent}\0${real}`).slice(0, 32)}.json`)

/** `undefined` where there is none, or none that is understood: all that is lost by it is told from the file. */
export function readRecord(places: Places, real: string, agent?: string): EnableRecord | undefined {
  try {
    const parsed = EnableRecord.safeParse(JSON.parse(readPrivate(fileOf(places, real, agent)) ?? 'null'))
    return parsed.success && parsed.data.file === real ? parsed.data : undefined
  } catch {
    return undefined
  }
}

/** @throws HookgateError `settingsUnwritable` */
export function writeRecord(places: Places, record: EnableRecord): void {
  ensureFolderOf(places, 'enabled')
  writeOwn(fileOf(places, record.file, record.agent), Buffer.from(`${JSON.stringify(record, undefined, 2)}\n`))
}

export function removeRecord(places: Places, real: string, agent: string | undefined): void {
  rmSync(fileOf(places, real, agent), { force: true })
}
