import { writeSync } from 'node:fs'

/** Wait for the reader of stdout, which holds the answer, and of stderr, which is optional. */
const patienceMs = { 1: 30_000, 2: 1000 } as const
/** Pause between two attempts to write into a full pipe. */
const pauseMs = 5

/**
 * Writes all of the text synchronously: a pipe holds 64 KiB, and `process.exit` would drop queued data.
 *
 * @returns false if the reader is gone, or does not read
 */
export function writeWhole(descriptor: 1 | 2, text: string, waitMs: number = patienceMs[descriptor]): boolean {
  const bytes = Buffer.from(text)
  const deadline = performance.now() + waitMs
  let at = 0
  while (at < bytes.length) {
    try {
      at += writeSync(descriptor, bytes, at)
    } catch (error) {
      const isFull = error instanceof Error && 'code' in error && error.code === 'EAGAIN'
      // The reader is gone (EPIPE) or has not read for a long time.
      if (!isFull || performance.now() > deadline) return false
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs)
    }
  }
  return true
}
