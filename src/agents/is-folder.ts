import { statSync } from 'node:fs'

/** Returns false for a missing or inaccessible folder and for an invalid path: no process can be started there. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
