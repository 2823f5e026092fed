import { memoize } from '../model/lazy.ts'
import type { Facts } from './declared/facts.ts'
import { loadToolFacts } from './tool-call.ts'

/** Loads all that facts need, for a process that outlives its own program files. */
export async function loadFacts(): Promise<void> {
  await Promise.all([import('./declared/facts.ts'), loadToolFacts()])
}

/** Opens one gate's facts. The lookup code is loaded lazily, with the first policy that declares a fact. */
export function openFacts(surroundings: { env: Readonly<Record<string, string | undefined>> }): Facts {
  const opened = memoize(async () => (await import('./declared/facts.ts')).openFacts(surroundings))
  return { gather: async (requests, env) => (await opened()).gather(requests, env) }
}
