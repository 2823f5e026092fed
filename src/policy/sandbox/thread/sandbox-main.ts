/**
 * The process in which policies are evaluated: nobody vouches for them, and there are programs that bring down whatever
 * process they run in. Its threads each serve a socket of their own to the gate. This one thread runs nothing of a
 * policy's, so it is always there to say what CPU time the process has used.
 */
// INVARIANT: here before any thread has it: two threads that load it first, at once, crash the process.
// oxlint-disable-next-line import/no-unassigned-import -- that it is loaded is the point
import 'isolated-vm'
import { startServing } from './pool.ts'

/** Behind stdin, stdout, stderr and the channel of `fork`. */
const firstSocket = 4

const threads = Number(process.argv[2])

// `process.exit` waits for every thread, and one that is caught in a native loop never ends.
const end = () => process.kill(process.pid, 'SIGKILL')
process.on('disconnect', end)
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.((user + system) / 1000, undefined, undefined, () => {})
})

const tasks = Array.from({ length: threads }, (_, index) => ({ fd: firstSocket + index }))
// A thread that is lost is not replaced: the gate has a process in reserve.
startServing(tasks).served.then(end, end)
