import { memoize } from '../model/lazy.ts'
import type { Facts } from './declared/facts.ts'

/** Opens one gate's facts. The lookup code is loaded lazily, with the first policy that declares a fact. */
export function openFacts(surroundings: { env: Readonly<Record<string, string | undefined>> }): Facts {
  const opened = memoize(async () => (await import('./declared/facts.ts')).openFacts(surroundings))
  return { gather: async (requests, env) => (await opened()).gather(requests, env) }
}
