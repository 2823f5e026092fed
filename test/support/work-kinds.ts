/** A shell command, or a call of another tool. */
export type Call = string | readonly [tool: string, input: Readonly<Record<string, unknown>>]

/** Calls of one kind of work: those that a person must be asked about, and everyday neighbours that pass. */
export interface WorkKind {
  readonly kind: string
  readonly stopped: readonly Call[]
  readonly free: readonly Call[]
}

export const titleOf = (call: Call): string =>
  typeof call === 'string' ? call : `${call[0]} ${JSON.stringify(call[1])}`
