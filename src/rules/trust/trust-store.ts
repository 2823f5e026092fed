import { chmodSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
import { type Lock, tryLock } from '../../files/lock.ts'
import { makeFolders } from '../../files/entries.ts'
import { replaceFile } from '../../files/replace-file.ts'
import { errorText, HookgateError, type Problem, problemsError } from '../../model/errors.ts'
import { type Disk, isUnreadable } from '../../model/disk.ts'
import { parseJson } from '../../files/parse-json.ts'
import { schemaProblems } from '../../words/schema-problems.ts'
import { shellWord } from '../../model/text.ts'

/** Wait of one `hookgate trust` for others: each writes for some milliseconds, on a busy disk many times that. */
const trustLockMs = 20_000

/** Maps each workspace's real path to the files that a person reviewed, with the SHA-256 of their content. */
const TrustFile = z.strictObject({
  version: z.literal(1),
  workspaces: z.record(
    z.string(),
    z.strictObject({ trustedAt: z.iso.datetime(), files: z.record(z.string(), z.string().regex(/^[0-9a-f]{64}$/)) }),
  ),
})
type TrustFile = z.infer<typeof TrustFile>

/** The pinned files of each workspace, relative to it, or absolute if they are outside of it. */
export type Pins = Readonly<TrustFile['workspaces']>

export interface TrustStore {
  readonly pins: Pins
  /** INVARIANT: while it is set, nothing is trusted. */
  readonly problem: Problem | undefined
}

export function readTrust(file: string, disk: Disk): TrustStore {
  const seen = disk.see(file)
  if (seen === 'absent') return { pins: {}, problem: undefined }
  const remedy = 'fix it, or remove it and run `hookgate trust` again'
  const bytes = disk.read(file, trustFileBytesMax)
  if (isUnreadable(bytes)) return untrusting({ place: { file }, message: `it cannot be read: ${bytes.why}`, remedy })
  if (disk.writableByOthers(file)) {
    const message = 'users other than its owner can write to it, and could trust anything'
    return untrusting({ place: { file }, message, remedy: `run \`chmod 600 ${shellWord(file)}\`` })
  }
  const parsed = parseJson(bytes, file)
  const content = TrustFile.safeParse(parsed.value)
  const [first] = parsed.problems
  if (first !== undefined) return untrusting({ ...first, remedy })
  if (content.success) return { pins: content.data.workspaces, problem: undefined }
  const [wrong] = schemaProblems(content.error.issues, parsed)
  return untrusting({
    place: wrong?.place ?? { file },
    message: wrong?.message ?? 'it is not in a known format',
    remedy,
  })
}
/** The store of pins: a hundred bytes for each pinned file. */
export const trustFileBytesMax = 4 * 1024 * 1024

const untrusting = (problem: Omit<Problem, 'severity'>): TrustStore => ({
  pins: {},
  problem: { ...problem, severity: 'error' },
})

/**
 * Changes the trust file under a lock, so that concurrent processes do not lose each other's changes.
 *
 * Only the owner can read the file, and it is replaced atomically.
 *
 * @returns the file before and after
 * @throws HookgateError `rulesMalformed` if the present content cannot be read, since it would be lost, or the file
 * cannot be written and so stays unchanged
 */
export function changeTrust(file: string, disk: Disk, change: (pins: Pins) => Pins): TrustFileChange {
  const lock = lockTrust(file)
  try {
    const planned = planTrust(file, disk, change)
    replaceTrust(file, planned.after)
    return planned
  } finally {
    lock.release()
  }
}

/** A change of the trust file. */
export interface TrustFileChange {
  readonly file: string
  /** `undefined` if there was none. */
  readonly before: Uint8Array | undefined
  readonly after: Buffer
}

/** Plans what `changeTrust` does. @throws HookgateError `rulesMalformed` */
export function planTrust(file: string, disk: Disk, change: (pins: Pins) => Pins): TrustFileChange {
  const { pins, problem } = readTrust(file, disk)
  if (problem !== undefined) throw problemsError([problem])
  const content: TrustFile = { version: 1, workspaces: change(pins) }
  const bytes = disk.read(file, trustFileBytesMax)
  const before = isUnreadable(bytes) ? undefined : bytes
  return { file, before, after: Buffer.from(`${JSON.stringify(content, undefined, 2)}\n`) }
}

/**
 * INVARIANT: the lock is held for one synchronous step, so that a waiter in the same process cannot block its holder.
 */
function lockTrust(file: string): Lock {
  let lock: Lock | undefined
  try {
    makeFolders(dirname(file), 0o700)
    lock = tryLock(`${file}.lock`, trustLockMs)
  } catch (cause) {
    throw unwritable(file, errorText(cause), cause)
  }
  if (lock !== undefined) return lock
  const remedy = 'wait for it or stop it, then run this again'
  throw new HookgateError('rulesMalformed', 'another `hookgate trust` is in progress', { place: { file }, remedy })
}

/**
 * INVARIANT: the folder is closed to others only after the file was read, so that a file others could write was
 * rejected.
 */
function replaceTrust(file: string, bytes: Uint8Array): void {
  try {
    chmodSync(dirname(file), 0o700)
    replaceFile(file, bytes)
  } catch (cause) {
    throw unwritable(file, errorText(cause), cause)
  }
}

const unwritable = (file: string, why: string, cause: unknown) =>
  new HookgateError('rulesMalformed', `the trust file cannot be written, and is unchanged: ${why}`, {
    place: { file },
    remedy: 'check that you can write to its folder and that the disk has space, then run it again',
    cause,
  })
