import type { Failure } from './failure.ts'
import type { Program } from './rule.ts'

/** A hook process to be run. */
export interface HookProcess {
  readonly program: Program
  /** Absolute. */
  readonly cwd: string
  /** The whole environment, nothing inherited. */
  readonly env: Readonly<Record<string, string>>
  readonly stdin: string
  readonly timeoutMs: number
}

/** How a hook process ended. `durationMs` is wall time from the request to start it. */
export type HookExit =
  | {
      readonly kind: 'exited'
      /** INVARIANT: `null` for a process that died by a signal; never turned into a number. */
      readonly exitCode: number | null
      readonly stdout: string
      readonly stderr: string
      /** What its ending means where it gave no answer: set for every ending but exit code 0 with UTF-8 output. */
      readonly failure: Failure | undefined
      readonly durationMs: number
    }
  /** It never started, or was ended by us: nothing that it printed counts. */
  | { readonly kind: 'failed'; readonly failure: Failure; readonly stderr: string; readonly durationMs: number }
