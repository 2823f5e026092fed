import type { Failure } from './failure.ts'
import type { Program } from './rule.ts'

/** A hook process to start. */
export interface HookProcess {
  readonly program: Program
  /** Absolute. */
  readonly cwd: string
  /** The whole environment, nothing inherited. */
  readonly env: Readonly<Record<string, string>>
  readonly stdin: string
  readonly timeoutMs: number
}

/** The end of a hook process. `durationMs` is wall time from the request to start it. */
export type HookExit =
  | {
      readonly kind: 'exited'
      /** INVARIANT: `null` for a process that died by a signal; never turned into a number. */
      readonly exitCode: number | null
      readonly stdout: string
      readonly stderr: string
      /** The failure to report if there is no answer. Set for every end but exit code 0 with UTF-8 output. */
      readonly failure: Failure | undefined
      readonly durationMs: number
    }
  /** It never started, or hookgate killed it. Its output is ignored. */
  | { readonly kind: 'failed'; readonly failure: Failure; readonly stderr: string; readonly durationMs: number }

/** A hook's process that ended by itself. */
export type ExitedHook = Extract<HookExit, { kind: 'exited' }>
