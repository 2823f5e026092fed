import { type RequestForm, shellTraits } from '../../model/shell-traits.ts'
import type { ImpactArea } from '../../model/impact.ts'
import type { ShellCommand, ShellWord } from '../../model/shell.ts'
import type { ChosenBy } from '../../model/shell-processes.ts'
import type { LineRules } from '../../words/loose-line.ts'

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
  /** It always succeeds: `true`, `echo`. It always fails: `false`. */
  'succeeds',
  'fails',
  /** It runs a file's lines in the shell itself: `source`. */
  'sources',
  /** It prints without an end: `yes`. */
  'endless',
  /** It makes a named pipe: `mkfifo`. */
  'makesPipe',
  /** A first word `+NAME` only says which toolchain it is of: `cargo +nightly check`. */
  'takesToolchain',
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
  /** How the text that it prints, or makes of its input, follows from its words. */
  readonly text?: TextForm
  /** Tells whether a command prints all variables of the environment. */
  readonly printsVariables?: (command: ShellCommand) => boolean
  /** How its words say which processes it ends, hinders or finds. */
  readonly chooses?: ProcessWords
  /** Tells by its words whether it lists all processes, or all of a user. */
  readonly listsProcesses?: (words: string) => boolean
  /** How its words say what it asks for over HTTP. */
  readonly request?: RequestForm
}

/** How a program's words say which processes it ends, hinders or finds. Options without dashes, separated by blanks. */
export interface ProcessWords {
  /** What its operands choose by. `any`: an id, a name, or a port behind a colon. */
  readonly operands?: ChosenBy | 'any' | 'condition'
  /** Options whose value chooses. A `condition` compares: `IMAGENAME eq node.exe`. */
  readonly options?: { readonly [By in ChosenBy | 'condition']?: string }
  /** Other options that take a value, beside those of its row; with `joined`, only one that is joined. */
  readonly valued?: string
  readonly joined?: string
  /** Other long options, for those that are cut short. */
  readonly flags?: string
  /** Options with which names are patterns, patterns are for whole lines, and files are mounts. */
  readonly patterns?: string
  readonly lines?: string
  readonly mounts?: string
  /** An option whose value says that operands are ports: `fuser -n tcp 3000`. */
  readonly spaces?: string
  /** Options with which it takes all others than those that it is told. */
  readonly others?: string
  /** Options with which it only lists, or shows something. */
  readonly idle?: string
  /** Options without which it ends none, and what its words have to be. */
  readonly endsBy?: string
  readonly when?: RegExp
  /** An id that is no number stands for processes that something else finds, as no word does: `Get-Process | Stop-Process`. */
  readonly finds?: true
  /** Where it is told none: tells by its words whether it takes all. */
  readonly all?: (words: string) => boolean
  /** Its options are those of Windows. */
  readonly windows?: LineRules['windows']
  /** Converts words to a form that getopt can parse: `-KILL`. */
  readonly words?: (args: readonly ShellWord[]) => readonly ShellWord[]
}

/** Ways in which a printed text follows from the words of a command and from its input. */
export type TextForm =
  /** Its words, as they are: `echo`; those of zsh's `print` have other options. */
  | 'words'
  | 'printed'
  /** The variables that its words name: `printenv`. */
  | 'variables'
  /** Its words in a format: `printf`. */
  | 'format'
  /** The working folder; the last name of a path, and the folder before that; what links lead to. */
  | 'folder'
  | 'last-name'
  | 'folder-before'
  | 'real-path'
  | 'link'
  /** A new file's path; where a program is, always or only with `-p`; a row of numbers; paths and formats of git. */
  | 'temporary'
  | 'place'
  | 'kind'
  | 'numbers'
  | 'git'
  /** Its input, or files: `cat`. Its input, which it also writes into files: `tee`, or only writes: `sponge`. */
  | 'input'
  | 'copy'
  | 'kept'
  /** The words behind a file's name, which it writes into the file: `Set-Content`. */
  | 'content'
  /** Its input in another form. */
  | 'base64'
  | 'base32'
  | 'openssl'
  | 'xxd'
  | 'reversed'
  | 'letters'
  /** Each line as a script says, or a format: of sed, awk, Perl, jq, `find -printf`. */
  | 'sed'
  | 'awk'
  | 'perl'
  | 'jq'
  | 'find'

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
  /** What holds for all its programs: of a row, for those that have one. */
  readonly rows?: Row & Traits
  readonly programs: Readonly<Record<string, KnownProgram>>
  /** What commands do, in words: several impacts separated by `; `, none as an empty text. A test holds them. */
  readonly examples?: Readonly<Record<string, string>>
}
