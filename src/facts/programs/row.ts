import { type PlacedRead, prepareOptions, type PreparedOptions } from '../../words/options.ts'
import type {
  ShellCommand,
  ShellContainer,
  ShellFilter,
  ShellOutput,
  ShellSearch,
  ShellWord,
} from '../../model/shell.ts'
import type { ShellNetwork } from '../../model/shell-network.ts'
import type { TouchedHow } from '../paths/index.ts'
import type { EffectRecorder, Role } from './effects.ts'
import type { StartedIn, Starts, Unwrap } from './starts.ts'
import { known, names, withoutDashes } from './words.ts'

/** A program's command line, parsed with the options of its row. */
export type Line = PlacedRead & { readonly program: string }

/** The file system that a started command sees. */
export type View = Pick<StartedIn, 'binds' | 'cwd'>

/** Finds what a command puts out. */
export type OutputOf = (line: Line, command: CommandView) => ShellOutput | undefined

/** The part of a command that rows may read. */
export type CommandView = Pick<
  ShellCommand,
  | 'program'
  | 'written'
  | 'args'
  | 'assignments'
  | 'redirections'
  | 'cwd'
  | 'elsewhere'
  | 'view'
  | 'wrapper'
  | 'stdin'
  | 'writes'
>

/**
 * The knowledge of a program or subcommand: data where that is enough, otherwise functions of the command line. To add
 * a program, add a row to the table of its family.
 */
export interface Row {
  /**
   * The program's options, separated by blanks. `o output` take a value; `output=write` gives the value's `OptionRole`.
   * `i?` has a value only if it is joined to it, `0#` is a number, `arg:2` takes two values, `c!` ends the options, and
   * `+verbose` takes none. A letter right before a name that begins with it is the same option: `m message`.
   */
  readonly options?: string
  /** Long options cannot be abbreviated, as in most programs that do not use GNU getopt. */
  readonly wholeNames?: true
  /** Long options begin with one dash. */
  readonly oneDash?: true
  /** The first operand ends the options. Implied where `starts` is data without `dashes`. */
  readonly operandsLast?: true
  /** Converts arguments to a form that getopt can parse: `tar cf x y`. */
  readonly words?: (command: CommandView) => readonly ShellWord[]

  /** The role of the operands. */
  readonly operands?: Role
  /** The role of the first operand, if it differs: a pattern, an owner, a mode. */
  readonly first?: Role
  /** The role of the last operand, if there are at least two. */
  readonly last?: Role
  /** Returns what becomes of the paths that it writes or deletes, beyond their roles. */
  readonly how?: (line: Line, command: CommandView) => TouchedHow
  /** Returns what it looks for, or lists, by its words. */
  readonly search?: (line: Line, command: CommandView) => ShellSearch | undefined
  /** Options with which the first operand has no role of its own: `grep -e`. */
  readonly firstUnless?: string
  /** Operands are processed recursively: always, or with one of these options. */
  readonly recursive?: true | string
  /** The path it works on without operands. */
  readonly otherwise?: readonly [path: string, role: Role]
  /** `-h` requests help like `--help`, so nothing is touched. */
  readonly shortHelp?: true
  readonly network?: ShellNetwork | ((line: Line) => ShellNetwork | undefined)
  /** Tells whether a program that keeps or sends texts for others does so: a commit, a comment, a post. */
  readonly message?: (line: Line) => boolean
  /** Writes nothing to stdout of what it reads. */
  readonly silent?: true
  /** What it puts out. */
  readonly output?: RowOutput
  /** What it picks from what it reads, where its words tell. */
  readonly filter?: (line: Line) => ShellFilter | undefined
  /** Its words say where and as whom it logs in, and it shows neither: a client of a database. */
  readonly logsIn?: true
  /** What it writes is no text of the call: it copies, moves or touches files, or a repository has them. */
  readonly copies?: true
  /** Nothing that it reads is shown as it is: it encrypts it, decrypts it, or logs in with it. */
  readonly sealed?: true
  /** Options with which a request also prints what it sends, headers and all: `curl -v`. */
  readonly echoes?: When
  /** Options with which stdin lists the files that it works on: `zip -@`. An option that names the list has the role `list`. */
  readonly listed?: When
  /** Runs what it reads on stdin, in a language that hookgate does not read, or later. */
  readonly runsStdin?: true | ((line: Line) => boolean)
  /**
   * Matches its words, each behind a blank, with which it carries out what is typed into it, beside the code that it runs
   * from its stdin: the client of a store, a terminal in a terminal, a container with one.
   */
  readonly typed?: RegExp
  /** Reads no stdin. */
  readonly ignoresStdin?: true
  /** It works on files, texts and the network, and starts nothing but what this row says. */
  readonly saysWhatStarts?: true
  /** Runs code or settings of the folder that it works on, as `make`, `npm test` and `eslint` do. */
  readonly obeysFolder?: true
  /** The kind of code that it takes on stdin: of a shell, of a language, or in settings and build files (`make -f -`). */
  readonly codeOnStdin?: 'shell' | 'language' | 'settings'
  /**
   * Whatever its words are, it starts no program, and changes neither a variable nor which program a name means: a
   * hook that consists of such commands can be trusted without a look at its files.
   */
  readonly startsNothing?: true
  /** It does what files tell it, or a text on stdin: a patch, a recipe, a playbook, settings. */
  readonly obeys?: Obeys
  /** Its output names what it reads: always, or with one of these options. Names that it reads without the content always count. */
  readonly namesRead?: true | string
  /** Its output has names without their folder. */
  readonly bareNames?: true
  /** Returns the folder that its subcommands' paths are relative to, if an option changes it: `git -C`. */
  readonly inside?: (line: Line) => ShellWord | undefined
  /** Records the effects that do not follow from single options or operands. */
  readonly effects?: (line: Line, recorder: EffectRecorder, command: CommandView) => void

