import { statSync } from 'node:fs'

/** Gone, closed to us, or no path at all: wherever this is false, no process can be started. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
