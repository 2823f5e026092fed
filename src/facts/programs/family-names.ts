import { families } from './families.ts'
import type { Family } from './program.ts'
import { names } from './words.ts'

/** A family by the names of its programs. */
export interface NamedFamily {
  readonly names: readonly string[]
  readonly load: () => Family
}

/**
 * All families. In its place the build puts one that has the names alone (`build/families.ts`): making what is said of all
 * programs takes longer than a Node process that does nothing, and a call is of three or four families.
 */
export const namedFamilies: readonly NamedFamily[] = families.map((family) => ({
  names: Object.keys(family.programs).flatMap(names),
  load: () => family,
}))
