import { type RequestForm, shellTraits } from '../../model/shell-traits.ts'
import type { ImpactArea } from '../../model/impact.ts'

import type { Deeds } from './deeds/deeds.ts'
import type { LookRule } from './looks/look.ts'
import type { Row } from './row.ts'

/** What an entry may say of a program that holds whatever its words are, beside what rules ask for. */
export const programTraits = [
  ...shellTraits,
  /** Behind a subcommand, too, `-help` asks it for help, as `--help` does. */
  'dashHelp',
  /** `--help` does not only ask it for help: it does what it always does, or hands the word on. */
  'noHelp',
  /** It runs tasks of the project by their names: `make release`. */
  'tasks',
  /** It may start its command any number of times, never, or later: for each item of input, on a change, at a time. */
  'repeats',
  /** What it starts runs on this machine, but without its usual files, network or environment. */
  'encloses',
  /** What it starts has the rights of another user: `sudo`. */
  'elevates',
  /** It ends a command or a text after a time or an amount: `timeout`, `head`. */
  'limits',
  /** Most machines run several of its processes at a time, for different people and purposes. */
  'shared',
  /** It is the client of a site that hosts code, with commands and options like those of `gh`. */
  'forge',
  /** What it prints comes from outside of this machine: `curl`, `dig`. */
  'fetches',
  /** It is a client of a cloud that rents machines. */
  'rentsMachines',
  /** Its words are texts, and names that it looks up: it reads no file. */
  'namesOnly',
  /** Its words are patterns and code, besides files: which are which is known to the facts. */
  'patternsFirst',
  /** Its words have a query that may read variables of the environment: `jq`. */
  'queries',
  /** It uses keys and certificates without printing them. */
  'usesKeys',
  /** Its words may name things called secrets that are no files: of a cloud, a repository, packages. */
  'namesSecrets',
  /** It prints nothing when it succeeds. */
  'quiet',
  /** It passes on the numbers of processes that it reads, without leaving any out: `sort`, `awk`. */
  'passesIds',
  /** It writes a file of a given size. */
  'fillsSize',
  /** It searches for keys and prints them. */
  'huntsSecrets',
  /** It does nothing but collect keys and passwords of a machine. */
  'collectsSecrets',
] as const
export type ProgramTrait = (typeof programTraits)[number]

type Traits = { readonly [Trait in ProgramTrait]?: true }

/**
 * All that is known of a program, said once: what it touches, sends and starts, as a `Row`; what it does to what others
 * depend on; and which of its calls only look.
 */
export interface KnownProgram extends Row, Traits {
  /** What it does to what others depend on: in the area of its family, unless the deeds have another. */
  readonly does?: Deeds | readonly Deeds[]
  /** Which of its calls only look. */
  readonly looks?: LookRule | readonly LookRule[]
  /** Its long options may be cut short, so that one that is not known may be any that begins so: those of Python's argparse. */
  readonly abbreviates?: true
  /** Returns the program of which it prints the path, by its words. `which` stands for `which NAME`, as in `pyenv`. */
  readonly locates?: 'which' | ((words: string) => string | undefined)
  /** Where a client of a database has SQL among its words. */
  readonly sql?: SqlWords
  /** It speaks to a store in its own language, or to whatever listens at a socket. */
  readonly store?: StoreLanguage
  /** How its words say what it asks for over HTTP. */
  readonly request?: RequestForm
}

/** The languages of stores that are no SQL. At a `socket`, Memcached or Redis may listen. */
export type StoreLanguage = 'mongo' | 'redis' | 'socket'

/** The options and operands in which a client of a database gets SQL. Options without dashes. */
export interface SqlWords {
  /** Options whose value is SQL. */
  readonly options?: string
  /** Options that take a value, beside these and those of its row. */
  readonly valued?: string
  /** From which operand on they may be SQL: `sqlite3 FILE SQL`. Absent: none is. */
  readonly from?: number
  /** Long options have one dash, which its row does not say. */
  readonly oneDash?: true
  /** Stdin is no SQL. */
  readonly stdin?: false
  /** Options that name where the server is. */
  readonly hosts?: string
  /** It opens a file, whose name is that of no server. */
  readonly ofFile?: true
  /** Words in front: `aws athena start-query-execution`. */
  readonly behind?: string
}

/** Programs for one kind of work. A key may hold several names of a program, separated by blanks. */
export interface Family {
  /** The area of what its programs do. */
  readonly area?: ImpactArea
  /** What holds for all its programs that have a row. */
  readonly rows?: Row
  readonly programs: Readonly<Record<string, KnownProgram>>
  /** What commands do, in words: several impacts separated by `; `, none as an empty text. A test holds them. */
  readonly examples?: Readonly<Record<string, string>>
}
