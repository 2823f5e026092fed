import type { SandboxFrame } from '../wire/frames.ts'

/** The gate's end of the frames to one thread, and of the stream of text from it. */
export interface Channel {
  write(frames: readonly SandboxFrame[]): void
  onText(take: (text: string) => void): void
}

/** How a sandbox ended without being killed by the gate. */
export type SandboxEnd =
  /** The process crashed, or V8 had a fatal error. */
  | { readonly kind: 'aborted'; readonly why: string }
  /** The sandbox was killed from outside, or lost a thread. */
  | { readonly kind: 'died'; readonly why: string }
  /** The sandbox could not be started or used. */
  | { readonly kind: 'failed'; readonly error: unknown }

/** A process that evaluates policies, or the threads that do. */
export interface SandboxInstance {
  readonly channels: readonly Channel[]
  /** Settles when the sandbox is gone and all of its output has been read. */
  readonly ended: Promise<SandboxEnd>
  /**
   * Returns the CPU time that a thread has used so far, in ms; that of the whole process if the system reports no
   * other. Does not settle if the sandbox cannot answer.
   * @param thread its name, see `nameOfThread`
   */
  cpuMs(thread: string): Promise<number>
  /**
   * Ends the sandbox, synchronously where possible.
   * @param isHung the sandbox does not respond, so it is not given time to end in good order
   */
  kill(isHung?: boolean): void
  /** Settles when everything of the sandbox that can be ended has ended. */
  gone(): Promise<void>
}

/** Starts the sandboxes of one kind: processes, or threads of this process. */
export interface SandboxPlacement {
  /** True if a spare sandbox is kept ready once one was lost. */
  readonly hasSpare: boolean
  /** @throws if the system refuses at once */
  start(threads: number): SandboxInstance
}
