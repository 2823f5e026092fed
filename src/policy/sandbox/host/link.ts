import { limits } from '../../../model/limits.ts'
import { type Domain, isSlow } from './domain.ts'
import type { Job } from './job.ts'
import type { Channel } from './placement.ts'
import { frameOf, lineReader, tags } from '../wire/frames.ts'

/** What a thread has been asked and has not answered. */
export type Owed =
  | { readonly kind: 'load'; readonly id: number; readonly domain: Domain }
  | {
      readonly kind: 'job'
      readonly id: number
      readonly job: Job
      readonly members: readonly number[]
      /** Whether it was when it was asked. */
      readonly isApart: boolean
    }

export interface LinkEvents {
  /** It has answered something, or is there for the first time. */
  onProgress(): void
  /** It has said what it cannot have said. `guilty` is what it was asked, and what is answered by it. */
  onMalformed(guilty: Owed | undefined, error: unknown): void
}

/** The gate's end of one thread of a sandbox. */
export class Link {
  isReady = false
  /** What the system calls it, see `nameOfThread`. */
  thread = ''
  /** Since when nothing has been heard of what it owes, on the clock of `performance.now()`. */
  silentSinceMs = performance.now()
  #owed: Owed[] = []
  #size = 0
  #apart = 0
  #out = ''
  #lastId = 0
  #closed = false
  readonly #loaded = new Set<number>()
  readonly #channel: Channel
  readonly #events: LinkEvents

  constructor(channel: Channel, events: LinkEvents) {
    this.#channel = channel
    this.#events = events
    channel.onText(
      lineReader(
        (line) => this.#hear(line),
        (characters) => this.#checkGrowth(characters),
      ),
    )
  }

  get owed(): readonly Owed[] {
    return this.#owed
  }

  /** Whether it is at work for somebody nobody vouches for. */
  get isApart(): boolean {
    return this.#apart > 0
  }

  /** Whether it can be given a job without its being far behind. */
  hasRoom(job: Job): boolean {
    if (this.#owed.length === 0) return true
    if (job.domains.some(isSlow)) return false
    return this.#owed.length < limits.policyJobsAhead && this.#size + job.size <= limits.policyCharactersAhead
  }

  load(domain: Domain): void {
    if (this.#loaded.has(domain.id) || domain.refused !== undefined) return
    this.#loaded.add(domain.id)
    const id = this.#owe((next) => ({ kind: 'load', id: next, domain }))
    this.#write(frameOf(tags.load, id, domain.id, domain.text))
  }

  drop(domain: Domain): void {
    if (this.#loaded.delete(domain.id)) this.#write(frameOf(tags.drop, 0, domain.id))
  }

  ask(job: Job, members: readonly number[]): void {
    for (const domain of job.domains) this.load(domain)
    this.#size += job.size
    const isApart = job.isApart()
    if (isApart) this.#apart += 1
    const id = this.#owe((next) => ({ kind: 'job', id: next, job, members, isApart }))
    this.#write(job.frame(id, members))
  }

  /** Nothing more is heard or said. */
  close(): void {
    this.#closed = true
    this.#out = ''
  }

  #owe(make: (id: number) => Owed): number {
    const id = (this.#lastId += 1)
    if (this.#owed.length === 0) this.silentSinceMs = performance.now()
    this.#owed.push(make(id))
    return id
  }

  /** What is said within one turn of the event loop goes out in one piece. */
  #write(text: string): void {
    if (this.#out === '') process.nextTick(() => this.#flush())
    this.#out += text
  }

  #flush(): void {
    const text = this.#out
    this.#out = ''
    if (text !== '' && !this.#closed) this.#channel.write(text)
  }

  #hear(line: string): void {
    if (this.#closed) return
    this.silentSinceMs = performance.now()
    if (line === tags.alive) return
    if (!this.isReady && line.startsWith(tags.ready)) {
      this.isReady = true
      this.thread = line.slice(tags.ready.length + 1)
      this.#events.onProgress()
      return
    }
    const owed = this.#owed.shift()
    try {
      const [tag, id, ...parts] = line.split('\t')
      if (owed === undefined || tag !== tags.answer || id !== String(owed.id))
        throw new TypeError('nobody asked for it')
      this.#take(owed, parts)
    } catch (error) {
      this.#events.onMalformed(owed, error)
      return
    }
    this.#events.onProgress()
  }

  #take(owed: Owed, parts: readonly string[]): void {
    switch (owed.kind) {
      case 'load':
        owed.domain.losses = 0
        return
      case 'job':
        this.#size -= owed.job.size
        if (owed.isApart) this.#apart -= 1
        owed.job.hear(parts, owed.members)
        return
    }
  }

  /** An isolate bounds its answers itself; this is for a thread that is no longer our own code. */
  #checkGrowth(characters: number): void {
    const [first] = this.#owed
    const members = first?.kind === 'job' ? first.members.length : 1
    if (characters <= (members + 1) * limits.policyAnswerCharactersMax * 2) return
    if (!this.#closed) this.#events.onMalformed(this.#owed.shift(), new RangeError('it is too long'))
  }
}

export function leastLoaded(links: readonly Link[]): Link {
  return links.reduce((least, link) => (link.owed.length < least.owed.length ? link : least))
}
