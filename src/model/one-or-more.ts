/** Wraps a single value in a list and returns a list unchanged. */
export function listOf<T extends string>(one: T | readonly T[]): readonly T[] {
  return typeof one === 'string' ? [one] : one
}
