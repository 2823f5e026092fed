import type { ScopeStatus } from './install-context.ts'

/** An agent runs what every scope registers. It does no harm but takes time. */
export function askedTwice(scopes: readonly ScopeStatus[]): readonly string[] {
  const registered = new Set(scopes.filter(({ state }) => state !== 'absent').map(({ scope }) => scope))
  return registered.size < 2
    ? []
    : ['it is registered both for you and for the project, so hookgate is asked twice at each event']
}
