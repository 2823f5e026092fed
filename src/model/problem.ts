import { HookgateError, type Place, placeText } from './errors.ts'

/** What is wrong with a rules file or a hook's file, where, and how to mend it. */
export interface Problem {
  /** An `error` refuses the file, and with it every event; a `warning` is for `hookgate check`. */
  readonly severity: 'error' | 'warning'
  readonly place: Place
  readonly message: string
  readonly remedy: string | undefined
}

export const isError = ({ severity }: Problem) => severity === 'error'

/** Why a part of a rule cannot be loaded. */
export interface Refusal {
  readonly kind: 'refused'
  readonly message: string
  readonly remedy: string | undefined
}

export function refused(message: string, remedy?: string): Refusal {
  return { kind: 'refused', message, remedy }
}

/** `file:line:column: what is wrong; how to mend it`. */
export function problemText({ place, message, remedy }: Problem): string {
  return `${placeText(place)}: ${message}${remedy === undefined ? '' : `; ${remedy}`}`
}

/** The first of several errors, and how many more there are. */
export function problemsError(errors: readonly [Problem, ...Problem[]]): HookgateError {
  const [first, ...more] = errors
  const others = more.length === 0 ? '' : ` (and ${more.length} more, which \`hookgate check\` lists)`
  const remedy = first.remedy === undefined ? {} : { remedy: first.remedy }
  return new HookgateError('rulesMalformed', `${first.message}${others}`, { place: first.place, ...remedy })
}

/** A step into a JSON value: an object's key or an array's index. */
export type Path = readonly PropertyKey[]

/** Where a value stands, or the key before it; the nearest thing around it where there is no such value. */
export type PlaceOf = (path: Path, part: 'key' | 'value') => Place
