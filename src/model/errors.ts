/** A place in a file, as editors print it: 1-based line and column. */
export interface Place {
  readonly file: string
  readonly line?: number
  readonly column?: number
}

/**
 * What can go wrong on our side. Codes are stable: scripts may test them.
 *
 * - `eventMalformed` what was sent is no event of the named agent
 * - `eventTooLarge` the event is over `limits.eventBytesMax`
 * - `agentUnknown` no agent was named and the event's shape does not say which one sent it
 * - `rulesMalformed` a rules file cannot be read, parsed or understood
 * - `settingsMalformed` an agent's settings cannot be read, parsed or understood
 * - `settingsUnwritable` an agent's settings cannot be changed
 * - `usage` the command line is off
 * - `unavailable` the resident gate cannot be started, reached or ended, or its folder is not fit for it
 * - `closed` the gate was closed before or while it was asked
 * - `internal` a defect of hookgate
 */
export type ErrorCode =
  | 'eventMalformed'
  | 'eventTooLarge'
  | 'agentUnknown'
  | 'rulesMalformed'
  | 'settingsMalformed'
  | 'settingsUnwritable'
  | 'usage'
  | 'unavailable'
  | 'closed'
  | 'internal'

/** The only exception that leaves a public function: a stable code, one line saying what is wrong, where, and how to mend it. */
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

/** `file:line:column`, as far as it is known. */
export function placeText({ file, line, column }: Place): string {
  return [file, line, column].filter((part) => part !== undefined).join(':')
}

/** One line for a person: where, what, and what to do. Never a stack trace. */
export function errorText(error: unknown): string {
  if (!(error instanceof HookgateError)) return error instanceof Error ? error.message : String(error)
  const where = error.place === undefined ? '' : `${placeText(error.place)}: `
  const remedy = error.remedy === undefined ? '' : `; ${error.remedy}`
  return `${where}${error.message}${remedy}`
}