  /** Describes the command in its last words that it starts, or is a function that finds what it starts. */
  readonly starts?: CommandBehind | ((line: Line, starts: Starts, command: ShellCommand) => void)
  /** What it starts has a connection of its for input and output: `nc -e`. */
  readonly connects?: true
  /** Its arguments and stdin may call a shell, in a language without a scanner: `!ls`, `(shell-command "ls")`. */
  readonly escapes?: true
  /** Options with which it starts nothing, besides `--help` and `--version`. */
  readonly idle?: string
  /** Environment variables whose values it runs as scripts. */
  readonly variables?: string
  /** Rows of its subcommands by their names, separated by commas: `exec, container exec`. `*` are all others. */
  readonly subcommands?: Rows
}

/** Options with which something holds of a command, separated by blanks, or how its words tell. */
type When = string | ((line: Line) => boolean)

/** Tells whether what a row says of some options holds of a command line. */
export const holdsOf = (when: When | undefined, line: Line): boolean =>
  typeof when === 'function' ? when(line) : when !== undefined && line.has(...names(when))

/** Tells whether a file or stdin lists the files that a command works on. */
export const isListed = ({ row, startRoles: roles }: PreparedRow, line: Line): boolean =>
  holdsOf(row.listed, line) || (roles.size > 0 && line.given.some(({ name }) => roles.get(name) === 'list'))

/** When a program does what a file or a text tells it, beside files that it runs as code. */
export interface Obeys {
  /** Matches the words with which it does, with blanks between them. Default: whatever they are. */
  readonly when?: RegExp
  /** Options with which it only looks, besides `--dry-run`, `--check` and `--help`. */
  readonly looks?: string
  /** Matches the names of files that it reads without being told. */
  readonly files?: RegExp
  /** Tells by the words whether it obeys a text on stdin. Default: it does not. */
  readonly stdin?: (words: readonly string[]) => boolean
}

/** The position and treatment of the command in a program's command line. */
export interface CommandBehind {
  /** The number of the program's own operands before the command, such as the duration of `timeout`. Default: 0. */
  readonly own?: number
  /** The command follows a `--`; without one, there is no command. */
  readonly dashes?: true
  /** Assignments `NAME=value` may precede the command. */
  readonly assignments?: true
  /** The words are joined to a shell script: always, or unless one of these options is given. */
  readonly joined?: true | string
  /** The user that the command runs as, if no option names one. */
  readonly user?: string
  /** The command runs on another machine or in a container. */
  readonly elsewhere?: true
  /** It runs in a container, which is `elsewhere`. */
  readonly container?: (line: Line) => ShellContainer
  /** It runs outside of the container that the program itself is in. */
  readonly leaves?: true
  /** The command's working directory is unknown, and not the caller's. */
  readonly strayed?: true
  /** Finds the folders of this machine that the command has under other names, and the one that it starts in. */
  readonly view?: (line: Line, command: CommandView) => View
  /** The program does more than start the command, so it is no mere wrapper. */
  readonly doesMore?: true
}

