import type { HookExit, HookProcess } from '../model/process.ts'

/** A hook that has been started. */
export interface RunningHook {
  /** How it ended. Never rejects. */
  readonly exit: Promise<HookExit>
  /** Ends it as `cancelled`: SIGTERM to its group, `limits.graceMs`, SIGKILL. */
  cancel(): void
}

/** Where hooks are started from. */
export interface Placement {
  /** Starts a hook now. `durationMs` of its exit counts from here, as the place where it runs saw it. */
  start(hook: HookProcess): RunningHook
  /** Makes ready for a hook that may come. */
  warm(): void
  /** SIGKILL to every group there is, before it returns. */
  killAll(): void
  /** Leaves nothing behind. A hook that has not settled by then settles as lost. */
  close(): Promise<void>
}
