import { realpathSync } from 'node:fs'
import { isAbsolute, relative, sep } from 'node:path'

/** The path with every symbolic link resolved, or as it is where that cannot be done. */
export function realPath(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return path
  }
}

/** Whether a path lies below a folder, by its name. */
export function isBelow(path: string, folder: string): boolean {
  const steps = relative(folder, path)
  return steps !== '' && steps !== '..' && !steps.startsWith(`..${sep}`) && !isAbsolute(steps)
}

/** Whether a path lies below a folder once the symbolic links of both are resolved. */
export function isReallyBelow(path: string, folder: string): boolean {
  return isBelow(realPath(path), realPath(folder))
}
