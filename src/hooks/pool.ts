import { randomUUID } from 'node:crypto'
import { BroadcastChannel } from 'node:worker_threads'
import { Piscina } from 'piscina'
import { errorText, HookgateError } from '../model/errors.ts'
import type { Failure } from '../model/failure.ts'
import type { HookExit, HookProcess } from '../model/rule.ts'
import { entryFile } from '../files/program-files.ts'
import { failedExit } from './exit-facts.ts'
import { killGroup, Reaper, PidTable } from './reaper.ts'
import type { HookPlacement, RunningHook } from './spawn.ts'
import { exhausted } from './start-failure.ts'
import type { HookTask, ThreadData } from './worker.ts'

/** Pools that have threads. They share one `exit` listener: Node warns of a leak at the eleventh. */
const running = new Set<HookPool>()
const killRunning = () => running.forEach((pool) => pool.killAll())

/** Starts hooks from worker threads of this process. */
export class HookPool implements HookPlacement {
  readonly #table: PidTable
  readonly #free: number[]
  readonly #cancels: BroadcastChannel
  #threads: Piscina<HookTask, HookExit> | undefined
  #discarded: Promise<unknown> = Promise.resolve()
  readonly #concurrency: number
  readonly #reaper = new Reaper()

  /** @param concurrency how many hooks will be running at once, at most */
  constructor(concurrency: number) {
    this.#concurrency = concurrency
    this.#table = PidTable.ofSlots(concurrency)
    this.#free = Array.from({ length: concurrency }, (_, slot) => slot)
    this.#cancels = new BroadcastChannel(`hookgate-cancels-${randomUUID()}`)
    this.#cancels.unref()
  }

  warm(): void {
    try {
      this.#pool()
    } catch {
      // The machine has no room for a thread. The next hook fails as exhausted, if that is still so.
    }
  }

  start(hook: HookProcess): RunningHook {
    const slot = this.#free.pop()
    if (slot === undefined) throw new HookgateError('internal', 'a pool was given more hooks than it was made for')
    this.#table.clear(slot)
    let settled = false
    const unwatch = this.#reaper.watch(() => this.#table.pid(slot))
    const exit = this.#run({ slot, hook }).finally(() => {
      settled = true
      unwatch()
      this.#free.push(slot)
    })
    const cancel = () => {
      if (settled) return
      this.#table.cancel(slot)
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel between threads has no origin
      this.#cancels.postMessage(null)
    }
    return { exit, cancel }
  }

  killAll(): void {
    for (const pid of this.#table.cancelAll()) killGroup(pid)
  }

  async close(): Promise<void> {
    running.delete(this)
    if (running.size === 0) process.off('exit', killRunning)
    this.#reaper.close()
    this.#cancels.close()
    await Promise.all([this.#threads?.destroy(), this.#discarded])
  }

  #pool(): Piscina<HookTask, HookExit> {
    if (this.#threads !== undefined) return this.#threads
    const data: ThreadData = { pids: this.#table.shared, cancels: this.#cancels.name }
    const threads = startThreads(this.#concurrency, data)
    if (running.size === 0) process.on('exit', killRunning)
    running.add(this)
    // A thread that dies while it runs no hook.
    threads.on('error', () => this.#discard(threads))
    this.#threads = threads
    return threads
  }

  #loss(slot: number, error: unknown): Failure {
    // A thread that starts without free descriptors or memory dies with the error of whatever it needs first.
    if (!this.#table.isTaken(slot)) return exhausted(`a thread died before it could: ${errorText(error)}`)
    const pid = this.#table.pid(slot)
    if (pid !== undefined) killGroup(pid)
    return { code: 'workerLost', message: `the thread that ran it died: ${errorText(error)}` }
  }

  /**
   * The next hook gets other threads. piscina's own replacement is not to be relied on: once one could not be started it
   * never tries again, and what is given to it then waits for ever.
   */
  #discard(threads: Piscina<HookTask, HookExit>): void {
    if (this.#threads !== threads) return
    this.#threads = undefined
    this.#discarded = Promise.all([this.#discarded, threads.destroy()])
  }

  /** piscina's own `signal` would end the thread and leave its processes alive; that is why cancelling goes elsewhere. */
  async #run(task: HookTask): Promise<HookExit> {
    const startedAt = performance.now()
    let threads: Piscina<HookTask, HookExit> | undefined
    try {
      threads = this.#pool()
      return await threads.run(task)
    } catch (error) {
      if (threads !== undefined) this.#discard(threads)
      return failedExit(this.#loss(task.slot, error), performance.now() - startedAt)
    }
  }
}

function startThreads(concurrency: number, data: ThreadData): Piscina<HookTask, HookExit> {
  return new Piscina<HookTask, HookExit>({
    filename: entryFile('hooks/worker'),
    name: 'runHook',
    workerData: data,
    minThreads: hookThreads,
    maxThreads: hookThreads,
    // A thread has next to nothing to do while its hooks run, so it takes as many as may run.
    concurrentTasksPerWorker: Math.ceil(concurrency / hookThreads),
    // With `sync` an idle thread sleeps in `Atomics.wait` and misses events: the exit of a process that was killed
    // after its hook had settled, which would stay a zombie. `async` saves nothing measurable beside a process start.
    atomics: 'disabled',
    recordTiming: false,
  })
}
/**
 * Threads of one pool. A start blocks its thread for 2 ms, most of it in a kernel lock of the whole process: a second
 * thread gained 5 % for eight hooks at once and cost as much for a single one.
 */
export const hookThreads = 1
