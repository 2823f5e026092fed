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

/**
 * What a function makes of what it is given, made once: for tables whose making takes long, regular expressions among
 * them (those with the flags `g` and `y` keep where they were, and are refused). At the top level of a module, the
 * function and what it is given are imported, so that it reaches nothing that is not frozen yet.
 *
 * INVARIANT: what is returned is a copy, of nothing but data: texts, numbers, lists, plain objects and regular
 * expressions. Of anything else it throws.
 */
export function tableOf<Given extends readonly unknown[], Made>(make: (...given: Given) => Made, ...given: Given): Made
export function tableOf(make: (...given: readonly unknown[]) => unknown, ...given: readonly unknown[]): unknown {
  try {
    return copied(make(...given))
  } catch (error) {
    throw new TypeError(`the table cannot be made: ${messageOf(error)}`)
  }
}

/** INVARIANT: nothing that was thrown leaves a module that is being made, for what receives it outside has no limit of time. */
function messageOf(thrown: unknown): string {
  try {
    return String(thrown instanceof Error ? thrown.message : thrown).slice(0, messageCharactersMax)
  } catch {
    return 'it threw something that cannot be inspected'
  }
}
const messageCharactersMax = 1000

function copied(value: unknown): unknown {
  switch (typeof value) {
    case 'function':
    case 'symbol':
      throw new TypeError(`a table holds data, not a ${typeof value}`)
    case 'object':
      return value === null ? null : Object.freeze(copiedObject(value))
    case 'bigint':
    case 'boolean':
    case 'number':
    case 'string':
    case 'undefined':
      return value
  }
}

/** What passes itself off as something else is copied as that, or makes this throw. */
function copiedObject(value: object): object {
  if (Array.isArray(value)) return Array.from({ length: value.length }, (_, at): unknown => copied(value[at]))
  if (!(value instanceof RegExp)) {
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, copied(one)]))
  }
  const copy = new RegExp(value.source, value.flags)
  if (/[gy]/.test(copy.flags)) throw new TypeError('a regular expression in a table cannot have the flag `g` or `y`')
  return copy
}
