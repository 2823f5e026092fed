import { cpuMsHere, type SandboxFrame } from '../wire/frames.ts'
import type { QuestionServer } from '../thread/serve.ts'

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

/**
 * Evaluates policies on the calling thread, for embedders who trust them: there is no hop. A policy that exhausts
 * memory may abort the process, and one that is caught in a native loop never returns to the caller.
 */
export const callerPlacement: SandboxPlacement = { hasSpare: false, start: () => new SandboxHere() }

class SandboxHere implements SandboxInstance {
  readonly channels: readonly Channel[] = [
    { write: (frames) => this.#receive(frames), onText: (take) => void this.#start(take) },
  ]
  readonly ended: Promise<SandboxEnd>
  readonly #end = Promise.withResolvers<SandboxEnd>()
  #server: QuestionServer | undefined
  /** Frames that came before the server was loaded. */
  #early: SandboxFrame[] = []
  #isKilled = false

  constructor() {
    this.ended = this.#end.promise
  }

  /** The code is loaded lazily: a gate whose policies are elsewhere does not load isolated-vm. */
  async #start(take: (text: string) => void): Promise<void> {
    try {
      const { serve } = await import('../thread/serve.ts')
      if (this.#isKilled) return
      this.#server = serve(take)
      this.#receive(this.#early.splice(0))
    } catch (error) {
      this.#end.resolve({ kind: 'failed', error })
    }
  }

  #receive(frames: readonly SandboxFrame[]): void {
    if (this.#server === undefined) this.#early.push(...frames)
    else this.#server.receive(frames)
  }

  cpuMs(): Promise<number> {
    return Promise.resolve(cpuMsHere())
  }

  kill(): void {
    this.#isKilled = true
    this.#server?.end()
    this.#server = undefined
    this.#end.resolve({ kind: 'died', why: 'it was ended' })
  }

  gone(): Promise<void> {
    return Promise.resolve()
  }
}
