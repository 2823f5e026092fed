import type { Impact, ImpactKind, ImpactThing } from '../../../model/impact.ts'

/** The effect of a text in the language of a data store: SQL, code for MongoDB, commands of Redis. */
export interface TextDeed extends Pick<Impact, 'kind' | 'thing' | 'undo' | 'object' | 'names'> {
  readonly extent?: Impact['extent']
  /** The words of the text that say so: `DROP TABLE`. Empty if there are too many. */
  readonly words: string
}

/** The effect of one kind of statement. */
export type StatementEffect = readonly [kind: ImpactKind, thing: ImpactThing, object?: string, extent?: 'all']
