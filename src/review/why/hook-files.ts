import { accessSync, constants, readFileSync, statSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import { codeOf } from '../../model/errors.ts'
import type { Program } from '../../model/rule.ts'
import { shellFacts } from '../../facts/shell/shell-facts.ts'
import { isScriptName } from '../../files/script-language.ts'

/** A file that a hook's command names. */
interface HookFile {
  /** As written in the command. */
  readonly word: string
  /** Absolute. */
  readonly file: string
  /** True for the program to start, which must exist and be executable; false for an argument. */
  readonly isProgram: boolean
}

/** Values of a command's path variables, as known without running it. */
export interface HookFolders {
  readonly home: string
  /** `undefined` if it is known only when the hook runs. */
  readonly projectRoot: string | undefined
  readonly pluginRoot: string | undefined
}

/** Finds the files that a command names by a path: the programs it starts, and arguments that look like scripts. */
export function hookFiles(program: Program, folders: HookFolders): readonly HookFile[] {
  switch (program.form) {
    case 'script':
      return [{ word: program.file, file: program.file, isProgram: true }]
    case 'exec':
      return namedFiles(
        [program.file, ...program.args].map((word) => expandFolders(word, folders)),
        folders,
      )
    case 'shell':
      return commandsOf(expandFolders(program.command, folders), folders).flatMap((words) => namedFiles(words, folders))
  }
}

/** Lists the known words of every command that a text would run. */
function commandsOf(
  text: string,
  { home, projectRoot = '/' }: HookFolders,
): readonly (readonly (string | undefined)[])[] {
  const around = { cwd: projectRoot, home, workspaceRoots: [] }
  return shellFacts(text, around).commands.flatMap(({ written, args }) =>
    written === undefined
      ? []
      : [[written, ...args].map(({ value, unresolved }) => (unresolved === true ? undefined : value))],
  )
}

const withoutFolder = (word: string, { home, projectRoot = '', pluginRoot = '' }: HookFolders): string => {
  const folder = [projectRoot, pluginRoot, home].find((one) => one !== '' && word.startsWith(`${one}/`)) ?? ''
  return word.slice(folder.length)
}

function namedFiles(words: readonly (string | undefined)[], folders: HookFolders): readonly HookFile[] {
  const { projectRoot } = folders
  return words.flatMap((word, at) => {
    // A word with spaces is a text, unless only the folder that it begins with has them.
    if (word === undefined || /\s/.test(withoutFolder(word, folders))) return []
    const isProgram = at === 0 && word.includes('/')
    const isScript = at > 0 && isScriptName(word) && !word.startsWith('-')
    if (!isProgram && !isScript) return []
    if (isAbsolute(word)) return [{ word, file: word, isProgram }]
    return projectRoot === undefined ? [] : [{ word, file: resolve(projectRoot, word), isProgram }]
  })
}

function expandFolders(text: string, { home, projectRoot, pluginRoot }: HookFolders): string {
  return text
    .replace(/\$\{CLAUDE_PROJECT_DIR\}|\$CLAUDE_PROJECT_DIR\b/g, (whole) => projectRoot ?? whole)
    .replace(/\$\{CLAUDE_PLUGIN_ROOT\}|\$CLAUDE_PLUGIN_ROOT\b/g, (whole) => pluginRoot ?? whole)
    .replace(/\$\{HOME\}|\$HOME\b|(?<=^|\s)~(?=\/)/g, () => home)
}

/** Returns `hidden` if links form a cycle, or a folder may not be searched. */
export function presenceOf(file: string): 'absent' | 'hidden' | 'file' | 'executable' {
  try {
    if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return 'absent'
  } catch (cause) {
    return codeOf(cause) === 'ENOTDIR' ? 'absent' : 'hidden'
  }
  try {
    accessSync(file, constants.X_OK)
    return 'executable'
  } catch {
    return 'file'
  }
}

/** Maximum size of a script that is read, in bytes: scripts are small, and binaries cannot be checked. */
const scriptBytesMax = 256 * 1024

/** Reads a script; `undefined` if it is not text or cannot be read. */
export function scriptText(file: string): string | undefined {
  try {
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? Number.POSITIVE_INFINITY) > scriptBytesMax) return undefined
    const text = readFileSync(file, 'utf8')
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}
