import { lstatSync } from 'node:fs'
import type { Places } from './places.ts'

/**
 * Whether a gate's files are still those that it made. Who removes them (a cleaner of `/tmp`, a person who tidies up) makes
 * the gate impossible to find, and lets a second one be started beside it.
 */
export function reachable({ socket, socketFolder, gateLock }: Places): () => boolean {
  // A named pipe is there for as long as its process.
  const files = socketFolder === undefined ? [gateLock] : [socket, gateLock]
  const made = files.map(identityOf)
  return () => files.every((file, index) => identityOf(file) === made[index])
}

function identityOf(file: string): string | undefined {
  try {
    const { dev, ino } = lstatSync(file)
    return `${dev}:${ino}`
  } catch {
    return undefined
  }
}
