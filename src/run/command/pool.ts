import { randomUUID } from 'node:crypto'
import { BroadcastChannel } from 'node:worker_threads'
import { Piscina } from 'piscina'
import { errorText, HookgateError } from '../../model/errors.ts'
import { limits } from '../../model/limits.ts'
import type { HookExit, HookProcess } from '../../model/process.ts'
import { entryFile } from './entry.ts'
import { failedExit } from './exit-facts.ts'
import { killGroup } from './kill-group.ts'
import { PidTable } from './pid-table.ts'
import type { Placement, RunningHook } from './placement.ts'
import { Reaper } from './reaper.ts'
import type { HookTask, ThreadData } from './worker.ts'

/** Starts hooks from worker threads of this process. */
export class HookPool implements Placement {
  readonly #table: PidTable
  readonly #free: number[]
  readonly #cancels: BroadcastChannel
  #threads: Piscina<HookTask, HookExit> | undefined
  readonly #concurrency: number
  readonly #reaper = new Reaper()
  readonly #onExit = () => this.killAll()

  /** @param concurrency how many hooks will be running at once, at most */
  constructor(concurrency: number) {
    this.#concurrency = concurrency
    this.#table = PidTable.ofSlots(concurrency)
    this.#free = Array.from({ length: concurrency }, (_, slot) => slot)
    this.#cancels = new BroadcastChannel(`hookgate-cancels-${randomUUID()}`)
    this.#cancels.unref()
    process.on('exit', this.#onExit)
  }

  warm(): void {
    this.#pool()
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
    process.off('exit', this.#onExit)
    this.#reaper.close()
    this.#cancels.close()
    await this.#threads?.destroy()
  }

  #pool(): Piscina<HookTask, HookExit> {
    const data: ThreadData = { pids: this.#table.shared, cancels: this.#cancels.name }
    return (this.#threads ??= startThreads(this.#concurrency, data))
  }

  /** piscina's own `signal` would end the thread and leave its processes alive; that is why cancelling goes elsewhere. */
  async #run(task: HookTask): Promise<HookExit> {
    const startedAt = performance.now()
    try {
      return await this.#pool().run(task)
    } catch (error) {
      const pid = this.#table.pid(task.slot)
      if (pid !== undefined) killGroup(pid)
      const message = `the thread that ran it died: ${errorText(error)}`
      return failedExit({ code: 'workerLost', message }, performance.now() - startedAt)
    }
  }
}

function startThreads(concurrency: number, data: ThreadData): Piscina<HookTask, HookExit> {
  const pool = new Piscina<HookTask, HookExit>({
    filename: entryFile('worker'),
    name: 'runHook',
    workerData: data,
    minThreads: limits.hookThreads,
    maxThreads: limits.hookThreads,
    // A thread has next to nothing to do while its hooks run, so it takes as many as may run.
    concurrentTasksPerWorker: Math.ceil(concurrency / limits.hookThreads),
    // With `sync` an idle thread sleeps in `Atomics.wait` and hears nothing: not the exit of a process that was killed
    // when its hook had settled, which would stay a zombie. `async` saves nothing measurable beside a process start.
    atomics: 'disabled',
    recordTiming: false,
  })
  // A thread that dies with no hook to tell it to; the next hook gets another thread.
  pool.on('error', () => {})
  return pool
}
