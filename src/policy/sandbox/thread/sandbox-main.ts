/**
 * The main thread of the process that evaluates policies. Policies are untrusted, and some programs crash any process
 * they run in. Each worker thread serves the gate over a socket of its own. This thread runs no policy code, so it can
 * always report the CPU time that the process has used.
 */
// INVARIANT: loaded here before any worker loads it: two threads that load it first, at once, crash the process.
// oxlint-disable-next-line import/no-unassigned-import -- imported only to load the addon
import 'isolated-vm'
import { Piscina } from 'piscina'
import { entryFile } from '../../../files/program-files.ts'
import type { ServeTask } from './worker.ts'

/** The first worker's file descriptor: it follows stdin, stdout, stderr and the channel of `fork`. */
const firstSocket = 4

const threadCount = Number(process.argv[2])

// `process.exit` waits for every thread, and a thread that is caught in a native loop never ends.
const end = () => process.kill(process.pid, 'SIGKILL')
process.on('disconnect', end)
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.((user + system) / 1000, undefined, undefined, () => {})
})

const threads = new Piscina<ServeTask, void>({
  filename: entryFile('policy/sandbox/thread/worker'),
  name: 'serveGate',
  minThreads: threadCount,
  maxThreads: threadCount,
  concurrentTasksPerWorker: 1,
  // With `sync` or `async` a thread whose task has ended sleeps in `Atomics.wait` and receives no messages.
  atomics: 'disabled',
  recordTiming: false,
  env: {},
})
// A lost thread is not replaced: the gate has a spare process.
threads.on('error', end)
const tasks = Array.from({ length: threadCount }, (_, index) => ({ fd: firstSocket + index }))
Promise.all(tasks.map((task) => threads.run(task))).then(end, end)
