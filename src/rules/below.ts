import { isAbsolute, relative, sep } from 'node:path'
import { realPath } from './disk.ts'

/** Whether a path lies below a folder, by its name. */
export function isBelow(path: string, folder: string): boolean {
  const steps = relative(folder, path)
  return steps !== '' && steps !== '..' && !steps.startsWith(`..${sep}`) && !isAbsolute(steps)
}

/** The same by where the links of both lead. */
export function isReallyBelow(path: string, folder: string): boolean {
  return isBelow(realPath(path), realPath(folder))
}
