import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { Answered, Candidate } from './candidate.ts'
import { linesIn } from './lines.ts'

const processFile = fileURLToPath(new URL('./floor-process.ts', import.meta.url))
const threadFile = fileURLToPath(new URL('./floor-thread.ts', import.meta.url))

/** Queues pending calls. Replies arrive in the order of requests. */
function waiting() {
  const pending: ((answered: Answered) => void)[] = []
  let first = 0
  return {
    ask: () => new Promise<Answered>((resolve) => pending.push(resolve)),
    answer: (count: number) => {
      for (let at = 0; at < count; at += 1) pending[first++]?.('abstain')
      // An empty queue is reset, so that it neither grows nor needs to be shifted.
      if (first === pending.length) pending.length = first = 0
    },
  }
}

/** Sends the event's bytes to another process, which returns two bytes. Node's stdio pipes are socket pairs. */
export function processFloor(): Candidate {
  const child = spawn(process.execPath, [processFile], { stdio: ['pipe', 'pipe', 'inherit'] })
  const { ask, answer } = waiting()
  child.stdout.on('data', (chunk: Buffer) => answer(linesIn(chunk)))
  return {
    name: 'floor, process',
    kind: 'floor',
    decide({ line }) {
      child.stdin.write(line)
      return ask()
    },
    close: () => void child.stdin.end(),
  }
}

/** Sends the event's text to a worker thread, which returns a number. */
export function threadFloor(): Candidate {
  const worker = new Worker(threadFile)
  const { ask, answer } = waiting()
  worker.on('message', () => answer(1))
  return {
    name: 'floor, thread',
    kind: 'floor',
    decide({ json }) {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      worker.postMessage(json)
      return ask()
    },
    close: () => void worker.terminate(),
  }
}