/** Rows by program name. A key may hold several names, separated by spaces. */
export type Rows = Readonly<Record<string, Row>>

/** The meaning of an option's value: a path and its use, or a property of the started command. */
type OptionRole =
  | Role
  /** What a request sends along, and what it logs in with: beside a file that is a `key`. */
  | 'data'
  | 'login'
  /** A text that a shell runs. */
  | 'script'
  /** A program and its arguments in one text. */
  | 'words'
  /** The folder, or the user, that the started command runs in or as. */
  | 'folder'
  | 'user'

/** What a program's stdout has of what it is given: always, or as a command line says. */
type RowOutput = ShellOutput | OutputOf

/** A row in its prepared form, with its lists parsed. */
export interface PreparedRow {
  readonly row: Row
  readonly options: PreparedOptions
  /** The options before the subcommand: the first operand ends them. Used by `subcommandIn`. */
  readonly ownOptions: PreparedOptions
  readonly paths: ReadonlyMap<string, Role>
  readonly startRoles: ReadonlyMap<string, OptionRole>
  /** What the values of options are for, in a request. */
  readonly uses: ReadonlyMap<string, 'data' | 'login'>
  readonly recursiveOptions: readonly string[]
  readonly namesReadOptions: readonly string[]
  readonly firstUnlessOptions: readonly string[]
  readonly idleOptions: readonly string[]
  /** Letters, each with the long name of the same option: `m message`. */
  readonly twins: readonly string[]
  readonly variables: readonly string[]
  readonly subcommands: ReadonlyMap<string, PreparedRow>
  /** Set if it is known of the program, or of a subcommand, what that puts out. */
  readonly hasOutput: boolean
  /** Finds what the program starts; absent if it starts nothing. */
  readonly unwrap?: Unwrap
}

const startRoles: ReadonlySet<string> = new Set(['script', 'words', 'list', 'folder', 'user'])

/** @param unwrapOf makes the function that finds the commands that a program starts */
export function prepareRow(row: Row, unwrapOf: (program: PreparedRow) => Unwrap | undefined): PreparedRow {
  const roles = [...rolesOf(row.options ?? '')]
  const subcommands = new Map(
    Object.entries(row.subcommands ?? {}).flatMap(([keys, sub]) => {
      const ready = prepareRow(sub, unwrapOf)
      return keys.split(', ').map((name) => [name, ready] as const)
    }),
  )
  const program: PreparedRow = {
    row,
    options: optionsOf(row),
    ownOptions: optionsOf({ ...row, operandsLast: true }),
    paths: new Map(roles.flatMap(([name, role]) => (isPathRole(role) ? [[name, role] as const] : []))),
    startRoles: new Map(roles.filter(([, role]) => startRoles.has(role))),
    uses: new Map(roles.flatMap(([name, role]) => useOf(role).map((use) => [name, use] as const))),
    recursiveOptions: names(typeof row.recursive === 'string' ? row.recursive : ''),
    namesReadOptions: names(typeof row.namesRead === 'string' ? row.namesRead : ''),
    firstUnlessOptions: names(row.firstUnless ?? ''),
    idleOptions: names(row.idle ?? ''),
    twins: twinsIn(names(row.options ?? '')),
    variables: names(row.variables ?? ''),
    subcommands,
    hasOutput: row.output !== undefined || [...subcommands.values()].some((sub) => sub.hasOutput),
  }
  const unwrap = unwrapOf(program)
  return unwrap === undefined ? program : { ...program, unwrap }
}

const isPathRole = (role: OptionRole): role is Role =>
  (role === 'list' || !startRoles.has(role)) && role !== 'data' && role !== 'login'

const useOf = (role: OptionRole): readonly ('data' | 'login')[] =>
  role === 'data' || role === 'login' ? [role] : role === 'key' ? ['login'] : []

function* rolesOf(options: string): Generator<readonly [string, OptionRole]> {
  for (const token of names(options)) {
    const equals = token.indexOf('=')
    if (equals !== -1 && !token.startsWith('+')) yield [nameOf(token), roleNamed(token.slice(equals + 1))]
  }
}

const allRoles: readonly OptionRole[] = [
  'none',
  'read',
  'list',
  'key',
  'variables',
  'data',
  'login',
  'names',
  'write',
  'bind',
  'append',
  'edit',
  'into',
  'delete',
  'move',
  'mode',
  'execute',
  'script',
  'words',
  'folder',
  'user',
]

