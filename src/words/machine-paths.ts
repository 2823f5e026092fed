import { isAbsolute, relative, sep } from 'node:path'

/**
 * Which path of this machine is in which folder, as its system compares them, by their texts: links are resolved by
 * `files/real-path.ts`, and `paths.ts` beside this compares paths with `/` on every system.
 */

/** True if a path is below a folder, and not the folder itself. */
export function isBelow(path: string, folder: string): boolean {
  const steps = relative(folder, path)
  return steps !== '' && steps !== '..' && !steps.startsWith(`..${sep}`) && !isAbsolute(steps)
}

/** True if a path is a folder or below it. */
export const isAtOrBelow = (path: string, folder: string): boolean =>
  relative(folder, path) === '' || isBelow(path, folder)
