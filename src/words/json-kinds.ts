import { quoted } from '../model/text.ts'

/** Returns the kind of a JSON value as messages name it: `a string`, `an object`, `null`. */
export function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  // JSON has no infinity, but `JSON.parse` reads `1e999` as one.
  if (typeof value === 'number' && !Number.isFinite(value)) return 'a non-finite number'
  return kindNamed(typeof value)
}

/** Adds the article to the name of a kind from a schema. */
export function kindNamed(kind: string): string {
  if (kind === 'record') return 'an object'
  return `${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind}`
}

/** Describes a wrong value in place of a keyword: quotes a string, since it shows the mistake, else names its kind. */
export function wordOrKind(value: unknown): string {
  return typeof value === 'string' ? quoted(value) : kindOf(value)
}
