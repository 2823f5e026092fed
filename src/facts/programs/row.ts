import { type OptionsRead, prepareOptions, type PreparedOptions } from '../../model/options.ts'
import type { ShellCommand, ShellNetwork, ShellWord } from '../../model/shell.ts'
import type { EffectRecorder, Role } from './effects.ts'
import type { Starts, Unwrap } from './starts.ts'
import { names } from './words.ts'

/** A program's command line, read by its row. */
export type Line = OptionsRead & { readonly program: string }

/** The part of a command that rows look at. */
export type CommandView = Pick<
  ShellCommand,
  'program' | 'written' | 'args' | 'assignments' | 'redirections' | 'cwd' | 'elsewhere' | 'wrapper' | 'stdin'
>

/**
 * All that is known of a program, or of one of its subcommands: data where that is enough, functions of the command line
 * where it is not. To add a program is to add a row to the table of its family.
 */
export interface Row {
  /**
   * Its options, in words. `o output` take a value; `output=write` says what is done with it, by an `OptionRole`. `i?` has a
   * value only where it is joined, `0#` a number, `arg:2` two values; `c!` ends the options; `+verbose` has none.
   */
  readonly options?: string
  /** Long options cannot be cut short, as in most programs that do not use GNU's getopt. */
  readonly wholeNames?: true
  /** Long options have one dash. */
  readonly oneDash?: true
  /** The first operand ends the options. Always so where the row has `starts` as data. */
  readonly operandsLast?: true
  /** Makes words that getopt can read of those that it cannot: `tar cf x y`. */
  readonly words?: (command: CommandView) => readonly ShellWord[]

  /** What is done with every operand. */
  readonly operands?: Role
  /** The first operand, where it is another: a pattern, an owner, a mode. */
  readonly first?: Role
  /** The last one, where there are two or more of them. */
  readonly last?: Role
  /** The first operand is none of its kind where one of these options is given: `grep -e`. */
  readonly firstUnless?: string
  /** Operands are taken with all that is below them: always, or where one of these options is given. */
  readonly recursive?: true | string
  /** Where it works where no operand is given. */
  readonly otherwise?: readonly [path: string, role: Role]
  /** `-h` is a request for help, too: nothing is touched. */
  readonly shortHelp?: true
  readonly network?: ShellNetwork | ((line: Line) => ShellNetwork | undefined)
  /** Writes nothing of what it reads to stdout. */
  readonly silent?: true
  /** Reads no stdin. */
  readonly ignoresStdin?: true
  /** The folder that the paths of its subcommands are in, where an option changes it: `git -C`. */
  readonly inside?: (line: Line) => ShellWord | undefined
  /** All effects that are not a matter of one option or operand. */
  readonly effects?: (line: Line, recorder: EffectRecorder, command: CommandView) => void

  /** The command that it starts in its last words, or a function that finds what it starts. */
  readonly starts?: CommandBehind | ((line: Line, starts: Starts, command: ShellCommand) => void)
  /** Options under which it starts nothing, besides `--help` and `--version`. */
  readonly idle?: string
  /** Variables of its environment whose values are scripts. */
  readonly variables?: string
  /** Rows of its subcommands by their names, with commas between: `exec, container exec`. */
  readonly subcommands?: Rows
}

/** Where a program's command line holds the command that it starts. */
export interface CommandBehind {
  /** How many operands of its own stand in front of the command: the duration of `timeout`. Default: 0. */
  readonly own?: number
  /** The command stands behind a `--`, or there is none. */
  readonly dashes?: true
  /** `NAME=value` may stand in front of the command. */
  readonly assignments?: true
  /** The words are made one text for a shell: always, or unless one of these options is given. */
  readonly joined?: true | string
  /** Who it becomes without an option that says so. */
  readonly user?: string
  /** On another machine or in a container. */
  readonly elsewhere?: true
  /** The working directory is not the caller's. */
  readonly strayed?: true
  /** It does more than to start the command. */
  readonly doesMore?: true
}

/** Rows by the names of their programs, several of which may stand in one key with spaces between. */
export type Rows = Readonly<Record<string, Row>>

/** What an option's value is: a path that something is done with, or something about what is started. */
export type OptionRole =
  | Role
  /** Text that a shell runs. */
  | 'script'
  /** A program and its arguments in one text. */
  | 'words'
  /** Where what is started runs, and as whom. */
  | 'folder'
  | 'user'

/** A row that is ready to be used. */
export interface Program {
  readonly row: Row
  readonly options: PreparedOptions
  /** For `subcommandIn`: the words up to the subcommand alone. */
  readonly ownOptions: PreparedOptions
  readonly paths: ReadonlyMap<string, Role>
  readonly startRoles: ReadonlyMap<string, OptionRole>
  readonly recursiveOptions: readonly string[]
  readonly firstUnlessOptions: readonly string[]
  readonly idleOptions: readonly string[]
  readonly variables: readonly string[]
  readonly subcommands: ReadonlyMap<string, Program>
  /** Absent where it starts nothing. */
  readonly unwrap?: Unwrap
}

const startRoles: ReadonlySet<string> = new Set(['script', 'words', 'folder', 'user'])

/** @param unwrapOf makes what finds the commands that a program starts */
export function prepareRow(row: Row, unwrapOf: (program: Program) => Unwrap | undefined): Program {
  const roles = [...rolesOf(row.options ?? '')]
  const program: Program = {
    row,
    options: optionsOf(row),
    ownOptions: optionsOf({ ...row, operandsLast: true }),
    paths: new Map(roles.flatMap(([name, role]) => (isStartRole(role) ? [] : [[name, role] as const]))),
    startRoles: new Map(roles.filter(([, role]) => startRoles.has(role))),
    recursiveOptions: names(typeof row.recursive === 'string' ? row.recursive : ''),
    firstUnlessOptions: names(row.firstUnless ?? ''),
    idleOptions: names(row.idle ?? ''),
    variables: names(row.variables ?? ''),
    subcommands: new Map(
      Object.entries(row.subcommands ?? {}).flatMap(([keys, sub]) => {
        const ready = prepareRow(sub, unwrapOf)
        return keys.split(', ').map((name) => [name, ready] as const)
      }),
    ),
  }
  const unwrap = unwrapOf(program)
  return unwrap === undefined ? program : { ...program, unwrap }
}

const isStartRole = (role: OptionRole): role is 'script' | 'words' | 'folder' | 'user' => startRoles.has(role)

function* rolesOf(options: string): Generator<readonly [string, OptionRole]> {
  for (const token of names(options)) {
    const equals = token.indexOf('=')
    if (equals !== -1 && !token.startsWith('+')) yield [nameOf(token), roleNamed(token.slice(equals + 1))]
  }
}

const allRoles: readonly OptionRole[] = [
  'none',
  'read',
  'names',
  'write',
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

/** A token's name and mark, without its role: `arg:2`, `i?`, `0#`, `c!=execute`. */
function parseToken(token: string): { readonly name: string; readonly mark: string } {
  if (token.startsWith('+')) return { name: token.slice(1), mark: '+' }
  const written = token.replace(/=.*$/, '')
  const mark = /(?:[?#!]|:2)$/.exec(written)?.[0] ?? ''
  return { name: written.slice(0, written.length - mark.length), mark }
}

const nameOf = (token: string): string => parseToken(token).name

/** Makes a row's options ready to read a command line with. */
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
