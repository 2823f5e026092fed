/** The gate's end of what one thread says and hears. */
export interface Channel {
  write(text: string): void
  onText(take: (text: string) => void): void
}

/** How a sandbox ended by itself. */
export type Ending =
  /** A fatal error of V8's, or a crash: the process brought itself down. */
  | { readonly kind: 'aborted'; readonly why: string }
  /** It was ended by somebody else, or lost a thread. */
  | { readonly kind: 'died'; readonly why: string }
  /** It could not be started or used. */
  | { readonly kind: 'failed'; readonly error: unknown }

/** A process that evaluates policies, or the threads that do. */
export interface SandboxInstance {
  readonly channels: readonly Channel[]
  /** Settles when it is gone and all that it said has been heard. */
  readonly ended: Promise<Ending>
  /** The CPU time that it has used so far. Does not settle where it cannot answer. */
  cpuMs(): Promise<number>
  /**
   * Ends it, before this returns as far as that can be done.
   * @param isHung it hears nothing: there is no use in asking it to end in good order
   */
  kill(isHung?: boolean): void
  /** Settles when nothing is left of it that can be ended. */
  gone(): Promise<void>
}

export interface Placement {
  /** Whether one stands ready for the case that another is lost. */
  readonly hasSpare: boolean
  /** @throws where the system refuses at once */
  start(threads: number): SandboxInstance
}
