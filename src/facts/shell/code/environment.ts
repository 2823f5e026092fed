import type { ShellWord } from '../../../model/shell.ts'

/** The parts of a command's environment that its inline code can read. */
export interface CodeEnvironment {
  readonly home?: string
  /** Returns the value of an environment variable. */
  readonly variable?: (name: string) => string | undefined
  /** The code's command-line arguments: from `sys.argv[1]`, `ARGV[0]` or `process.argv[1]` on. */
  readonly parameters?: readonly ShellWord[]
  readonly stdin?: ShellWord
}
