import type { Impact, ImpactKind, ImpactThing } from '../../../model/impact.ts'

/** The effect of a text in the language of a data store: SQL, code for MongoDB, commands of Redis. */
export interface TextDeed extends Pick<Impact, 'kind' | 'thing' | 'undo' | 'object' | 'names'> {
  readonly extent?: Impact['extent']
  /** The words of the text that say so: `DROP TABLE`. Empty if there are too many. */
  readonly words: string
}

/** The effect of one kind of statement. */
export type StatementEffect = readonly [kind: ImpactKind, thing: ImpactThing, object?: string, extent?: 'all']

/**
 * How much of a text of another language is read, in UTF-16 units. Patterns that look for what closes a text or a
 * comment take time by the square of it; statements on a command line are far shorter. What is
 * longer is asked about.
 */
export const charactersReadMax = 8_192

/**
 * How much of code on a command line is searched for a start of what it fetches, decodes or receives, in UTF-16 units. These
 * patterns take linear time. Code that is longer than what is read above is asked about.
 */
export const codeSearchedMax = 65_536
