import type { ShellWord } from '../../../model/shell.ts'

/** What code can see of the command that runs it. */
export interface CodeEnvironment {
  readonly home?: string
  /** Looks up a variable of its environment. */
  readonly variable?: (name: string) => string | undefined
  /** The arguments that its command line has for it: `sys.argv[1]` and on, `ARGV[0]`, `process.argv[1]` and on. */
  readonly parameters?: readonly ShellWord[]
  readonly stdin?: ShellWord
}