function roleNamed(name: string): OptionRole {
  const role = allRoles.find((one) => one === name)
  if (role === undefined) throw new Error(`a row's option has a role that there is not: \`${name}\``)
  return role
}

/** Splits an option's token into name and mark, without its role: `arg:2`, `i?`, `0#`, `c!=execute`. */
function parseToken(token: string): { readonly name: string; readonly mark: string } {
  if (token.startsWith('+')) return { name: token.slice(1), mark: '+' }
  const written = token.replace(/=.*/, '')
  const mark = /(?:[?#!]|:2)$/.exec(written)?.[0] ?? ''
  return { name: written.slice(0, written.length - mark.length), mark }
}

/** Returns each letter that stands before a name that begins with it and is used alike, with that name. */
const twinsIn = (tokens: readonly string[]): readonly string[] =>
  tokens.flatMap((token, at) => {
    const next = tokens[at + 1] ?? ''
    const [letter, long] = [nameOf(token), nameOf(next)]
    const isShort = letter.length === 1 && long.length > 1 && long.startsWith(letter.toLowerCase())
    const isTwin = isShort && token.replace(letter, '') === next.replace(long, '')
    return isTwin ? [`${letter} ${long}`] : []
  })

const nameOf = (token: string): string => parseToken(token).name

const takesNext: ReadonlySet<string> = new Set(['', ':2', '!'])

/** A row's options by name: those that take the next word as their value, and those that take none. */
interface OptionNames {
  readonly valued: readonly string[]
  readonly flags: readonly string[]
  readonly oneDash: boolean
}

export function optionNames(row: Row): OptionNames {
  const tokens = names(row.options ?? '').map(parseToken)
  const namesOf = (isValued: boolean) =>
    tokens.flatMap(({ name, mark }) => (takesNext.has(mark) === isValued ? [name] : []))
  return { valued: namesOf(true), flags: namesOf(false), oneDash: row.oneDash === true }
}

/** Prepares a row's options for parsing a command line. */
export function optionsOf(row: Row): PreparedOptions {
  const tokens = names(row.options ?? '').map(parseToken)
  const marked = (wanted: string) => tokens.filter(({ mark }) => mark === wanted).map(({ name }) => name)
  return prepareOptions({
    valued: marked(''),
    flags: marked('+'),
    joined: marked('?'),
    numbered: marked('#'),
    paired: marked(':2'),
    final: marked('!'),
    abbreviations: row.wholeNames !== true,
    operandsLast: row.operandsLast === true || (typeof row.starts === 'object' && row.starts.dashes !== true),
    oneDash: row.oneDash === true,
  })
}

/** Makes a row's output: `decoded` or `unpacked` with one of these options, and `otherwise` without. */
export const turnedBack =
  (form: 'decoded' | 'unpacked', options: string, otherwise?: 'form' | 'parts'): RowOutput =>
  (line) =>
    line.has(...options.split(' ')) ? form : otherwise

/** Makes the output of a program that prints what a shell needs, and nothing else, when its words begin like this. */
export const setup =
  (words: RegExp): RowOutput =>
  (_, { args }) =>
    args.every((word) => word.unresolved !== true && word.several !== true) &&
    words.test(args.map(({ value }) => value).join(' '))
      ? 'setup'
      : undefined

/** Makes the row of a program that runs a script on another machine, given as an option's value or after `--`. */
export function sshOption(valued: string, script: string, more: Partial<CommandBehind> = {}): Row {
  return {
    options: names(script).reduce((options, name) => `${options} ${name}=script`, valued),
    starts: { dashes: true, joined: true, elsewhere: true, doesMore: true, ...more },
  }
}

/**
 * Makes the row of a program or a subcommand that has another program inside, and hands it words.
 *
 * @param behind the names of the subcommand, behind which all words are the other program's, or a function that finds these
 */
export const handsOver = (
  program: string,
  behind: string | ((words: readonly ShellWord[]) => readonly ShellWord[]),
): Row => ({
  operandsLast: true,
  operands: 'none',
  starts(_, starts, { args }) {
    const words =
      typeof behind === 'string'
        ? args.slice(args.findIndex(({ value }) => names(behind).includes(value)) + 1)
        : behind(args)
    const own = withoutDashes(words)
    if (own.length > 0) starts.words([known(program), ...own])
  },
})

/** Makes the row of all verbs of a program: the options behind them, of which none names a file that is touched. */
export function verbs(options: string): Row {
  return { options, wholeNames: true }
}
