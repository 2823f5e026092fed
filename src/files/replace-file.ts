import { randomUUID } from 'node:crypto'
import { linkSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { codeOf } from './code-of.ts'
import { type Manner, writeNewFile } from './new-file.ts'

/**
 * Puts a new content in a file's place, or leaves the file as it is and throws what the system says. A reader finds the
 * old content or the new, never half of one, and so does whoever comes after a loss of power. A link is replaced, and not
 * what it leads to.
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

/** The same where there is none yet. @returns false where there is one, which is left as it is */
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

/** Beside the file, since only within one file system a rename is one step. */
function draftOf(file: string, bytes: Uint8Array, manner: Manner): string {
  const draft = join(dirname(file), `.${basename(file)}.${randomUUID()}`)
  writeNewFile(draft, [bytes], manner)
  return draft
}
