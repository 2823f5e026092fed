import { join } from 'node:path'
import { z } from 'zod'
import { readPrivate, writePrivate, makePrivate } from '../../files/private-folder.ts'
import { bundlesName } from '../../files/state/places.ts'
import type { BundleState } from '../../model/bundle-settings.ts'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { sha256Of } from '../../files/digest.ts'

/** The result of the last look at the server, for people and the export. Nothing is decided by it. */
export const PollState = z.strictObject({
  format: z.literal(1),
  checkedAt: z.string(),
  /** Why the look failed; absent if it did not. */
  problem: z.string().optional(),
  notes: z.array(z.string()),
  channel: z.string(),
  freshness: z.enum(['fresh', 'stale', 'missing']),
  freshUntilMs: z.number().optional(),
  /** The release in force, and since when. */
  activated: z
    .strictObject({
      name: z.string(),
      revision: z.string(),
      mode: z.enum(['observe', 'enforce']),
      isNewest: z.boolean(),
      at: z.string(),
    })
    .optional(),
})
export type PollState = Readonly<z.infer<typeof PollState>>

/** The folder in which a gate keeps bundles. */
export const bundlesFolder = (stateFolder: string) => join(stateFolder, bundlesName)

const stateFile = (folder: string) => join(folder, 'poll.json')

/** Reads the result of the last look; `undefined` if there is none that can be read. */
export function pollStateIn(folder: string): PollState | undefined {
  try {
    return PollState.safeParse(JSON.parse(readPrivate(stateFile(folder)) ?? 'null')).data
  } catch {
    return undefined
  }
}

/** Writes the result of a look. A release that was in force before keeps its time. */
export function writePollState(
  folder: string,
  { channel, freshness, freshUntilMs, release }: BundleState,
  look: Pick<PollState, 'problem' | 'notes'>,
  nowMs: number,
): PollState {
  const now = new Date(nowMs).toISOString()
  const before = pollStateIn(folder)?.activated
  const isSame =
    release !== undefined &&
    (['name', 'revision', 'mode', 'isNewest'] as const).every((part) => before?.[part] === release[part])
  const state: PollState = {
    format: 1,
    checkedAt: now,
    ...look,
    channel,
    freshness,
    ...(freshUntilMs !== undefined && { freshUntilMs }),
    ...(release !== undefined && { activated: { ...release, at: isSame ? (before?.at ?? now) : now } }),
  }
  writePrivate(stateFile(folder), `${JSON.stringify(state)}\n`)
  return state
}

/** The files in which systems keep an id of the machine. */
const systemFiles = ['/etc/machine-id', '/var/lib/dbus/machine-id']

/**
 * Returns a text that stays the same on this machine: a hash of the system's own id, which must not be told to others, or
 * one that is kept in the folder. Two users of a machine are in the same cohort where the system has an id.
 */
export function machineIdIn(folder: string, { isNew = false } = {}): string {
  const own = [...systemFiles, join(folder, 'machine-id')].map(read).find((text) => text !== '')
  if (own !== undefined) return sha256Of(`hookgate bundle\0${own}`)
  if (!isNew) return ''
  makePrivate(join(folder, 'machine-id'), `${randomUUID()}\n`)
  return machineIdIn(folder)
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return ''
  }
}
