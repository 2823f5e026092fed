import type { HookExit, HookProcess } from '../model/rule.ts'

/** A hook that has been started. */
export interface RunningHook {
  /** Resolves with how the hook ended. Never rejects. */
  readonly exit: Promise<HookExit>
  /** Ends the hook as `cancelled`: SIGTERM to its group, `limits.graceMs`, SIGKILL. */
  cancel(): void
}

/** A place from which hooks are started. */
export interface HookPlacement {
  /** Starts a hook now. `durationMs` of its exit counts from here, as the place where it runs saw it. */
  start(hook: HookProcess): RunningHook
  /** Prepares for the first hook. */
  warm(): void
  /** Sends SIGKILL to every running group before it returns. */
  killAll(): void
  /** Ends everything that it started. A hook that has not settled by then settles as lost. */
  close(): Promise<void>
}
