import type { Impact } from '../../../model/impact.ts'

/** What a text in the language of a data store does: SQL, code for MongoDB, commands of Redis. */
export interface TextDeed extends Pick<Impact, 'kind' | 'thing' | 'undo' | 'object' | 'names'> {
  readonly extent?: Impact['extent']
  /** The words of the text that say so: `DROP TABLE`. Empty if there are too many. */
  readonly words: string
}
