import { lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { join, parse, resolve, sep } from 'node:path'
import { isAtOrBelow, isBelow } from '../words/machine-paths.ts'

/** Resolves all symbolic links in a path; returns it unchanged if that fails. */
export function realPath(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return path
  }
}

/**
 * Resolves all symbolic links in a path, as far as it exists, those that lead nowhere included. Goes down from the root:
 * of a path of thousands of missing folders, only those that exist are looked at.
 */
function realPathOf(path: string, linksLeft = linksMax): string {
  const { root } = parse(path)
  const steps = path.slice(root.length).split(sep)
  let real = root
  for (const [index, step] of steps.entries()) {
    const next = join(real, step)
    const found = linkAt(next)
    const rest = steps.slice(index + 1)
    if (found === 'nothing' || (found !== 'no link' && linksLeft === 0)) return join(next, ...rest)
    if (found !== 'no link') return realPathOf(resolve(real, found.target, ...rest), linksLeft - 1)
    real = next
  }
  return real
}
/** As many links as Linux follows in one path. */
const linksMax = 40

function linkAt(path: string): 'nothing' | 'no link' | { readonly target: string } {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (stats === undefined) return 'nothing'
    return stats.isSymbolicLink() ? { target: readlinkSync(path) } : 'no link'
  } catch {
    return 'nothing'
  }
}

/** Returns whether a path is a folder, or below it, after the symbolic links of both are resolved. */
export function isReallyWithin(path: string, folder: string): boolean {
  const [real, top] = [realPathOf(resolve(path)), realPath(folder)]
  return isAtOrBelow(real, top)
}

/** Returns whether a path is below a folder after the symbolic links of both are resolved. */
export function isReallyBelow(path: string, folder: string): boolean {
  return isBelow(realPath(path), realPath(folder))
}
