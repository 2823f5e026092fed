import type { ShellCommand, ShellNetwork, ShellWord } from '../../model/shell.ts'
import type { Doing } from './doing.ts'
import type { Role } from './role.ts'
import { type Line, type Options, optionsOf } from './line.ts'

/** What is known of a program: data where that is enough, a function of the command line where it is not. */
export interface Row {
  /**
   * Options that take a value, in words: `o` or `output` for one that is no path, `output=write` for one that is,
   * `i?` where the value is there only if it is joined, `+verbose` for a long option without one.
   */
  readonly options?: string
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
  /** Long options have one dash. */
  readonly oneDash?: true
  /** The first operand ends the options. */
  readonly operandsLast?: true
  /** `-h` is a request for help, too. */
  readonly shortHelp?: true
  readonly network?: ShellNetwork | ((line: Line) => ShellNetwork | undefined)
  /** Writes nothing of what it reads to stdout. */
  readonly silent?: true
  /** Reads no stdin. */
  readonly deaf?: true
  /** Makes words that getopt can read of those that it cannot: `tar cf x y`. */
  readonly words?: (command: Described) => readonly ShellWord[]
  /** All that is not a matter of one option or operand. */
  readonly also?: (line: Line, doing: Doing, command: Described) => void
}

/** What of a command matters here. */
export type Described = Pick<
  ShellCommand,
  'program' | 'written' | 'args' | 'assignments' | 'redirections' | 'cwd' | 'elsewhere' | 'wrapper' | 'stdin'
>

/** A row whose options have been made ready to be looked up. */
export interface ReadyRow extends Omit<Row, 'options'> {
  readonly options: Options
  readonly recursiveOptions: readonly string[]
  readonly firstUnlessOptions: readonly string[]
}

/** Rows by the names of their programs, several of which may stand in one key. */
export type Rows = Readonly<Record<string, Row>>

/** Every program's row, by its name. */
export function readyRows(families: readonly Rows[]): ReadonlyMap<string, ReadyRow> {
  const ready = new Map<string, ReadyRow>()
  for (const family of families) {
    for (const [names, row] of Object.entries(family)) {
      const one: ReadyRow = {
        ...row,
        options: optionsOf(row),
        recursiveOptions: wordsOf(typeof row.recursive === 'string' ? row.recursive : ''),
        firstUnlessOptions: wordsOf(row.firstUnless ?? ''),
      }
      for (const name of names.split(' ')) ready.set(name, one)
    }
  }
  return ready
}

const wordsOf = (text: string): readonly string[] => text.split(' ').filter((word) => word !== '')
