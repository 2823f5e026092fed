import { basename, resolve } from 'node:path'
import type { Disk } from '../../model/disk.ts'
import { limits } from '../../model/limits.ts'
import type { Program } from '../../model/rule.ts'
import { commandsIn, type PlainCommand, runsNothing, withInner } from './command-words.ts'

/**
 * Every path that a command may name, absolute, whether or not something is there: of `--config=…`, `a:b` and
 * `node -e "…"` the pieces too, and from every folder that a `cd` may lead to.
 *
 * @param root of the workspace, where its hooks run
 * @returns `undefined` where only running it would tell, and a file that is not pinned may change without a word: behind
 * `tools/*.sh` and `$script` there may be any, and `make` runs what no word names
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
  // The text as it stands counts as well: in single quotes, `$PWD` is the name of a file.
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

/** Stand for folders while a command is taken apart, since a path may hold what a shell would act on. */
const projectMark = '\ue000'
const homeMark = '\ue001'

/** A hook of a workspace runs at its root; after a `cd`, `$PWD` is where that went, as is `.`. */
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
  // What is left of these names gives them another value; `~+` and `~-` are variables too, and `~name` is another's home.
  if (/\b(?:CLAUDE_PROJECT_DIR|HOME|PWD)\b/.test(text)) return undefined
  const commands = commandsIn(text)
  return commands?.some(({ words }) => words.some((word) => /^~[^/]/.test(word))) === true ? undefined : commands
}

function piecesOf(texts: readonly string[], unmarked: (word: string) => string): readonly string[] {
  const pieces = texts.flatMap((text) => text.split(/[\s'"`=:,;|&<>(){}[\]]+/))
  return [...new Set([...texts, ...pieces].filter((word) => word !== '' && !word.includes('\0')).map(unmarked))]
}

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

/** Programs that run what a file says which no word names: a Makefile, a package.json. */
const byConvention: ReadonlySet<string> = new Set(
  'make gmake just task rake invoke inv doit nox gulp grunt composer npm pnpm yarn bun bunx'.split(' '),
)

/** Programs that find a file by a name that is not whole: `node tools` is `tools/index.js`, `python3 -m guard` guard.py. */
const byPartOfName = /^(?:node(?:js)?|tsx|ts-node|deno|(?:python|pypy|py)[\d.]*|ruby[\d.]*)$/
const endings = ['.js', '.json', '.node', '.mjs', '.cjs', '.ts', '.mts', '.cts', '.tsx', '.jsx', '.py', '.rb']

/** Whether a command runs a file that none of its words names. */
function runsUnnamed(words: readonly string[], folders: readonly string[], disk: Disk): boolean {
  const programs = words.map((word) => basename(word))
  if (programs.some((name) => byConvention.has(name))) return true
  if (!programs.some((name) => byPartOfName.test(name))) return false
  const names = words.flatMap((word) => (word.startsWith('-') ? [] : [word, word.replaceAll('.', '/')]))
  return folders.some((folder) =>
    names.some((name) => {
      const path = resolve(folder, name)
      const seen = disk.see(path)
      // `.` is a folder; what is left of it as a module's name is the root of the disk.
      if (seen === 'folder') return path !== '/'
      return seen === 'absent' && endings.some((ending) => disk.see(path + ending) === 'file')
    }),
  )
}
