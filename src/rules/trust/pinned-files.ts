import { isAbsolute, relative, resolve, sep } from 'node:path'
import type { Program, Rule } from '../../model/rule.ts'
import { limits } from '../../model/limits.ts'
import { type Disk, realPath } from '../disk.ts'
import { literalText } from '../match/glob.ts'
import { repositoryAbove } from '../find/repository.ts'
import { readShell } from '../match/shell-words.ts'

/**
 * The files that a workspace's rule is made of: the file that holds it, and every file of the workspace, or of the
 * repository around it, that its command names. Absolute; `undefined` where there are too many to be sure of.
 *
 * A script's own imports are not followed: whoever pins a script answers for what it loads.
 */
export function filesOf(rule: Rule, root: string, disk: Disk): readonly string[] | undefined {
  const { program } = rule.handler
  if (program.form === 'script') return [program.file]
  const words = wordsOf(program, root)
  if (words.length > limits.pinnedWordsMax) return undefined
  const top = repositoryAbove(root, disk).at(-1) ?? root
  const ours = (path: string, kind: 'file' | 'folder') => isWithin(path, top) && disk.see(path) === kind
  // `cd tools && ./guard.sh`: a folder that is named may be the one that the other words are relative to.
  const folders = words.map((word) => resolve(root, word)).filter((path) => path !== root && ours(path, 'folder'))
  if (words.length * (folders.length + 1) > limits.pinnedWordsMax) return undefined
  const named = [root, ...folders].flatMap((folder) => words.map((word) => resolve(folder, word)))
  return [...new Set([rule.source.file, ...named.filter((path) => ours(path, 'file'))])]
}

/** Within the workspace by its name or by where its links lead: a link out of it is pinned by the content at its end. */
function isWithin(path: string, root: string): boolean {
  return isBelow(path, root) || isBelow(realPath(path), realPath(root))
}

function isBelow(path: string, root: string): boolean {
  const steps = relative(root, path)
  return steps !== '' && steps !== '..' && !steps.startsWith(`..${sep}`) && !isAbsolute(steps)
}

/** Stands for the project's folder while a command is taken apart, since a path may hold what a shell would act on. */
const projectMark = '\ue000'
const projectVariable = /\$(?:\{CLAUDE_PROJECT_DIR\}|CLAUDE_PROJECT_DIR\b)/g

const marked = (text: string) => text.replaceAll(projectVariable, projectMark)

/** Every word that may be a path: as the shell will see it, and the pieces of `--config=…`, `a:b` or `node -e "…"`. */
function wordsOf(program: Exclude<Program, { form: 'script' }>, root: string): readonly string[] {
  const texts =
    program.form === 'exec'
      ? [program.file, ...program.args].map(marked)
      : [marked(program.command), ...shellWords(marked(program.command))]
  const pieces = texts.flatMap((text) => text.split(/[\s'"`=:,;|&<>(){}[\]]+/))
  return [...new Set([...texts, ...pieces])]
    .filter((word) => word !== '' && !word.includes('\0'))
    .map((word) => word.replaceAll(projectMark, root))
}

function shellWords(command: string): readonly string[] {
  return readShell(command).words.flatMap((word) => literalText(word) ?? [])
}

/** How a pin names a file: relative to its workspace, so that it reads well and survives a move of the home folder. */
export function pinName(path: string, root: string): string {
  const name = isBelow(path, root) ? relative(root, path).split(sep).join('/') : path
  // No key of an object, and so nothing that the store could hold.
  return name === '__proto__' ? './__proto__' : name
}
