import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { limits } from '../../../model/limits.ts'
import type { Channel, SandboxEnd, SandboxPlacement, SandboxInstance } from './placement.ts'
import { type ServingThreads, startServing } from '../thread/pool.ts'
import { endServing, letGo } from '../wire/frames.ts'
import { cpuMsOfThread } from '../wire/thread-cpu.ts'

/**
 * Evaluates policies on threads of this process, for embedders who trust them. A policy that exhausts memory may abort
 * the process, and a thread caught in a native loop can be abandoned, but not ended.
 */
export const threadPlacement: SandboxPlacement = { hasSpare: false, start: (threads) => new SandboxThreads(threads) }

class SandboxThreads implements SandboxInstance {
  readonly channels: readonly Channel[]
  readonly ended: Promise<SandboxEnd>
  readonly #ports: readonly MessagePort[]
  readonly #end = Promise.withResolvers<SandboxEnd>()
  #threads: ServingThreads | undefined
  #ready = 0
  #isKilled = false
  #isHung = false
  #ending: Promise<void> = Promise.resolve()

  constructor(count: number) {
    const pairs = Array.from({ length: count }, () => new MessageChannel())
    this.#ports = pairs.map(({ port1 }) => port1)
    this.channels = this.#ports.map((port) => this.#channelOf(port))
    this.ended = this.#end.promise
    void this.#start(pairs.map(({ port2 }) => port2))
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
    const closed = this.#ports.map((port) => once(port, 'close'))
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port between threads has no origin
    for (const port of this.#ports) port.postMessage(endServing)
    if (this.#threads !== undefined) await within(limits.policyThreadEndMs, Promise.all(closed))
    for (const port of this.#ports) port.close()
    await this.#threads?.end()
  }

  async gone(): Promise<void> {
    // Time to end in good order, then by force. A thread that cannot be ended is not waited for.
    await within(this.#isHung ? limits.graceMs : limits.policyThreadEndMs + limits.graceMs, this.#ending)
  }

  async #start(ports: readonly MessagePort[]): Promise<void> {
    try {
      // INVARIANT: loaded here before any thread loads it: two threads that load it first, at once, crash the process.
      await import('isolated-vm')
      if (this.#isKilled) return
      this.#threads = startServing(ports.map((port) => ({ port })))
      await this.#threads.served
    } catch (error) {
      this.#end.resolve({ kind: 'failed', error })
    }
  }

  #channelOf(port: MessagePort): Channel {
    port.on('close', () => this.#end.resolve({ kind: 'died', why: 'a thread died' }))
    return {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port between threads has no origin
      write: (frames) => port.postMessage(frames),
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
    if (this.#ready < this.#ports.length) return
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port between threads has no origin
    for (const port of this.#ports) port.postMessage(letGo)
  }
}

/** Waits for a promise, for at most `ms`. */
async function within(ms: number, end: Promise<unknown>): Promise<void> {
  const late = new AbortController()
  await Promise.race([end, sleep(ms, undefined, { signal: late.signal }).catch(() => {})])
  late.abort()
}
