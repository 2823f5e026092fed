import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import pLimit from 'p-limit'
import { HookgateError } from '../model/errors.ts'
import type { Failure } from '../model/failure.ts'
import { limits } from '../model/limits.ts'
import type { HookExit, HookProcess } from '../model/rule.ts'
import { CompanionPlacement } from './companion-placement.ts'
import { cancelledExit } from './exit-facts.ts'
import type { HookPlacement, RunningHook } from './spawn.ts'

/** Runs hook processes with limited concurrency. */
export interface HookRunner {
  /**
   * Runs a hook and never rejects for what it does. `durationMs` counts from the hook's start, not from this call: the wait
   * for other hooks is not its own time.
   *
   * @param signal ends the hook as `cancelled`; already aborted, nothing is started
   * @throws HookgateError `closed` after `close()`
   */
  run(hook: HookProcess, signal?: AbortSignal): Promise<HookExit>
  /**
   * Starts a hook without waiting for its end: it may outlive this process, but not its timeout, nor `close()`. Resolves
   * when it is started, or with the failure to start.
   */
  background(hook: HookProcess): Promise<Failure | undefined>
  /** Prepares for the first hook, which takes a tenth of a second better spent in parallel with other work. */
  warm(): void
  /**
   * Sends SIGKILL to the group of every awaited hook before it returns, and cancels the queued ones. For signal handlers.
   */
  killAll(): void
  /** Cancels every hook, waits for their end, and leaves no thread, process, handle or listener. */
  close(): Promise<void>
}

export interface HookRunnerOptions {
  /** How many hooks run at once. Default: twice the cores. */
  readonly concurrency?: number
  /** Which process starts hooks. Default: by the size of this one. */
  readonly starter?: HookStarter
}

/** The process that starts hooks: this one, from the pool's threads, or a small companion process. */
export type HookStarter = 'own' | 'companion'

/**
 * Resident memory from which a companion starts the hooks. A start copies the page tables of the process that starts:
 * 45 ms for each gigabyte, so that a hook of an editor's extension would begin 50 ms late (`bench/overhead.ts`).
 */
export const companionFromBytes = 384 * 1024 * 1024

export const starterFor = (residentBytes: number): HookStarter =>
  residentBytes < companionFromBytes ? 'own' : 'companion'

/** Loads the modules that start hooks, and returns the function that starts the runner. */
export async function loadHookRunner(options: HookRunnerOptions = {}): Promise<() => HookRunner> {
  const { concurrency = 2 * availableParallelism(), starter = starterFor(process.memoryUsage.rss()) } = options
  if (starter === 'companion') return () => startHookRunner(concurrency)
  const { HookPool } = await import('./pool.ts')
  return () => startHookRunner(concurrency, new HookPool(concurrency))
}

/** @param elsewhere placement of awaited hooks. Default: the companion, which starts all background hooks */
function startHookRunner(concurrency: number, elsewhere?: HookPlacement): HookRunner {
  const companion = new CompanionPlacement()
  const place = elsewhere ?? companion
  const limit = pLimit(concurrency)
  /** Cancel functions of the hooks that have not settled. */
  const unsettled = new Map<Promise<HookExit>, () => void>()
  let inBackground = 0
  let closed: Promise<void> | undefined

  function run(hook: HookProcess, signal?: AbortSignal): Promise<HookExit> {
    if (closed !== undefined) return Promise.reject(new HookgateError('closed', 'the hook runner is closed'))
    if (signal?.aborted === true) return Promise.resolve(cancelledExit(0))

    const { promise, resolve, reject } = Promise.withResolvers<HookExit>()
    let running: RunningHook | undefined
    const settle = (exit: HookExit) => {
      signal?.removeEventListener('abort', cancel)
      unsettled.delete(promise)
      resolve(exit)
    }
    const cancel = () => (running === undefined ? settle(cancelledExit(0)) : running.cancel())
    signal?.addEventListener('abort', cancel)
    unsettled.set(promise, cancel)
    limit(async () => {
      if (!unsettled.has(promise)) return
      running = place.start(hook)
      const exit = await running.exit
      // A place that is closed while it starts, or is stuck, is killed with the hooks in it.
      settle(closed !== undefined && isLost(exit) ? cancelledExit(exit.durationMs) : exit)
    }).catch(reject)
    return promise
  }

  async function background(hook: HookProcess): Promise<Failure | undefined> {
    if (closed !== undefined) throw new HookgateError('closed', 'the hook runner is closed')
    if (inBackground >= backgroundHooksMax) {
      return { code: 'spawnFailed', message: `${inBackground} background hooks are still running` }
    }
    inBackground += 1
    const { started, exit } = companion.linger(hook)
    void exit.then(() => (inBackground -= 1))
    return started
  }

  function cancelAll(): void {
    for (const cancel of unsettled.values()) cancel()
  }

  async function close(): Promise<void> {
    const ends = Promise.all(unsettled.keys())
    cancelAll()
    // A stuck companion or thread neither cancels nor reports an end; by then every other has.
    const stuck = new AbortController()
    await Promise.race([ends, sleep(2 * limits.graceMs, undefined, { signal: stuck.signal }).catch(() => {})])
    stuck.abort()
    place.killAll()
    await Promise.all([...new Set([place, companion])].map((one) => one.close()))
    await ends
  }

  return {
    run,
    background,
    warm: () => place.warm(),
    killAll() {
      cancelAll()
      place.killAll()
    },
    close: () => (closed ??= close()),
  }
}

const isLost = (exit: HookExit): boolean =>
  exit.kind === 'failed' && (exit.failure.code === 'workerLost' || exit.failure.code === 'exhausted')

/** Concurrent `async` hooks: if every tool call starts one that never ends, they would exhaust the machine. */
export const backgroundHooksMax = 64
