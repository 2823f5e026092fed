import { quoted } from './text.ts'

/** The kind of a JSON value as messages name it: `a string`, `an object`, `null`. */
export function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  // JSON has no infinity, but `1e999` is read as one.
  if (typeof value === 'number' && !Number.isFinite(value)) return 'a non-finite number'
  return kindNamed(typeof value)
}

/** The same for a kind that a schema names. */
export function kindNamed(kind: string): string {
  if (kind === 'record') return 'an object'
  return `${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind}`
}

/** What stands where one of a few words should: a wrong word is repeated, since it says what was mistaken. */
export function wordOrKind(value: unknown): string {
  return typeof value === 'string' ? quoted(value) : kindOf(value)
}
