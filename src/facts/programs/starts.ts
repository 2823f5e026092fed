import type { CodeLanguage, ShellCommand, ShellReach, ShellWord } from '../../model/shell.ts'
import type { SayLeftOut } from '../bounds.ts'

/** Where what a wrapper starts runs, as far as that differs from the wrapper itself. */
export interface StartedIn {
  /** Default: the wrapper's. `undefined` where it is not known. */
  readonly cwd?: string | undefined
  /** Another machine or a container. */
  readonly elsewhere?: true
  readonly user?: string
  /** `env -i`: nothing but these variables is left. Default: what the wrapper's shell has exported. */
  readonly emptyEnvironment?: true
  readonly assignments?: readonly { readonly name: string; readonly value: ShellWord }[]
  /** `$0`, `$1`… of a script. */
  readonly parameters?: readonly ShellWord[]
  /** How the words call the thing where it is not by the wrapper's name. */
  readonly reach?: ShellReach
  /** What the wrapper's stdin becomes: arguments (`xargs`) or nothing. Default: the started program's stdin. */
  readonly stdin?: 'arguments' | 'none'
}

/** What a wrapper can say of its command line. Everything it starts becomes a command of the facts, behind its own. */
export interface Starts {
  /** A program and its arguments, as words. */
  readonly words: (words: readonly ShellWord[], where?: StartedIn) => void
  /** Text that a shell runs. Text that is not known becomes an uncertainty. */
  readonly script: (text: ShellWord, where?: StartedIn) => void
  /** Text of another language that an interpreter runs; its own arguments (`sys.argv[1]`…) are `parameters`. */
  readonly code: (language: CodeLanguage, text: ShellWord, where?: StartedIn) => void
  /** A variable of the command's environment: assigned in front of it, else exported. */
  readonly variable: (name: string) => ShellWord | undefined
  /**
   * What a file holds, where the text itself says so: `/dev/stdin`, `/dev/fd/N`, `<(…)`, or a file that was written before.
   * Unresolved where that is not known whole. Absent for any other file.
   */
  readonly content: (file: ShellWord) => ShellWord | undefined
  /** Something that matters cannot be known. */
  readonly uncertain: (what: string) => void
  /** What is more than is looked at: neither the command nor the whole text is known then. */
  readonly leftOut: SayLeftOut
  /** The command does nothing but start what was said, or asks for help. */
  readonly wrapper: () => void
}

/**
 * Finds what a command starts: one for each program that can, by the program's name. `command` is whole but for its
 * paths and network; its `stdin` is what is piped or redirected into it,
 * unresolved where that is not known; without one, nothing is.
 */
export type Unwrap = (command: ShellCommand, starts: Starts) => void
