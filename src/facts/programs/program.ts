import type { ImpactArea } from '../../model/impact.ts'
import type { Deeds } from './deeds/deeds.ts'
import type { LookRule } from './looks/look.ts'
import type { Row } from './row.ts'

/**
 * All that is known of a program, said once: what it touches, sends and starts, as a `Row`; what it does to what others
 * depend on; and which of its calls only look.
 */
export interface KnownProgram extends Row {
  /** What it does to what others depend on: in the area of its family, unless the deeds have another. */
  readonly does?: Deeds | readonly Deeds[]
  /** Which of its calls only look. */
  readonly looks?: LookRule | readonly LookRule[]
  /** Its long options may be cut short, so that one that is not known may be any that begins so: those of Python's argparse. */
  readonly abbreviates?: true
  /** It belongs to the system and prints: it runs none of its words, and writes no file but by an option. */
  readonly prints?: true
  /** Returns the program of which it prints the path, by its words. `which` stands for `which NAME`, as in `pyenv`. */
  readonly locates?: 'which' | ((words: string) => string | undefined)
  /** Behind a subcommand, too, `-help` asks it for help, as `--help` does. */
  readonly dashHelp?: true
  /** It runs tasks of the project by their names: `make release`. */
  readonly tasks?: true
  /** It may start its command any number of times, never, or later: for each item of input, on a change, at a time. */
  readonly repeats?: true
  /** What it starts runs on this machine, but without its usual files, network or environment. */
  readonly encloses?: true
  /** Most machines run several of its processes at a time, for different people and purposes. */
  readonly shared?: true
  /** It is the client of a site that hosts code, with commands and options like those of `gh`. */
  readonly forge?: true
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
