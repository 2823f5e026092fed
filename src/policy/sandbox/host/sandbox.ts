import { setImmediate } from 'node:timers/promises'
import { limits } from '../../../model/limits.ts'
import { buildSilenceMsMax, type Domain, type Job } from './job.ts'
import type { Channel, SandboxEnd, SandboxInstance } from './placement.ts'
import { lineOf, lineReader, type SandboxFrame, tags } from '../wire/frames.ts'
import { errorText, isResourceExhausted } from '../../../model/errors.ts'
import type { Failure } from '../../../model/failure.ts'
import { firstLine, sayable } from '../../../model/text.ts'

/** How a sandbox was lost. */
export type Loss =
  | SandboxEnd
  /** A thread took the CPU time of an endless loop and sent nothing. */
  | { readonly kind: 'hung'; readonly link: Link }
  /** A thread sent output that our own code cannot produce. */
  | { readonly kind: 'malformed'; readonly why: string }

interface SandboxEvents {
  onProgress(sandbox: Sandbox): void
  /** Called at most once, and no other event follows. */
  onLoss(sandbox: Sandbox, loss: Loss): void
}

/** One sandbox and all questions pending in it. */
export class Sandbox {
  readonly links: readonly Link[]
  #isEnded = false
  readonly #startedAtMs = performance.now()
  readonly #instance: SandboxInstance
  readonly #events: SandboxEvents
  readonly #watches: readonly HangWatch[]

  constructor(instance: SandboxInstance, domains: Iterable<Domain>, events: SandboxEvents) {
    this.#instance = instance
    this.#events = events
    this.links = instance.channels.map(
      (channel) =>
        new Link(channel, {
          onProgress: () => events.onProgress(this),
          onMalformed: (error) => this.#lose({ kind: 'malformed', why: String(error) }),
        }),
    )
    this.#watches = this.links.map(
      (link) =>
        new HangWatch(
          link,
          () => instance.cpuMs(link.thread),
          (hang) => this.#lose(hang.kind === 'hung' ? { ...hang, link } : hang),
        ),
    )
    for (const domain of domains) this.load(domain)
    void this.#watchEnd()
  }

  get isReady(): boolean {
    return this.links.every((link) => link.isReady)
  }

  get isIdle(): boolean {
    return this.links.every((link) => link.pending.length === 0)
  }

  /** Loads policies into the first thread. The others load those of their first job: few gates keep two busy. */
  load(domain: Domain): void {
    this.links[0]?.load(domain)
  }

  drop(domain: Domain): void {
    for (const link of this.links) link.drop(domain)
  }

  /** Looks for a thread that has been silent for too long. To be called every `limits.policyWatchMs`. */
  watch(): void {
    if (this.isReady) for (const watch of this.#watches) watch.look()
    else if (performance.now() - this.#startedAtMs > limits.sandboxStartMs) {
      const error = new Error(`it was not ready after ${limits.sandboxStartMs / 1000} s`)
      this.#lose({ kind: 'failed', error })
    }
  }

  /** Ends the sandbox without reporting a loss. */
  kill(isHung = false): void {
    if (this.#isEnded) return
    this.#isEnded = true
    for (const link of this.links) link.close()
    this.#instance.kill(isHung)
  }

  get ended(): Promise<unknown> {
    return this.#instance.ended
  }

  gone(): Promise<void> {
    return this.#instance.gone()
  }

  async #watchEnd(): Promise<void> {
    const end = await this.#instance.ended
    // A sandbox that ends before it is ready has failed to start, however it ended.
    if (end.kind === 'failed' || this.isReady) this.#lose(end)
    else this.#lose({ kind: 'failed', error: new Error(`it did not become ready: ${end.why}`) })
  }

  #lose(loss: Loss): void {
    if (this.#isEnded) return
    this.kill(loss.kind === 'hung')
    this.#events.onLoss(this, loss)
  }
}

/** How long a thread with a pending answer may get no CPU time before its sandbox counts as stopped. */
const sandboxStalledMs = 2000

type Hang = { readonly kind: 'hung' } | { readonly kind: 'died'; readonly why: string }

/** A silent thread counts as caught in a loop if it used this share of the CPU time that it could have used. */
const shareOfLoop = 0.75

