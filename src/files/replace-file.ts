import { randomUUID } from 'node:crypto'
import { linkSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { codeOf } from './code-of.ts'
import { type Manner, writeNewFile } from './new-file.ts'

/**
 * Replaces a file's content atomically, or leaves the file unchanged and throws the system error. Readers find the old
 * content or the new, even after a power failure. A link is itself replaced, not its target.
 */
export function replaceFile(file: string, bytes: Uint8Array, manner: Manner = {}): void {
  const draft = draftOf(file, bytes, manner)
  try {
    renameSync(draft, file)
  } catch (cause) {
    rmSync(draft, { force: true })
    throw cause
  }
}

/** Creates a file atomically. @returns false if the file exists, which is left unchanged */
export function makeFile(file: string, bytes: Uint8Array, manner: Manner = {}): boolean {
  const draft = draftOf(file, bytes, manner)
  try {
    linkSync(draft, file)
    return true
  } catch (cause) {
    if (codeOf(cause) === 'EEXIST') return false
    throw cause
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Writes a draft in the file's own folder, since a rename is atomic only within one file system. */
function draftOf(file: string, bytes: Uint8Array, manner: Manner): string {
  const draft = join(dirname(file), `.${basename(file)}.${randomUUID()}`)
  writeNewFile(draft, [bytes], manner)
  return draft
}
