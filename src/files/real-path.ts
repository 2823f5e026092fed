import { readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'

/** Resolves all symbolic links in a path; returns it unchanged if that fails. */
export function realPath(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return path
  }
}

/** Resolves all symbolic links in a path, as far as it exists, those that lead nowhere included. */
function realPathOf(path: string, linksLeft = linksMax): string {
  const real = realPath(path)
  const above = dirname(path)
  if (real !== path || above === path) return real
  const named = join(realPathOf(above, linksLeft), basename(path))
  const target = linksLeft > 0 ? targetOf(named) : undefined
  return target === undefined ? named : realPathOf(resolve(dirname(named), target), linksLeft - 1)
}
/** As many links as Linux follows in one path. */
const linksMax = 40

function targetOf(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}

/** Returns whether a path is below a folder lexically, without resolving links. */
export function isBelow(path: string, folder: string): boolean {
  const steps = relative(folder, path)
  return steps !== '' && steps !== '..' && !steps.startsWith(`..${sep}`) && !isAbsolute(steps)
}

/** Returns whether a path is a folder, or below it, after the symbolic links of both are resolved. */
export function isReallyWithin(path: string, folder: string): boolean {
  const [real, top] = [realPathOf(path), realPath(folder)]
  return relative(top, real) === '' || isBelow(real, top)
}

/** Returns whether a path is below a folder after the symbolic links of both are resolved. */
export function isReallyBelow(path: string, folder: string): boolean {
  return isBelow(realPath(path), realPath(folder))
}
