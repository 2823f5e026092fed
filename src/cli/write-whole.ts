import { writeSync } from 'node:fs'

/** How long to wait for whoever reads stdout, which is the answer, and stderr, which is a courtesy. */
const patienceMs = { 1: 30_000, 2: 1000 } as const
/** Between two tries to write into a full pipe. */
const pauseMs = 5

/** Writes all of it, now: a pipe takes 64 KiB at a time, and `process.exit` would drop what is still queued. */
export function writeWhole(descriptor: 1 | 2, text: string): void {
  const bytes = Buffer.from(text)
  const deadline = performance.now() + patienceMs[descriptor]
  let at = 0
  while (at < bytes.length) {
    try {
      at += writeSync(descriptor, bytes, at)
    } catch (error) {
      const isFull = error instanceof Error && 'code' in error && error.code === 'EAGAIN'
      // Nobody listens any more (EPIPE), or not for a long time: there is no one left to tell.
      if (!isFull || performance.now() > deadline) return
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs)
    }
  }
}
