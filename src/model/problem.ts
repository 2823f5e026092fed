import { HookgateError, type Place, placeText } from './errors.ts'

/** A problem in a rules file or hook file: position, message and remedy. */
export interface Problem {
  /** An `error` refuses the file, and with it every event; a `warning` is for `hookgate check`. */
  readonly severity: 'error' | 'warning'
  readonly place: Place
  readonly message: string
  readonly remedy: string | undefined
}

export const isError = ({ severity }: Problem) => severity === 'error'

/** Orders problems by their files and lines. */
export const byPlace = ({ place: a }: Problem, { place: b }: Problem): number =>
  a.file.localeCompare(b.file) || (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0)

/** The reason why a part of a rule cannot be loaded. */
export interface Refusal {
  readonly kind: 'refused'
  readonly message: string
  readonly remedy: string | undefined
}

export function refused(message: string, remedy?: string): Refusal {
  return { kind: 'refused', message, remedy }
}

/** Formats a problem as `file:line:column: message; remedy`. */
export function problemText({ place, message, remedy }: Problem): string {
  return `${placeText(place)}: ${message}${remedy === undefined ? '' : `; ${remedy}`}`
}

/** Builds an exception from the first of several errors and the number of the others. */
export function problemsError(errors: readonly [Problem, ...Problem[]]): HookgateError {
  const [first, ...more] = errors
  const others = more.length === 0 ? '' : ` (and ${more.length} more, which \`hookgate check\` lists)`
  const remedy = first.remedy === undefined ? {} : { remedy: first.remedy }
  return new HookgateError('rulesMalformed', `${first.message}${others}`, { place: first.place, ...remedy })
}

/** A step into a JSON value: an object's key or an array's index. */
export type JsonPath = readonly PropertyKey[]

/** Returns the position of a value or of its key. If it does not exist, that of the nearest enclosing value. */
export type PlaceOf = (path: JsonPath, part: 'key' | 'value') => Place
