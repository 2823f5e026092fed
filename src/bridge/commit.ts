import { fstatSync, lstatSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeNewFile } from '../files/new-file.ts'
import { type Pending, takeOut, unflushed } from './pending.ts'

/** What the last writer was about to do, or did: which entries the file took in, and how to know that file again. */
interface Intent {
  readonly names: readonly string[]
  readonly signature: string
}

const intentIn = ({ folder }: Pending) => join(folder, 'last-commit')
const draftIn = ({ folder }: Pending) => join(folder, 'next')

/**
 * Puts a new event file in the place of the old one, and takes out the entries that it holds. A reader finds the old file
 * or the new one, and whoever comes after a writer that was killed can tell which: the draft is there, or it is not.
 */
export function commit(pending: Pending, path: string, pieces: readonly Uint8Array[], names: readonly string[]): void {
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
 * Ends what a writer that was killed had begun.
 *
 * @returns the signature of the file that was last put in place
 */
export function recover(pending: Pending): string | undefined {
  const intent = readIntent(pending)
  if (lstatSync(draftIn(pending), { throwIfNoEntry: false }) !== undefined) {
    undo(pending)
    return undefined
  }
  if (intent !== undefined) takeOut(pending, intent.names)
  return intent?.signature
}

/** INVARIANT: the intent goes first. Without a draft beside it, it would say that the entries it names were taken in. */
function undo(pending: Pending): void {
  rmSync(intentIn(pending), { force: true })
  rmSync(draftIn(pending), { recursive: true, force: true })
}

/** It keeps its meaning when the file is renamed, and loses it when anybody writes to the file or replaces it. */
export function signatureOf(file: string | number): string {
  const { dev, ino, size, mtimeNs } =
    typeof file === 'number' ? fstatSync(file, { bigint: true }) : statSync(file, { bigint: true })
  return [dev, ino, size, mtimeNs].join(' ')
}

/** A torn one was never acted upon: the rename comes after it. */
function readIntent(pending: Pending): Intent | undefined {
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
