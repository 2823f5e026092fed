import { basename } from 'node:path'
import type { Place } from '../../../model/errors.ts'
import type { OnFailure } from '../../../model/effect.ts'
import type { JsonObject } from '../../../model/json.ts'
import type { Path } from '../../../model/problem.ts'

/** What a rule of a pack is called, by the name of its file. */
export const idOf = (file: string) => basename(file).replace(/\.policy\.m?[jt]s$/, '')

/** A pack that is in force, and what is said where it is turned on. Its rules hear what they say themselves. */
export interface PackUse {
  readonly name: string
  /** What the ids of its rules begin with: `user:hooks.json/git-safety/`. */
  readonly prefix: string
  /** For every rule that declares them. */
  readonly params: JsonObject
  readonly onFailure: OnFailure | undefined
  /** Where a part of what turns it on stands. */
  place(part: Path, of: 'key' | 'value'): Place
}
