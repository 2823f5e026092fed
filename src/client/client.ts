/** What a client is made of, the fastest first. */
export const clientKinds = ['native', 'perl', 'node'] as const
export type ClientKind = (typeof clientKinds)[number]

/** A client that is installed on this machine. */
export interface Client {
  readonly kind: ClientKind
  /** An absolute path and the words before those of a call. */
  readonly command: readonly string[]
  /** What ends it from outside, whatever it does, and takes the seconds and the command: for one that may not end itself. */
  readonly deadline?: readonly string[]
  /** Variables that keep what runs it from heeding others, as the shell takes them. */
  readonly assignments: readonly string[]
  /** What runs the hook's file: an absolute path, and its one option. */
  readonly shell: readonly string[]
}
