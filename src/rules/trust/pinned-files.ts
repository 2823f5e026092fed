import { relative, sep } from 'node:path'
import type { Rule } from '../../model/rule.ts'
import { isReallyBelow } from '../../files/real-path.ts'
import type { Disk } from '../../model/disk.ts'
import { isBelow } from '../../words/machine-paths.ts'
import { repositoryAbove } from '../find/discover.ts'
import { namedPaths } from './named-files.ts'

/**
 * Returns the files that a workspace's rule consists of, as absolute paths.
 *
 * These are the file that holds the rule, and every file of the workspace, or of the repository around it, that its
 * command names. `undefined` if the command's text does not determine them.
 *
 * A script's own imports are not followed: the person who pins a script is responsible for what it loads.
 */
export function filesOf(rule: Rule, root: string, home: string, disk: Disk): readonly string[] | undefined {
  const { file } = rule.source
  const read = filesRunBy(rule, root, home, disk)
  if (read === undefined) return undefined
  if (rule.handler.kind === 'builtin' || rule.handler.kind === 'remote') return [file]
  if (rule.handler.kind === 'policy') {
    // A policy shipped with hookgate is not part of the workspace, and changes with every version.
    const top = topOf(root, home, disk)
    const own = rule.handler.files.filter((one) => isOfWorkspace(one, top))
    return [...new Set([...(disk.see(file) === 'file' ? [file] : []), ...own])]
  }
  return rule.handler.program.form === 'script' ? read : [...new Set([file, ...read])]
}

/** Returns the files that are read each time the rule runs, as opposed to once at load. */
export function filesRunBy(rule: Rule, root: string, home: string, disk: Disk): readonly string[] | undefined {
  if (rule.handler.kind !== 'command') return []
  const { program } = rule.handler
  if (program.form === 'script') return [program.file]
  const paths = namedPaths(program, { root, home, disk })
  if (paths === undefined) return undefined
  const top = topOf(root, home, disk)
  return [...new Set(paths)].filter((path) => isOfWorkspace(path, top) && disk.see(path) === 'file')
}

const topOf = (root: string, home: string, disk: Disk) => repositoryAbove(root, home, disk).at(-1) ?? root

/** A path is within the workspace by its name or its real path. A link out of it is pinned by its target's content. */
function isOfWorkspace(path: string, root: string): boolean {
  return isBelow(path, root) || isReallyBelow(path, root)
}

/**
 * Returns a file's name in a pin: relative to its workspace, so that it is readable and survives a move of the home
 * folder.
 */
export function pinName(path: string, root: string): string {
  const name = isBelow(path, root) ? relative(root, path).split(sep).join('/') : path
  // `__proto__` cannot be stored as a key of an object.
  return name === '__proto__' ? './__proto__' : name
}
