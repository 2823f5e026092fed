import { limits } from '../../../model/limits.ts'
import type { Domain } from './domain.ts'
import type { Job } from './job.ts'
import type { Channel } from './placement.ts'
import { type SandboxFrame, lineOf, lineReader, tags } from '../wire/frames.ts'

/** Requests queued for one thread: enough to keep it busy, few enough to repeat each alone after a failure. */
const policyJobsAhead = 32

/** Requests queued for one thread, in UTF-16 units: a second event of the maximum size waits in the host. */
const policyCharactersAhead = 1024 * 1024

/** A question that a thread has not answered yet. */
export type PendingQuestion = { readonly id: number } & (
  | { readonly kind: 'load'; readonly domain: Domain }
  | { readonly kind: 'job'; readonly job: Job; readonly members: readonly number[]; readonly isRestricted: boolean }
)

interface LinkEvents {
  /** Called when the thread has answered or has become ready. */
  onProgress(): void
  /** Called when the thread has sent output that our own code cannot produce. */
  onMalformed(error: unknown): void
}

/** The gate's end of one thread of a sandbox. */
export class Link {
  isReady = false
  /** The system's name for the thread, see `nameOfThread`. */
  thread = ''
  /** Start of the thread's silence while a question is pending, on the clock of `performance.now()`. */
  silentSinceMs = performance.now()
  /** True while a restricted job is pending on the thread. */
  hasRestricted = false
  #pending: PendingQuestion[] = []
  #size = 0
  #out: SandboxFrame[] = []
  #lastId = 0
  #closed = false
  readonly #loaded = new Set<number>()
  readonly #channel: Channel
  readonly #events: LinkEvents

  constructor(channel: Channel, events: LinkEvents) {
    this.#channel = channel
    this.#events = events
    const read = lineReader(
      (line) => this.#receive(line),
      (characters) => this.#checkGrowth(characters),
    )
    channel.onText(read)
  }

  get pending(): readonly PendingQuestion[] {
    return this.#pending
  }

  /** The domain that the thread is loading now. */
  get building(): Domain | undefined {
    const [first] = this.#pending
    return this.isReady && first?.kind === 'load' ? first.domain : undefined
  }

  /** Returns true if the thread can take a job without falling far behind. It takes restricted jobs one at a time. */
  hasRoom(job: Job): boolean {
    if (this.hasRestricted && job.isRestricted()) return false
    if (this.#pending.length === 0) return true
    return this.#pending.length < policyJobsAhead && this.#size + job.size <= policyCharactersAhead
  }

  load(domain: Domain): void {
    if (this.#loaded.has(domain.id) || domain.refused !== undefined) return
    this.#loaded.add(domain.id)
    const id = this.#nextId()
    this.#pending.push({ kind: 'load', id, domain })
    this.#write([lineOf(tags.load, id, domain.id), domain.text])
  }

  drop(domain: Domain): void {
    if (this.#loaded.delete(domain.id)) this.#write([lineOf(tags.drop, 0, domain.id)])
  }

  /** Sends some members of a job to the thread, after loading the domains that it lacks. */
  ask(job: Job, members: readonly number[], domains = job.domains): void {
    for (const domain of domains) this.load(domain)
    const isRestricted = job.isRestricted()
    this.hasRestricted ||= isRestricted
    this.#size += job.size
    const id = this.#nextId()
    this.#pending.push({ kind: 'job', id, job, members, isRestricted })
    this.#write(job.encode(id, members))
  }

  /** Stops sending and receiving. */
  close(): void {
    this.#closed = true
    this.#out = []
  }

  #nextId(): number {
    if (this.#pending.length === 0) this.silentSinceMs = performance.now()
    return (this.#lastId += 1)
  }

  /** Buffers output, so that all writes of one event loop turn are sent as one. */
  #write(frame: SandboxFrame): void {
    if (this.#out.length === 0) process.nextTick(() => this.#flush())
    this.#out.push(frame)
  }

  #flush(): void {
    const frames = this.#out
    this.#out = []
    if (frames.length > 0 && !this.#closed) this.#channel.write(frames)
  }

  #receive(line: string): void {
    if (this.#closed) return
    this.silentSinceMs = performance.now()
    if (line === tags.alive) return
    try {
      if (!this.isReady && line.startsWith(tags.ready)) {
        this.isReady = true
        this.thread = line.slice(tags.ready.length + 1)
      } else this.#accept(line)
    } catch (error) {
      this.#events.onMalformed(error)
      return
    }
    this.#events.onProgress()
  }

  /** INVARIANT: a question stays pending until its answer is decoded, so that a malformed one is retried or failed. */
  #accept(line: string): void {
    const [first] = this.#pending
    const [tag, id, ...parts] = line.split('\t')
    if (first === undefined || tag !== tags.answer || id !== String(first.id)) {
      throw new TypeError('it answers no question')
    }
    if (first.kind === 'load') first.domain.buildLosses = 0
    else {
      first.job.accept(parts, first.members)
      this.#size -= first.job.size
      if (first.isRestricted) this.hasRestricted = false
    }
    this.#pending.shift()
  }

  /** Bounds an unfinished line. Isolates bound their own answers; this guards against a thread that was taken over. */
  #checkGrowth(characters: number): void {
    const [first] = this.#pending
    const members = first?.kind === 'job' ? first.members.length : 1
    if (characters <= (members + 1) * limits.policyAnswerCharactersMax * 2) return
    if (!this.#closed) this.#events.onMalformed(new RangeError('it is too long'))
  }
}

export function leastLoaded(links: readonly Link[]): Link {
  return links.reduce((least, link) => (link.pending.length < least.pending.length ? link : least))
}
