import { accessSync, constants } from 'node:fs'

/** Checks for the user of this process: an execute bit for other users does not let it run a program. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
