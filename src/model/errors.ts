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
