import { basename } from 'node:path'
import type { Place } from '../../../model/errors.ts'
import type { OnFailure } from '../../../model/effect.ts'
import type { JsonObject } from '../../../model/json.ts'
import type { Path } from '../../../model/problem.ts'

/** Returns the id of a pack's rule, from the name of its file. */
export const idOf = (file: string) => basename(file).replace(/\.policy\.m?[jt]s$/, '')

/** A pack that is turned on, with its settings. Its rules apply to the events that they declare themselves. */
export interface PackUse {
  readonly name: string
  /** The prefix of its rules' ids: `user:hooks.json/git-safety/`. */
  readonly prefix: string
  /** Params for every rule that declares them. */
  readonly params: JsonObject
  readonly onFailure: OnFailure | undefined
  /** Returns the position of a part of the entry that turns the pack on. */
  place(part: Path, of: 'key' | 'value'): Place
}
