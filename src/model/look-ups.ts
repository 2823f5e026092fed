/** What is looked up by being there or not. */
export interface SetOf<Member> {
  has(member: Member): boolean
  readonly members: readonly Member[]
}

/** What is looked up by a key. */
export interface MapOf<Key, Value> {
  get(key: Key): Value | undefined
  has(key: Key): boolean
  readonly entries: readonly (readonly [key: Key, value: Value])[]
}

/**
 * A set that cannot be changed, of a list or of the words of a text. A module that has no other kind of set at its top
 * level need not be run again for each evaluation.
 *
 * INVARIANT: the members are where freezing finds them, and nothing leads to the `Set` but looking up.
 */
export function setOf(words: string): SetOf<string>
export function setOf<Member>(members: readonly Member[]): SetOf<Member>
export function setOf<Member>(given: string | readonly Member[]): SetOf<string | Member> {
  const members = typeof given === 'string' ? given.trim().split(/\s+/) : [...given]
  const known = new Set<string | Member>(members)
  return Object.freeze({ has: (member: string | Member) => known.has(member), members: Object.freeze(members) })
}

/** The same of a map, of `[key, value]` pairs. */
export function mapOf<Key, Value>(pairs: readonly (readonly [key: Key, value: Value])[]): MapOf<Key, Value> {
  const known = new Map(pairs)
  return Object.freeze({
    get: (key: Key) => known.get(key),
    has: (key: Key) => known.has(key),
    entries: Object.freeze([...known]),
  })
}
