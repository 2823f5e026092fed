import type { Place } from '../../../model/errors.ts'
import type { Rule, Source } from '../../../model/rule.ts'
import type { Problem } from '../../../model/problem.ts'
import type { PolicyBinding } from './binding.ts'

/** What one file or folder holds. Its rules count as trusted until `trust.ts` has looked at them. */
export interface Loaded {
  readonly source: Source
  readonly rules: readonly Rule[]
  readonly problems: readonly Problem[]
  readonly notes: readonly string[]
  /** Ids of the hooks in it that are left out, being how hookgate itself is asked. */
  readonly asking: readonly string[]
  readonly disableAllHooks: boolean
  /** Where each rule stands, by its id. */
  readonly places: ReadonlyMap<string, Place>
}

/** The same before its policies are loaded. */
export interface Draft extends Omit<Loaded, 'rules'> {
  /** In the order in which they are written. */
  readonly entries: readonly (Rule | PolicyBinding)[]
  /** The rules of packs that it turns on, those that it switches off among them. */
  readonly claimed: readonly string[]
}

export const isRule = (entry: Rule | PolicyBinding): entry is Rule => !isBinding(entry)
export const isBinding = (entry: Rule | PolicyBinding): entry is PolicyBinding => 'folder' in entry
