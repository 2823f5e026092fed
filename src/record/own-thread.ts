import { Worker } from 'node:worker_threads'
import { entryFile } from '../files/program-files.ts'
import { errorText } from '../model/errors.ts'
import type { Environment } from '../model/node-environment.ts'

/** A thread that works beside the gate, or the page. The process does not wait for its end, unless it is held. */
export interface OwnThread<Message> {
  post(message: Message): void
  /** Keeps the process alive until the thread has ended. */
  hold(): void
  terminate(): Promise<unknown>
}

interface ThreadStart {
  readonly entry: 'record/recorder-thread' | 'record/verify-thread' | 'record/export/export-thread' | 'ui/replay-thread'
  readonly name: string
  readonly workerData: object
  /** The memory of its young and old objects, in MB. */
  readonly heapMb: readonly [number, number]
  /** Default: no variables. */
  readonly env?: Environment
}

/**
 * Starts a thread, which has no variables of the environment but those that it is given.
 *
 * @param onEnd is called once, also if no thread can be started; without a reason if the thread has ended by itself
 */
export function startThread<Messages extends { readonly from: unknown; readonly to: unknown }>(
  { entry, name, workerData, heapMb: [young, old], env = {} }: ThreadStart,
  onMessage: (message: Messages['from']) => void,
  onEnd: (why?: string) => void,
): OwnThread<Messages['to']> {
  const worker = started()
  worker?.on('message', onMessage)
  let isOver = worker === undefined
  const end = (why?: string) => {
    if (!isOver) onEnd(why)
    isOver = true
  }
  worker?.on('error', (error) => end(`its thread died: ${errorText(error)}`))
  worker?.on('exit', () => end())
  worker?.unref()
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel between threads has no origin
    post: (message) => worker?.postMessage(message),
    hold: () => worker?.ref(),
    terminate: async () => worker?.terminate(),
  }

  function started(): Worker | undefined {
    const resourceLimits = { maxYoungGenerationSizeMb: young, maxOldGenerationSizeMb: old }
    try {
      return new Worker(entryFile(entry), { workerData, name, env: { ...env }, resourceLimits })
    } catch (error) {
      onEnd(`no thread can be started: ${errorText(error)}`)
      return undefined
    }
  }
}