/** One silence of a thread. Moments are on the clock of `performance.now()`. */
interface Silence {
  readonly sinceMs: number
  /** The thread's CPU time when it was first read. */
  readonly startCpuMs: number
  readonly cpuMs: number
  /** When the CPU time was last seen to grow. */
  readonly ranAtMs: number
}

/**
 * Detects a thread that cannot be interrupted from inside. A thread caught in a loop uses the CPU; one that waits on a
 * loaded machine does not, and a stopped one gets no CPU time at all.
 */
class HangWatch {
  #silence: Silence | undefined
  #readingSinceMs: number | undefined
  readonly #link: Link
  readonly #cpuMs: () => Promise<number>
  readonly #onHang: (hang: Hang) => void

  constructor(link: Link, cpuMs: () => Promise<number>, onHang: (hang: Hang) => void) {
    this.#link = link
    this.#cpuMs = cpuMs
    this.#onHang = onHang
  }

  look(): void {
    if (!isSilent(this.#link)) return
    const nowMs = performance.now()
    if (this.#readingSinceMs === undefined) {
      this.#readingSinceMs = nowMs
      void this.#judge()
    } else if (nowMs - this.#readingSinceMs > sandboxStalledMs) this.#onHang(stalled)
  }

  async #judge(): Promise<void> {
    const cpuMs = await this.#cpuMs()
    // The gate itself may have been busy: read first what the thread has written meanwhile.
    await setImmediate()
    this.#readingSinceMs = undefined
    const [first] = this.#link.pending
    if (first === undefined || !isSilent(this.#link)) return
    const nowMs = performance.now()
    const sinceMs = this.#link.silentSinceMs
    const before = this.#silence
    if (before?.sinceMs !== sinceMs) {
      this.#silence = { sinceMs, startCpuMs: cpuMs, cpuMs, ranAtMs: nowMs }
      return
    }
    const ranAtMs = cpuMs > before.cpuMs ? nowMs : before.ranAtMs
    this.#silence = { ...before, cpuMs, ranAtMs }
    const maxMs = silenceMsMaxOf(first)
    if (nowMs - sinceMs >= maxMs && cpuMs - before.startCpuMs >= shareOfLoop * maxMs) this.#onHang({ kind: 'hung' })
    else if (nowMs - ranAtMs > sandboxStalledMs) this.#onHang(stalled)
  }
}

const stalled: Hang = { kind: 'died', why: 'it got no CPU time' }

function isSilent({ pending, silentSinceMs }: Link): boolean {
  return pending.length > 0 && performance.now() - silentSinceMs >= limits.policyWatchMs
}

function silenceMsMaxOf(first: PendingQuestion): number {
  return first.kind === 'load' ? buildSilenceMsMax([first.domain]) : first.job.silenceMsMax
}

/** Requests queued for one thread: enough to keep it busy, few enough to repeat each alone after a failure. */
const policyJobsAhead = 32

/** Requests queued for one thread, in UTF-16 units: a second event of the maximum size waits in the host. */
const policyCharactersAhead = 1024 * 1024

/** A question that a thread has not answered yet. */
type PendingQuestion = { readonly id: number } & (
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

export const cancelled: Failure = { code: 'cancelled', message: 'the caller gave up on the event' }

/** Returns the failure of all jobs when no sandbox could be started. */
export function startFailure(error: unknown): Failure {
  const because = sayable(firstLine(errorText(error)))
  if (isResourceExhausted(because)) {
    return {
      code: 'exhausted',
      message: `the machine has no resources left to start the policies' sandbox: ${because}`,
    }
  }
  return { code: 'workerLost', message: `the policies' sandbox could not be started: ${because}` }
}

export function lostFailure(why: string): Failure {
  return { code: 'workerLost', message: `the policies' sandbox was lost: ${sayable(firstLine(why))}` }
}

/** Returns the failure of a policy that was evaluated alone when its sandbox was lost. */
export function failureAlone(loss: Loss): Failure {
  if (loss.kind === 'malformed') {
    return { code: 'badOutput', message: `its answer cannot be read: ${sayable(firstLine(loss.why))}` }
  }
  if (loss.kind === 'hung') {
    const message = `took more than ${limits.policyCpuMs} ms of CPU time, and could only be stopped by killing its process`
    return { code: 'policyTimeout', message }
  }
  return {
    code: 'policyOutOfMemory',
    message: `crashed its process, as policies that take more than ${limits.policyMemoryMb} MB of memory do`,
  }
}
