import type { Place } from '../../../model/errors.ts'
import type { Rule, Source } from '../../../model/rule.ts'
import type { Problem } from '../../../model/problem.ts'
import type { PolicyBinding } from './binding.ts'

/** The rules of one file or folder. They count as trusted until `trust.ts` has checked them. */
export interface Loaded {
  readonly source: Source
  readonly rules: readonly Rule[]
  readonly problems: readonly Problem[]
  readonly notes: readonly string[]
  /** Ids of the hooks that are left out because they only call hookgate itself. */
  readonly asking: readonly string[]
  readonly disableAllHooks: boolean
  /** The position of each rule, by its id. */
  readonly places: ReadonlyMap<string, Place>
}

/** The content of one file or folder before its policies are loaded. */
export interface Draft extends Omit<Loaded, 'rules'> {
  /** In the order in which they are written. */
  readonly entries: readonly (Rule | PolicyBinding)[]
  /** The files of all rules of the packs turned on, including disabled ones. */
  readonly claimed: readonly string[]
}

export const isRule = (entry: Rule | PolicyBinding): entry is Rule => !isBinding(entry)
export const isBinding = (entry: Rule | PolicyBinding): entry is PolicyBinding => 'folder' in entry
