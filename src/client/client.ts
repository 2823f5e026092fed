/** The kinds of client, the fastest first: a compiled C program, else Node. */
export const clientKinds = ['native', 'node'] as const
export type ClientKind = (typeof clientKinds)[number]

/** A client that is installed on this machine. */
export interface Client {
  readonly kind: ClientKind
  /** An absolute path and the words before those of a call. */
  readonly command: readonly string[]
  /** Command that kills the client from outside after a number of seconds, for a client that may hang. */
  readonly deadline?: readonly string[]
  /** Shell assignments in front of the command, which switch off variables that its runtime would obey. */
  readonly assignments: readonly string[]
  /** The shell that runs the hook's file: an absolute path, and its one option. */
  readonly shell: readonly string[]
}
