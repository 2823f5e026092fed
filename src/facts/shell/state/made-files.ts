/**
 * The files that the commands so far have made, and by which of them. A file that is made and then run in one text is
 * followed through what its writers were given: their words, their stdin, and the files that they read.
 */
export interface MadeFiles {
  /** The number of commands that have been looked through. */
  upTo: number
  readonly writers: Map<string, Set<number>>
  readonly all: Set<number>
  /** The writers whose files a program of the project may have run. */
  readonly run: Set<number>
  /** Mentions that have been started, by their text. */
  readonly started: Set<string>
}

export const noFiles = (): MadeFiles => ({
  upTo: 0,
  writers: new Map(),
  all: new Set(),
  run: new Set(),
  started: new Set(),
})
