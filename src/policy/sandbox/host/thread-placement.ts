import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { limits } from '../../../model/limits.ts'
import type { Channel, SandboxEnd, SandboxPlacement, SandboxInstance } from './placement.ts'
import { type ServingThreads, startServing } from '../thread/pool.ts'
import { endServing, letGo, type PortMessage } from '../wire/frames.ts'
import { cpuMsOfThread } from '../wire/thread-cpu.ts'

/**
 * Wait for a sandbox thread to end in good order. It takes some tens of milliseconds, on a loaded machine seconds.
 * Terminated earlier, it may crash the whole process.
 */
const policyThreadEndMs = 10_000

/**
 * Evaluates policies on threads of this process, for embedders who trust them. A policy that exhausts memory may abort
 * the process, and a thread caught in a native loop can be abandoned, but not ended.
 */
export const threadPlacement: SandboxPlacement = { hasSpare: false, start: (threads) => new SandboxThreads(threads) }

class SandboxThreads implements SandboxInstance {
  readonly channels: readonly Channel[]
  readonly ended: Promise<SandboxEnd>
  readonly #lines: readonly ThreadLine[]
  readonly #end = Promise.withResolvers<SandboxEnd>()
  #threads: ServingThreads | undefined
  #ready = 0
  #isKilled = false
  #isHung = false
  #ending: Promise<void> = Promise.resolve()

  constructor(count: number) {
    this.#lines = Array.from({ length: count }, openLine)
    this.channels = this.#lines.map((line) => this.#channelOf(line))
    this.ended = this.#end.promise
    void this.#start()
  }

  cpuMs(thread: string): Promise<number> {
    const { user, system } = process.cpuUsage()
    return Promise.resolve(cpuMsOfThread(thread) ?? (user + system) / 1000)
  }

  kill(isHung = false): void {
    if (this.#isKilled) return
    this.#isKilled = true
    this.#isHung = isHung
    this.#ending = this.#endThreads()
  }

  /** Ends the threads in good order if they respond, and by force if not. */
  async #endThreads(): Promise<void> {
    const closed = this.#lines.map(({ port }) => once(port, 'close'))
    for (const line of this.#lines) send(line, endServing)
    if (this.#threads !== undefined) await within(policyThreadEndMs, Promise.all(closed))
    for (const { port } of this.#lines) port.close()
    await this.#threads?.end()
  }

  async gone(): Promise<void> {
    // Time to end in good order, then by force. A thread that cannot be ended is not waited for.
    await within(this.#isHung ? limits.graceMs : policyThreadEndMs + limits.graceMs, this.#ending)
  }

  async #start(): Promise<void> {
    try {
      // INVARIANT: loaded here before any thread loads it: two threads that load it first, at once, crash the process.
      await import('isolated-vm')
      if (this.#isKilled) return
      this.#threads = startServing(this.#lines.map(({ far, sent }) => ({ port: far, sent })))
      await this.#threads.served
    } catch (error) {
      this.#end.resolve({ kind: 'failed', error })
    }
  }

  #channelOf(line: ThreadLine): Channel {
    const { port } = line
    port.on('close', () => this.#end.resolve({ kind: 'died', why: 'a thread died' }))
    return {
      write: (frames) => send(line, frames),
      onText: (take) => {
        port.once('message', () => this.#onReady())
        port.on('message', take)
        port.unref()
      },
    }
  }

  /** Lets each thread end its task once all threads are ready: a pool with tasks keeps its process alive. */
  #onReady(): void {
    this.#ready += 1
    if (this.#ready < this.#lines.length) return
    for (const line of this.#lines) send(line, letGo)
  }
}

/** The gate's end of what leads to one thread. */
interface ThreadLine {
  readonly port: MessagePort
  /** The thread's end. */
  readonly far: MessagePort
  /** One number in shared memory, which grows with each message: the thread sleeps until then. */
  readonly sent: Int32Array
}

function openLine(): ThreadLine {
  const { port1: port, port2: far } = new MessageChannel()
  return { port, far, sent: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) }
}

function send({ port, sent }: ThreadLine, message: PortMessage): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port between threads has no origin
  port.postMessage(message)
  Atomics.add(sent, 0, 1)
  Atomics.notify(sent, 0)
}

/** Waits for a promise, for at most `ms`. */
async function within(ms: number, end: Promise<unknown>): Promise<void> {
  const late = new AbortController()
  await Promise.race([end, sleep(ms, undefined, { signal: late.signal }).catch(() => {})])
  late.abort()
}
