/** A position in a file, as editors print it: 1-based line and column. */
export interface Place {
  readonly file: string
  readonly line?: number
  readonly column?: number
}

/**
 * Error codes of hookgate itself. They are stable: scripts may test them.
 *
 * - `eventMalformed` the input is not an event of the named agent
 * - `eventTooLarge` the event is over `limits.eventBytesMax`
 * - `agentUnknown` no agent was named and the event's shape does not say which one sent it
 * - `rulesMalformed` a rules file cannot be read, parsed or understood
 * - `settingsMalformed` an agent's settings cannot be read, parsed or understood
 * - `settingsUnwritable` an agent's settings cannot be changed
 * - `bundleMalformed` a bundle of rules cannot be read, unpacked or understood
 * - `bundleKey` a key that signs bundles is missing, damaged, or not the one that is needed
 * - `bundleRepository` the folder of signed bundles cannot be read or written, or is not as it was signed
 * - `bundleUnverified` a bundle, or what is signed about it, fails verification
 * - `usage` the command line or an option is invalid
 * - `unavailable` the resident gate cannot be started, reached or ended, or its folder is unsuitable
 * - `closed` the gate was closed before or during the call
 * - `internal` a defect of hookgate
 */
export type ErrorCode =
  | 'eventMalformed'
  | 'eventTooLarge'
  | 'agentUnknown'
  | 'rulesMalformed'
  | 'settingsMalformed'
  | 'settingsUnwritable'
  | 'bundleMalformed'
  | 'bundleKey'
  | 'bundleRepository'
  | 'bundleUnverified'
  | 'usage'
  | 'unavailable'
  | 'closed'
  | 'internal'

/** The only exception that public functions throw: a stable code, a one-line message, a position and a remedy. */
export class HookgateError extends Error {
  override readonly name = 'HookgateError'
  readonly code: ErrorCode
  readonly place: Place | undefined
  readonly remedy: string | undefined

  constructor(code: ErrorCode, message: string, details: { place?: Place; remedy?: string; cause?: unknown } = {}) {
    super(message, details.cause === undefined ? {} : { cause: details.cause })
    this.code = code
    this.place = details.place
    this.remedy = details.remedy
  }
}

/** Formats a position as `file:line:column`, without the parts that are unknown. */
export function placeText({ file, line, column }: Place): string {
  return [file, line, column].filter((part) => part !== undefined).join(':')
}

/** Formats an error as one line for a person: position, message and remedy, never a stack trace. */
export function errorText(error: unknown): string {
  if (!(error instanceof HookgateError)) return error instanceof Error ? error.message : String(error)
  const where = error.place === undefined ? '' : `${placeText(error.place)}: `
  const remedy = error.remedy === undefined ? '' : `; ${error.remedy}`
  return `${where}${error.message}${remedy}`
}

/** Tells from a system error's text that the machine has no more processes, descriptors or memory to give. */
export const isResourceExhausted = (error: string): boolean => /\b(?:EMFILE|ENFILE|EAGAIN|ENOMEM)\b/.test(error)

/** Returns the code of a system error, such as `ENOENT`. */
export const codeOf = (cause: unknown): string | undefined =>
  cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined

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
