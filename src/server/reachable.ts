import { lstatSync } from 'node:fs'
import type { Places } from './places.ts'

/**
 * Returns a check of whether a gate's socket and lock are still the files that it created. If they are removed, by a
 * `/tmp` cleaner or a user, clients cannot find the gate, and a second one can start beside it.
 */
export function reachable({ socket, socketFolder, gateLock }: Places): () => boolean {
  // A named pipe exists as long as its process, so there is nothing to check.
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
