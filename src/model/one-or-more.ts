/** What may be written as one or as several. */
export function listOf<T extends string>(one: T | readonly T[]): readonly T[] {
  return typeof one === 'string' ? [one] : one
}
