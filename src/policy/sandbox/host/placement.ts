/** The gate's end of the stream of text to and from one thread. */
export interface Channel {
  write(text: string): void
  onText(take: (text: string) => void): void
}

/** How a sandbox ended by itself. */
export type SandboxEnd =
  /** A fatal error of V8's, or a crash: the process brought itself down. */
  | { readonly kind: 'aborted'; readonly why: string }
  /** It was killed from outside, or lost a thread. */
  | { readonly kind: 'died'; readonly why: string }
  /** It could not be started or used. */
  | { readonly kind: 'failed'; readonly error: unknown }

/** A process that evaluates policies, or the threads that do. */
export interface SandboxInstance {
  readonly channels: readonly Channel[]
  /** Settles when it is gone and all of its output has been read. */
  readonly ended: Promise<SandboxEnd>
  /**
   * Reads the CPU time that a thread has used so far, ms; that of the whole process where the system tells no more. Does
   * not settle where the sandbox cannot answer.
   * @param thread its name, see `nameOfThread`
   */
  cpuMs(thread: string): Promise<number>
  /**
   * Ends it, before this returns as far as that can be done.
   * @param isHung it hears nothing: there is no use in asking it to end in good order
   */
  kill(isHung?: boolean): void
  /** Settles when nothing is left of it that can be ended. */
  gone(): Promise<void>
}

/** Where policies are evaluated. */
export interface Placement {
  /** Tells whether one stands ready for the case that another is lost. */
  readonly hasSpare: boolean
  /** @throws where the system refuses at once */
  start(threads: number): SandboxInstance
}
