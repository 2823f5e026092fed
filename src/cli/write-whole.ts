import { writeSync } from 'node:fs'

/** Writes all of it, now: a pipe takes 64 KiB at a time, and `process.exit` would drop what is still queued. */
export function writeWhole(descriptor: 1 | 2, text: string): void {
  const bytes = Buffer.from(text)
  let at = 0
  while (at < bytes.length) {
    try {
      at += writeSync(descriptor, bytes, at)
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') continue
      // Nobody listens any more (EPIPE): there is no one left to tell.
      return
    }
  }
}
