import { statSync } from 'node:fs'
import { type DecisionReader, openReader } from './read.ts'

/** A reader that goes on with another database if one takes the record's place. */
export interface LatestReader {
  /**
   * Returns the reader of the database that is there now, and whether it is another one than at the last look; no
   * reader if nothing was recorded yet.
   *
   * @throws HookgateError `unavailable` if it cannot be read
   */
  look(): { readonly reader: DecisionReader | undefined; readonly isOther: boolean }
  close(): void
}

export function openLatestReader(file: string): LatestReader {
  let reader: DecisionReader | undefined
  let inode: number | undefined
  return {
    look() {
      const now = statSync(file, { throwIfNoEntry: false })?.ino
      if (now === inode && reader !== undefined) return { reader, isOther: false }
      const isOther = reader !== undefined
      reader?.close()
      reader = undefined
      reader = openReader(file)
      inode = now
      return { reader, isOther }
    },
    close() {
      reader?.close()
      reader = undefined
    },
  }
}
