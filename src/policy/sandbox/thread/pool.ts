import { Piscina } from 'piscina'
import { entryFile } from '../../../files/program-files.ts'
import type { ServeTask } from './worker.ts'

/** Threads that evaluate policies, one for each task. */
export interface ServingThreads {
  /** Rejects when a thread dies. */
  readonly served: Promise<unknown>
  /** Ends the threads. Does not settle if one of them cannot be ended. */
  end(): Promise<void>
}

export function startServing(tasks: readonly ServeTask[]): ServingThreads {
  const threads = new Piscina<ServeTask, void>({
    filename: entryFile('policy/sandbox/thread/worker'),
    name: 'serveGate',
    minThreads: tasks.length,
    maxThreads: tasks.length,
    concurrentTasksPerWorker: 1,
    // With `sync` or `async` a thread whose task has ended sleeps in `Atomics.wait` and receives no messages.
    atomics: 'disabled',
    recordTiming: false,
    env: {},
  })
  const died = Promise.withResolvers<never>()
  threads.on('error', died.reject)
  const served = Promise.all(tasks.map((task) => threads.run(task)))
  return {
    served: Promise.race([served, died.promise]),
    end: () => threads.destroy().catch(() => {}),
  }
}
