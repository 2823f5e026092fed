import { memoize } from '../model/lazy.ts'
import type { Facts } from './declared/facts.ts'

/** The facts of one gate. What looks them up is loaded with the first policy that declares one. */
export function openFacts(surroundings: { env: Readonly<Record<string, string | undefined>> }): Facts {
  const opened = memoize(async () => (await import('./declared/facts.ts')).openFacts(surroundings))
  return { gather: async (requests, env) => (await opened()).gather(requests, env) }
}
