import { basename, relative, resolve, sep } from 'node:path'
import type { Program, Rule } from '../../model/rule.ts'
import { isReallyBelow } from '../../files/real-path.ts'
import type { Disk } from '../../model/disk.ts'
import { isBelow } from '../../words/machine-paths.ts'
import { repositoryAbove } from '../find/discover.ts'
import { isPlain, startsNothing, textFormOf } from '../../facts/programs/table.ts'
import { shellFacts } from '../../facts/shell/shell-facts.ts'
import { limits } from '../../model/limits.ts'
import type { ShellCommand, ShellSurroundings, ShellWord } from '../../model/shell.ts'
import { shellWord } from '../../model/text.ts'
import { mayExpandBraces } from '../match/shell-condition.ts'

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
function namedPaths(
  program: Exclude<Program, { form: 'script' }>,
  { root, home, disk }: { readonly root: string; readonly home: string; readonly disk: Disk },
): readonly string[] | undefined {
  const text = program.form === 'exec' ? execText(program, root, home) : program.command
  const env = { CLAUDE_PROJECT_DIR: root }
  const commands = commandsIn(text, { cwd: root, home, workspaceRoots: [root], env })
  if (commands === undefined) return undefined
  // The raw text counts too: `dash` reads some words as other names than `bash` does.
  const words = piecesOf([text, ...commands.flatMap((command) => command.words)], root, home)
  const folders = foldersOf(words, root, home, disk)
  if (folders === undefined) return undefined
  const run = commands.flatMap((command) => (command.isIdle || command.words[0] === 'cd' ? [] : command.words))
  if (runsUnnamed(piecesOf(run, root, home), folders, disk)) return undefined
  return folders.flatMap((folder) => words.map((word) => resolve(folder, word)))
}

/** Writes the words of a command that no shell reads as a shell's text, with the variables that hookgate replaces. */
function execText({ file, args }: Extract<Program, { form: 'exec' }>, root: string, home: string): string {
  const filled = (word: string) =>
    word
      .replaceAll(/\$(?:\{CLAUDE_PROJECT_DIR\}|CLAUDE_PROJECT_DIR\b|\{PWD\}|PWD\b)/g, () => root)
      .replaceAll(/\$(?:\{HOME\}|HOME\b)/g, () => home)
  return [file, ...args].map((word) => shellWord(filled(word))).join(' ')
}

/** A command that a hook would run. */
interface NamingCommand {
  readonly words: readonly string[]
  /** It starts no program, whatever its words are, so no file of the workspace is executed. */
  readonly isIdle: boolean
}

/**
 * Returns the commands that a shell text would run, however they are wrapped.
 *
 * @returns `undefined` if a command that starts programs has a word that is not known
 */
function commandsIn(text: string, around: ShellSurroundings, depth = 0): readonly NamingCommand[] | undefined {
  if (depth > conditionNestingMax || isReadDifferently(text)) return undefined
  const { commands, uncertain } = shellFacts(text, around)
  if (uncertain.length > 0) return undefined
  const found: NamingCommand[] = []
  for (const command of commands) {
    const words = wordsOf(command)
    const isIdle = startsNoProgram(command)
    found.push({ words: words.map(({ value }) => value), isIdle })
    if (isIdle) continue
    if (command.uncertain.length > 0 || words.some(isUnknown)) return undefined
    for (const word of innerTexts(command)) {
      const inner = commandsIn(word, around, depth + 1)
      if (inner === undefined) return undefined
      found.push(...inner)
    }
  }
  return found
}
/** Nesting depth of `$( )`, backticks and `bash -c '…'`. Deeper commands are assumed to match every `if`. */
const conditionNestingMax = 16

/** Returns whether shells disagree on a text: on braces, on `$'…'`, and on `~+` and `~user`. */
const isReadDifferently = (text: string): boolean =>
  mayExpandBraces(
    // What nothing closes takes the rest, of which only `'…'` is left out.
    text.replaceAll(/'[^']*'|"(?:[^"\\]|\\[^])*"|\$\{[^}]*\}|((?:"|\$\{)[^]*)/g, (_, rest: string | undefined = '') =>
      rest.replaceAll(/'[^']*'/g, ''),
    ),
  ) || /\$['"]|(?:^|[\s=:])~[^/\s]/.test(text)

/** Returns all words of a command: also those of its assignments and redirections. */
function wordsOf({ written, args, assignments, redirections }: ShellCommand): readonly ShellWord[] {
  const assigned = assignments.map(({ name, value }) => ({ ...value, value: `${name}=${value.value}` }))
  return [
    ...assigned,
    ...(written === undefined ? [] : [written]),
    ...args,
    ...redirections.flatMap((one) => one.target ?? []),
  ]
}

const isUnknown = ({ unresolved, pattern, several }: ShellWord): boolean =>
  unresolved === true || pattern !== undefined || several === true

/** An assignment to a script's own variable: variables that programs obey (`PATH`, `BASH_ENV`) are upper-case. */
const ownVariable = /^[a-z_][a-z0-9_]*$/

/** Returns whether a command starts no program whatever its words are: `x=$(cat)`, `[[ $x == *secret* ]]`. */
function startsNoProgram({ program, written, args, assignments }: ShellCommand): boolean {
  if (!assignments.every(({ name }) => ownVariable.test(name))) return false
  if (written === undefined) return true
  // `printf -v PATH` sets a variable, and so may a word that is not known.
  const [first] = args
  if (textFormOf(program) === 'format' && (first === undefined || isUnknown(first) || first.value.startsWith('-')))
    return false
  return written.value === program && startsNothing(program)
}

/** Returns the words that a program may run as shell text, where facts do not follow what the program starts. */
function innerTexts({ program, wrapper, code, args }: ShellCommand): readonly string[] {
  if (wrapper === true || code !== undefined || isPlain(program)) return []
  return args.map(({ value }) => value).filter((word) => /[$`*?[{\\'"]/.test(word))
}

/** Placeholders for folders while a word is split, since their paths may hold characters at which it is. */
const rootMark = '\ue000'
const homeMark = '\ue001'

/** Returns words and their pieces. */
function piecesOf(words: readonly string[], root: string, home: string): readonly string[] {
  const pieces = words.flatMap((word) =>
    word
      .replaceAll(root, rootMark)
      .replaceAll(home, homeMark)
      .split(/[\s'"`=:,;|&<>(){}[\]]+/)
      .map((piece) => piece.replaceAll(rootMark, root).replaceAll(homeMark, home)),
  )
  return [...new Set([...words, ...pieces].filter((word) => word !== '' && !word.includes('\0')))]
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
