import { fstatSync, lstatSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeNewFile } from '../../files/replace-file.ts'
import { type PendingFolder, takeOut, unflushed } from './pending.ts'

/** The last writer's commit, pending or done: the entries it adds, and the signature of the new event file. */
interface Intent {
  readonly names: readonly string[]
  readonly signature: string
}

const intentIn = ({ folder }: PendingFolder) => join(folder, 'last-commit')
const draftIn = ({ folder }: PendingFolder) => join(folder, 'next')

/**
 * Replaces the event file atomically, and removes the pending entries that it now holds. If the writer is killed, the
 * next one can tell whether the rename happened: the draft still exists if it did not.
 */
export function commit(
  pending: PendingFolder,
  path: string,
  pieces: readonly Uint8Array[],
  names: readonly string[],
): void {
  const draft = draftIn(pending)
  try {
    writeNewFile(draft, pieces, unflushed)
    writeFileSync(intentIn(pending), JSON.stringify({ names, signature: signatureOf(draft) }), { mode: 0o600 })
    renameSync(draft, path)
  } catch (cause) {
    undo(pending)
    throw cause
  }
  takeOut(pending, names)
}

/**
 * Completes or undoes the commit of a writer that was killed.
 *
 * @returns the signature of the event file that was committed last
 */
export function recover(pending: PendingFolder): string | undefined {
  const intent = readIntent(pending)
  if (lstatSync(draftIn(pending), { throwIfNoEntry: false }) !== undefined) {
    undo(pending)
    return undefined
  }
  if (intent !== undefined) takeOut(pending, intent.names)
  return intent?.signature
}

/**
 * INVARIANT: the intent is removed first. Without a draft beside it, it means that its entries are in the event file.
 */
function undo(pending: PendingFolder): void {
  rmSync(intentIn(pending), { force: true })
  rmSync(draftIn(pending), { recursive: true, force: true })
}

/** Returns a signature that survives a rename of the file, and changes if the file is written to or replaced. */
export function signatureOf(file: string | number): string {
  const { dev, ino, size, mtimeNs } =
    typeof file === 'number' ? fstatSync(file, { bigint: true }) : statSync(file, { bigint: true })
  return [dev, ino, size, mtimeNs].join(' ')
}

/** Reads the intent; `undefined` if it is torn, which means that the rename after it never happened. */
function readIntent(pending: PendingFolder): Intent | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(intentIn(pending), 'utf8'))
    if (typeof value !== 'object' || value === null || !('names' in value) || !('signature' in value)) return undefined
    const { names, signature } = value
    if (!Array.isArray(names) || typeof signature !== 'string') return undefined
    return { names: names.filter((name) => typeof name === 'string'), signature }
  } catch {
    return undefined
  }
}
