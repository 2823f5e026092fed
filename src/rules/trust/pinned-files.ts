import { relative, resolve, sep } from 'node:path'
import type { Program, Rule } from '../../model/rule.ts'
import { limits } from '../../model/limits.ts'
import { isBelow, isReallyBelow } from '../../files/real-path.ts'
import type { Disk } from '../../model/disk.ts'
import { repositoryAbove } from '../find/repository.ts'
import { entryFiles, namedScripts } from './entry-files.ts'
import { pathWords } from './path-words.ts'

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
  return filesNamedBy(program, { root, home, top: topOf(root, home, disk), disk }, new Set())
}

interface Surroundings {
  readonly root: string
  readonly home: string
  readonly top: string
  readonly disk: Disk
}

/** @param followed scripts of a `package.json` that have been looked into: one may name itself */
function filesNamedBy(
  program: Exclude<Program, { form: 'script' }>,
  around: Surroundings,
  followed: Set<string>,
): readonly string[] | undefined {
  const { root, home, top, disk } = around
  const words = pathWords(program, root, home)
  const folders = words && foldersOf(words, root, home, disk)
  if (words === undefined || folders === undefined) return undefined
  const named = folders.flatMap((folder) => words.map((word) => resolve(folder, word)))
  const files = new Set(
    [...named, ...entryFiles(words, folders, disk)].filter((path) => isWithin(path, top) && disk.see(path) === 'file'),
  )
  const scripts = namedScripts(words, folders, top, disk)
  if (scripts === undefined) return undefined
  for (const { file, commands } of scripts) {
    files.add(file)
    for (const command of commands.filter((one) => !followed.has(one))) {
      followed.add(command)
      const run = filesNamedBy({ form: 'shell', shell: 'sh', command }, around, followed)
      if (run === undefined) return undefined
      run.forEach((one) => files.add(one))
    }
  }
  return [...files]
}

const topOf = (root: string, home: string, disk: Disk) => repositoryAbove(root, home, disk).at(-1) ?? root

/**
 * Where the words of a command may be relative to. `cd tools && cd old && ./guard.sh`: any folder that is named, from any
 * other. `undefined` where there are too many to look into all of them.
 */
function foldersOf(words: readonly string[], root: string, home: string, disk: Disk): readonly string[] | undefined {
  const folders = new Set([root])
  // Without a word of its own it goes home.
  if (words.includes('cd')) folders.add(home)
  // A set hands out what is added to it on the way.
  for (const folder of folders) {
    if (words.length * folders.size > limits.pinnedWordsMax) return undefined
    for (const word of words) {
      const path = resolve(folder, word)
      if (!folders.has(path) && disk.see(path) === 'folder') folders.add(path)
    }
  }
  return [...folders]
}

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
