/**
 * What a shell command would do, found without running anything: the facts that policies judge instead of text. Made by
 * `facts/shell`, `facts/programs` and `facts/paths`; plain data, for it crosses into the sandbox as JSON.
 */

/** Stands in a word's value for a part of which nothing is known. No command contains it: it is a Unicode noncharacter. */
export const unknownPart = '\uFDD0'

/** A word after the shell's own expansions, as far as they are known without running anything. */
export interface ShellWord {
  /** Quotes removed, `~`, literal variables and braces expanded; `unknownPart` for every part that is not known. */
  readonly value: string
  /** Whether a part of it is not known: its value then holds `unknownPart`. */
  readonly unresolved?: true
  /** Whether it may turn out to be no word at all, or several: an unquoted variable, `"$@"`, output that is split. */
  readonly several?: true
  /** A pathname pattern: the value in glob syntax, quoted characters escaped by `\`. Absent where nothing is globbed. */
  readonly pattern?: string
  /** Where the value was put together: the name of the one variable that is not known (`"$TARGET"` has `TARGET`). */
  readonly variable?: string
}

export interface ShellAssignment {
  readonly name: string
  readonly value: ShellWord
}

/** A redirection, its descriptor resolved: what `>&3` writes to is what descriptor 3 was opened on. */
export interface ShellRedirection {
  readonly operator: '<' | '>' | '>>' | '<>' | '<<' | '<<<'
  readonly descriptor: number
  /** The file; for `<<` and `<<<` the text itself. Absent for what is closed or merged with another command's output. */
  readonly target?: ShellWord
}

/** How a command is come to, from the outside in. */
export type ShellReach =
  | { readonly through: 'subshell' | 'pipeline' | 'background' | 'coproc' }
  | { readonly through: 'condition' | 'loop' | 'case' }
  | { readonly through: 'function' | 'alias'; readonly name: string }
  /** `$(…)`, backticks, `<(…)`, `>(…)`, in whatever word or arithmetic they stand. */
  | { readonly through: 'substitution' }
  /** A program that starts another: `sudo`, `xargs`, `find -exec`, `bash -c`, `ssh`, a git alias. */
  | { readonly through: 'wrapper'; readonly program: string }
  /** Code of another language that starts a process: `python -c`. */
  | { readonly through: 'code'; readonly language: CodeLanguage }
  | { readonly through: 'trap' | 'eval' }

export type CodeLanguage =
  | 'shell'
  | 'python'
  | 'javascript'
  | 'perl'
  | 'ruby'
  | 'php'
  | 'lua'
  | 'r'
  | 'julia'
  | 'powershell'
  | 'cmd'
  | 'awk'
  | 'sql'

/** Text of another language that a command is given to run. */
export interface ShellCode {
  readonly language: CodeLanguage
  /** Its text; absent where it cannot be known. */
  readonly text?: string
  /** What is recognised in it: the obvious, no more. Deletions, reads and writes stand in `ShellCommand.paths`. */
  readonly does: readonly ('starts' | 'network' | 'decodes' | 'evaluates')[]
}

export type PathAccess = 'read' | 'write' | 'delete' | 'execute'

/** A file or folder that a tool or a command touches. */
export interface TouchedPath {
  /** As the tool or the command has it, expanded as far as its word is. */
  readonly written: string
  readonly access: PathAccess
  /** Everything below it as well. */
  readonly recursive?: true
  /** Not the content but the entry: its mode, owner or times (`write`), its name or attributes (`read`). */
  readonly metadata?: true
  /** Absolute and normalised. Absent where the word or the working directory is not known. */
  readonly absolute?: string
  /** Symbolic links resolved, as far as the path exists. Only where that differs from `absolute`. */
  readonly real?: string
  /** The workspace root it is inside of, by where it really is. Absent: none. */
  readonly root?: string
  /** Relative to that root, `''` for the root itself. */
  readonly inRoot?: string
  /** Relative to the home directory, `''` for it itself. Absent: outside of it. */
  readonly inHome?: string
  /** Whether a part of it is not known: `absolute` is then what holds it as far as that is known, without a `..` after. */
  readonly unresolved?: true
  /** The absolute pattern in glob syntax, where the word is one. `absolute` is then the folder that holds all matches. */
  readonly pattern?: string
}

/** What a command does with the network. */
export interface ShellNetwork {
  /** Which way data goes that the user of the command cares for: `curl -d @f` sends, `curl URL` receives. */
  readonly direction: 'send' | 'receive' | 'both' | 'listen'
  /** Absent where it is not known. Without port and user. */
  readonly host?: string
  readonly url?: string
}

/** One simple command that would run. */
export interface ShellCommand {
  /** The program's basename in lower case, without `.exe`; `''` where there is none or it is not known. */
  readonly program: string
  /** The program's word. Absent for a command of assignments and redirections alone. */
  readonly written?: ShellWord
  readonly args: readonly ShellWord[]
  /** Those in front of it, which only it sees, or the shell's own where there is no program. */
  readonly assignments: readonly ShellAssignment[]
  readonly redirections: readonly ShellRedirection[]
  /** Where it runs, absolute; absent where that is not known, or on another machine. */
  readonly cwd?: string
  /** On another machine or in a container: paths are not ours. */
  readonly elsewhere?: true
  /** As another user than the caller: `root` for `sudo` alone. */
  readonly user?: string
  readonly reach: readonly ShellReach[]
  /** Index of the command that starts it: the wrapper, the interpreter, the one whose argument it is in. */
  readonly startedBy?: number
  /** Whether all it does is to start other commands, which are listed after it: `sudo`, `env`, `xargs`. */
  readonly wrapper?: true
  /**
   * What it reads on stdin: a heredoc, a here-string, a pipe, a file that the text itself has written; unresolved where that
   * is not known whole. Absent where nothing is given to it, or another file, which stands among the redirections.
   */
  readonly stdin?: ShellWord
  /** Code that it is given on the command line, on stdin, or in a heredoc. */
  readonly code?: ShellCode
  readonly paths: readonly TouchedPath[]
  readonly network?: ShellNetwork
  /** What is not known of it, in words. Empty: all that matters is. */
  readonly uncertain: readonly string[]
  /** Where the words stand in the command's text that led to it: UTF-16 offsets, the end exclusive. */
  readonly place: { readonly start: number; readonly end: number }
}

/** Bytes that go from one command to another. */
export interface ShellFlow {
  /** Indices of commands. */
  readonly from: number
  readonly to: number
  readonly via: 'pipe' | 'file' | 'argument' | 'variable' | 'descriptor'
  /** `code`: the receiver runs what it is given. */
  readonly as: 'data' | 'code'
}

/** Everything that a shell command's text would run. */
export interface ShellFacts {
  /** In the order in which they stand; a wrapper before what it starts. */
  readonly commands: readonly ShellCommand[]
  readonly flows: readonly ShellFlow[]
  /** What cannot be known of it as a whole: a syntax error, code of unknown text, a bound that was reached. */
  readonly uncertain: readonly string[]
  /** A function that starts itself twice or in the background, a loop without end that starts processes. */
  readonly forkBomb?: true
}

/** What the facts of a command are relative to. */
export interface ShellSurroundings {
  /** Absolute. */
  readonly cwd: string
  readonly home?: string
  readonly workspaceRoots: readonly string[]
  /** Variables whose values are known besides `HOME` and `PWD`. */
  readonly env?: Readonly<Record<string, string | undefined>>
}
