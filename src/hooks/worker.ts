import { BroadcastChannel, workerData } from 'node:worker_threads'
import type { HookExit, HookProcess } from '../model/rule.ts'
import { cancelledExit } from './exit-facts.ts'
import { PidTable } from './reaper.ts'
import { startHook, type RunningHook } from './spawn.ts'

/** Data that every thread of a pool receives at its start. */
export interface ThreadData {
  readonly pids: SharedArrayBuffer
  /** Name of the channel whose messages mean: check the table for cancelled hooks. */
  readonly cancels: string
}

export interface HookTask {
  readonly slot: number
  readonly hook: HookProcess
}

const { pids, cancels } = threadData(workerData)
const table = new PidTable(pids)
const running = new Map<number, RunningHook>()

// A cancellation may overtake the hook itself, so its message carries nothing: the table is what counts.
const channel = new BroadcastChannel(cancels)
channel.addEventListener('message', () => {
  for (const [slot, hook] of running) if (table.isCancelled(slot)) hook.cancel()
})
channel.unref()

/** The pool's one task: runs a hook from this thread. */
export async function runHook({ slot, hook }: HookTask): Promise<HookExit> {
  table.starting(slot)
  if (table.isCancelled(slot)) {
    table.ended(slot)
    return cancelledExit(0)
  }
  const started = startHook(hook, (pid) => table.started(slot, pid))
  running.set(slot, started)
  if (table.isCancelled(slot)) started.cancel()
  const exit = await started.exit
  running.delete(slot)
  table.ended(slot)
  return exit
}

function threadData(given: unknown): ThreadData {
  if (typeof given === 'object' && given !== null && 'pids' in given && 'cancels' in given) {
    const { pids: shared, cancels: name } = given
    if (shared instanceof SharedArrayBuffer && typeof name === 'string') return { pids: shared, cancels: name }
  }
  throw new TypeError('this file is the worker thread of a hook pool and cannot be run by itself')
}
