import { basename, resolve } from 'node:path'
import type { Disk } from '../../model/disk.ts'
import { limits } from '../../model/limits.ts'
import type { Program } from '../../model/rule.ts'
import { commandsIn, type PlainCommand, runsNothing, withInner } from './command-words.ts'

/**
 * Returns every absolute path that a command may name, whether or not a file exists there.
 *
 * The pieces of `--config=…`, `a:b` and `node -e "…"` count too, relative to every folder that a `cd` may lead to.
 *
 * @param root of the workspace, where its hooks run
 *
 * @returns `undefined` if only running the command would tell, since an unpinned file could then change unnoticed:
 * `tools/*.sh` and `$script` may name any file, and `make` runs commands that no word names
 */
export function namedPaths(
  program: Exclude<Program, { form: 'script' }>,
  { root, home, disk }: { readonly root: string; readonly home: string; readonly disk: Disk },
): readonly string[] | undefined {
  const texts = program.form === 'exec' ? [program.file, ...program.args] : [program.command]
  if (texts.some((text) => text.includes(projectMark) || text.includes(homeMark))) return undefined
  const marked = texts.map(withMarks)
  const commands = program.form === 'exec' ? execCommands(marked) : shellCommands(marked.join())
  if (commands === undefined) return undefined
  const unmarked = (word: string) =>
    word
      .replace(/^~(?=\/|$)/, homeMark)
      .replaceAll(projectMark, root)
      .replaceAll(homeMark, home)
  // The raw text counts too: in single quotes, `$PWD` is the name of a file.
  const words = piecesOf([...texts, ...marked, ...commands.flatMap((command) => command.words)], unmarked)
  const folders = foldersOf(words, root, home, disk)
  if (folders === undefined) return undefined
  const run = commands.filter((command) => !runsNothing(command) && command.words[0] !== 'cd')
  const runWords = piecesOf(
    run.flatMap((command) => command.words),
    unmarked,
  )
  if (runsUnnamed(runWords, folders, disk)) return undefined
  return folders.flatMap((folder) => words.map((word) => resolve(folder, word)))
}

/** Placeholders for folders while a command is split, since a path may hold characters that are special to a shell. */
const projectMark = '\ue000'
const homeMark = '\ue001'

/**
 * Replaces the variables for folders. A workspace's hook runs at its root; after a `cd`, `$PWD` means the same as `.`.
 */
function withMarks(text: string): string {
  return text
    .replaceAll(/\$(?:\{CLAUDE_PROJECT_DIR\}|CLAUDE_PROJECT_DIR\b)/g, projectMark)
    .replaceAll(/\$(?:\{HOME\}|HOME\b)/g, homeMark)
    .replaceAll(/\$(?:\{PWD\}|PWD\b)/g, '.')
}

function execCommands(words: readonly string[]): readonly PlainCommand[] | undefined {
  const command = { words, isLiteral: true }
  return runsNothing(command) ? [command] : withInner([command], undefined, 0)
}

function shellCommands(text: string): readonly PlainCommand[] | undefined {
  // Any other use of these names may assign them; `~+` and `~-` are variables too, and `~name` is another user's home.
  if (/\b(?:CLAUDE_PROJECT_DIR|HOME|PWD)\b/.test(text)) return undefined
  const commands = commandsIn(text)
  return commands?.some(({ words }) => words.some((word) => /^~[^/]/.test(word))) === true ? undefined : commands
}

function piecesOf(texts: readonly string[], unmarked: (word: string) => string): readonly string[] {
  const pieces = texts.flatMap((text) => text.split(/[\s'"`=:,;|&<>(){}[\]]+/))
  return [...new Set([...texts, ...pieces].filter((word) => word !== '' && !word.includes('\0')).map(unmarked))]
}

/**
 * Returns the folders that a command's words may be relative to.
 *
 * In `cd tools && cd old && ./guard.sh` that is any named folder, relative to any other. `undefined` if there are too
 * many to search.
 */
function foldersOf(words: readonly string[], root: string, home: string, disk: Disk): readonly string[] | undefined {
  const folders = new Set([root])
  // `cd` without an argument goes to the home folder.
  if (words.includes('cd')) folders.add(home)
  // Iterating a set also visits the members added on the way.
  for (const folder of folders) {
    if (words.length * folders.size > limits.pinnedWordsMax) return undefined
    for (const word of words) {
      const path = resolve(folder, word)
      if (!folders.has(path) && disk.see(path) === 'folder') folders.add(path)
    }
  }
  return [...folders]
}

/** Programs that run commands from a file that no word names: a Makefile, a package.json. */
const byConvention: ReadonlySet<string> = new Set(
  'make gmake just task rake invoke inv doit nox gulp grunt composer npm pnpm yarn bun bunx'.split(' '),
)

/** Programs that complete the name of a file: `node tools` runs `tools/index.js`, `python3 -m guard` runs guard.py. */
const byPartOfName = /^(?:node(?:js)?|tsx|ts-node|deno|(?:python|pypy|py)[\d.]*|ruby[\d.]*)$/
const endings = ['.js', '.json', '.node', '.mjs', '.cjs', '.ts', '.mts', '.cts', '.tsx', '.jsx', '.py', '.rb']

/** Returns whether a command runs a file that none of its words names. */
function runsUnnamed(words: readonly string[], folders: readonly string[], disk: Disk): boolean {
  const programs = words.map((word) => basename(word))
  if (programs.some((name) => byConvention.has(name))) return true
  if (!programs.some((name) => byPartOfName.test(name))) return false
  const names = words.flatMap((word) => (word.startsWith('-') ? [] : [word, word.replaceAll('.', '/')]))
  return folders.some((folder) =>
    names.some((name) => {
      const path = resolve(folder, name)
      const seen = disk.see(path)
      // `.` is a folder; with dots replaced, as in a module's name, it becomes the disk's root.
      if (seen === 'folder') return path !== '/'
      return seen === 'absent' && endings.some((ending) => disk.see(path + ending) === 'file')
    }),
  )
}
