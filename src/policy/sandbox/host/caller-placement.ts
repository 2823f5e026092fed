import type { SandboxFrame } from '../wire/frames.ts'
import { cpuMsHere } from '../wire/thread-cpu.ts'
import type { QuestionServer } from '../thread/serve.ts'
import type { Channel, SandboxEnd, SandboxInstance, SandboxPlacement } from './placement.ts'

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
