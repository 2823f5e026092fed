/**
 * Paths of secrets. `a/b` is a file `b` in an `a`, wherever that is; `*` is any text of one name; `/**` at the end is
 * everything below; `?` is any one letter. In lower case.
 */
export interface Place {
  readonly at: string
  /** Names below that hold nothing secret. */
  readonly but?: readonly string[]
}

/** The places of a text, with blanks between; a blank in a name is `?`, any one letter. */
export const placesIn = (text: string, but: readonly string[] = []): readonly Place[] =>
  text
    .trim()
    .split(/\s+/)
    .map((at) => ({ at, but }))
