import { readdirSync } from 'node:fs'

/** Returns the names of a folder's entries, sorted; none if it cannot be listed, for it may go at any time. */
export function entryNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted()
  } catch {
    return []
  }
}
