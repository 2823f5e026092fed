import { unwrapLimits } from '../../model/limits.ts'
import type { CodeLanguage, ShellCommand, ShellContainer, ShellReach, ShellWord } from '../../model/shell.ts'
import { bounded, type ReportLeftOut } from '../bounds.ts'
import type { Folder } from '../paths/index.ts'
import type { EffectRecorder, Role } from './effects.ts'

/** A file that a command changes as a text tells it to, with what the text takes out of it and puts into it. */
export interface EditedFile {
  readonly file: ShellWord
  readonly role: Role
  readonly removed: string
  readonly added: string
  /** The file's name from the top of the repository that the command works in, if it may be meant from there. */
  readonly fromTop?: ShellWord
}

/** A folder of the starter that a started command finds at the path `there`; a volume, if there is no such folder. */
export interface Bind {
  readonly here?: ShellWord
  readonly there: string
}

/** The environment of a started command, as far as it differs from the wrapper's. */
export interface StartedIn {
  /** The working directory; `undefined` if it is unknown. Default: the wrapper's. */
  readonly cwd?: Folder
  /** The command runs on another machine or in a container. */
  readonly elsewhere?: true
  /** The container that it runs in, if it is one in which it runs `elsewhere`. */
  readonly container?: ShellContainer
  /** The command runs outside of the wrapper's container. */
  readonly leaves?: true
  /** Folders that the command finds under other names. */
  readonly binds?: readonly Bind[]
  readonly user?: string
  /** The environment holds only `assignments`: `env -i`. Default: what the wrapper's shell has exported. */
  readonly emptyEnvironment?: true
  readonly assignments?: readonly { readonly name: string; readonly value: ShellWord }[]
  /** The parameters of a script, from `$0` on. */
  readonly parameters?: readonly ShellWord[]
  /** The entry for the command's `reach`, if it is not the wrapper's name. */
  readonly reach?: ShellReach
  /** The command is one that a text mentions, so mistakes in its syntax say nothing. */
  readonly guessed?: true
  /** The code stands in the command line in a form that nobody can read. */
  readonly encoded?: true
  /** The use of the wrapper's stdin: as arguments (`xargs`), or none. Default: the started program inherits it. */
  readonly stdin?: 'arguments' | 'none'
}

/** The interface through which a program reports what it starts. Each start becomes a further command of the facts. */
export interface Starts {
  /** Starts a program with its arguments. */
  readonly words: (words: readonly ShellWord[], where?: StartedIn) => void
  /** Starts a text as a shell script. An unknown text becomes an uncertainty. */
  readonly script: (text: ShellWord, where?: StartedIn) => void
  /** Starts a text as code of another language. The code's arguments (`sys.argv[1]`…) are `parameters`. */
  readonly code: (language: CodeLanguage, text: ShellWord, where?: StartedIn) => void
  /** Returns a variable of the command's environment: assigned before the command, or exported. */
  readonly variable: (name: string) => ShellWord | undefined
  /**
   * Returns the content of a file that is known from the command text itself: `/dev/stdin`, `/dev/fd/N`, `<(…)`, or a
   * file written before. Unresolved if only partly known; `undefined` for any other file.
   */
  readonly content: (file: ShellWord) => ShellWord | undefined
  /** Makes a word whose unknown part the program itself names: what `find -exec` has found. */
  readonly named: (value: string) => ShellWord
  /** Tells whether words begin with the name of a known program, and not with a subcommand or a file of that name. */
  readonly areProgram: (words: readonly ShellWord[]) => boolean
  /** Records a path that the command touches, where a text or its environment names that. */
  readonly touch: EffectRecorder['touch']
  /** Records such a path if it is outside the workspace. */
  readonly touchOutside: (word: ShellWord, role: Role) => void
  /** Records the files that a patch, or an editor's commands, change. */
  readonly edits: (text: string, read: (text: string) => readonly EditedFile[]) => void
  /** Reports that a patch stands in a file whose content only the disk knows. */
  readonly unread: () => void
  /** Adds an uncertainty. */
  readonly uncertain: (what: string) => void
  /** Reports a limit that was reached: an uncertainty of both the command and the whole text. */
  readonly leftOut: ReportLeftOut
  /** Marks the command as a mere wrapper: it only starts the reported commands, or prints help. */
  readonly wrapper: () => void
}

/**
 * Finds what a command starts; each program that starts others has such a function. `command` is complete except for
 * its paths and network. Its `stdin` is the text piped or redirected into it, unresolved if unknown, absent if there is
 * none.
 */
export type Unwrap = (command: ShellCommand, starts: Starts) => void

/** Limits the runs of a command to `unwrapLimits.runsMax`, and reports if there are more. */
export const fewRuns = <T>(all: readonly T[], { leftOut }: Starts): readonly T[] =>
  bounded(all, unwrapLimits.runsMax, 'it starts more commands than are analyzed', leftOut)
