import { relative, sep } from 'node:path'
import type { Rule } from '../../model/rule.ts'
import { isBelow, isReallyBelow } from '../../files/real-path.ts'
import type { Disk } from '../../model/disk.ts'
import { repositoryAbove } from '../find/repository.ts'
import { namedPaths } from './named-files.ts'

/**
 * The files that a workspace's rule is made of: the file that holds it, and every file of the workspace, or of the
 * repository around it, that its command names. Absolute; `undefined` where that cannot be told from its text.
 *
 * A script's own imports are not followed: whoever pins a script answers for what it loads.
 */
export function filesOf(rule: Rule, root: string, home: string, disk: Disk): readonly string[] | undefined {
  const { file } = rule.source
  const read = filesRunBy(rule, root, home, disk)
  if (read === undefined) return undefined
  if (rule.handler.kind === 'policy') {
    // One that hookgate ships is no part of the workspace, and changes with every version.
    const top = topOf(root, home, disk)
    const own = rule.handler.files.filter((one) => isWithin(one, top))
    return [...new Set([...(disk.see(file) === 'file' ? [file] : []), ...own])]
  }
  return rule.handler.program.form === 'script' ? read : [...new Set([file, ...read])]
}

/** Those of them that are read whenever the rule is asked, and not once, when it is loaded. */
export function filesRunBy(rule: Rule, root: string, home: string, disk: Disk): readonly string[] | undefined {
  if (rule.handler.kind === 'policy') return []
  const { program } = rule.handler
  if (program.form === 'script') return [program.file]
  const paths = namedPaths(program, { root, home, disk })
  if (paths === undefined) return undefined
  const top = topOf(root, home, disk)
  return [...new Set(paths)].filter((path) => isWithin(path, top) && disk.see(path) === 'file')
}

const topOf = (root: string, home: string, disk: Disk) => repositoryAbove(root, home, disk).at(-1) ?? root

/** Within the workspace by its name or by where its links lead: a link out of it is pinned by the content at its end. */
function isWithin(path: string, root: string): boolean {
  return isBelow(path, root) || isReallyBelow(path, root)
}

/** How a pin names a file: relative to its workspace, so that it reads well and survives a move of the home folder. */
export function pinName(path: string, root: string): string {
  const name = isBelow(path, root) ? relative(root, path).split(sep).join('/') : path
  // No key of an object, and so nothing that the store could hold.
  return name === '__proto__' ? './__proto__' : name
}
