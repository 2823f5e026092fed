import type { State } from './state.ts'

/** The descriptors as they were, but for those of `<(…)` and `{fd}` that the command has opened for good. */
export function restored(
  now: State['descriptors'],
  inside: State['descriptors'],
  before: State['descriptors'],
): State['descriptors'] {
  if (now === inside) {
    const kept = [...inside].filter(([descriptor]) => descriptor >= 10 && !before.has(descriptor))
    return kept.length === 0 ? before : new Map([...before, ...kept])
  }
  const all = new Map(now)
  for (const descriptor of [0, 1, 2]) {
    const one = before.get(descriptor)
    if (one === undefined) all.delete(descriptor)
    else all.set(descriptor, one)
  }
  return all
}
