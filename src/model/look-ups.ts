/** An immutable set. */
export interface SetOf<Member> {
  has(member: Member): boolean
  readonly members: readonly Member[]
}

/** An immutable map. */
export interface MapOf<Key, Value> {
  get(key: Key): Value | undefined
  has(key: Key): boolean
  readonly entries: readonly (readonly [key: Key, value: Value])[]
}

/**
 * Creates an immutable set from a list, or from the words of a string. A policy module with only such sets at its top
 * level need not be run again for each evaluation.
 *
 * INVARIANT: the members are reachable for freezing, and the inner `Set` is reachable only through lookups.
 */
export function setOf(words: string): SetOf<string>
export function setOf<Member>(members: readonly Member[]): SetOf<Member>
export function setOf<Member>(given: string | readonly Member[]): SetOf<string | Member> {
  const members = typeof given === 'string' ? given.trim().split(/\s+/) : [...given]
  const known = new Set<string | Member>(members)
  return Object.freeze({ has: (member: string | Member) => known.has(member), members: Object.freeze(members) })
}

/** Creates an immutable map from `[key, value]` pairs. */
export function mapOf<Key, Value>(pairs: readonly (readonly [key: Key, value: Value])[]): MapOf<Key, Value> {
  const known = new Map(pairs)
  return Object.freeze({
    get: (key: Key) => known.get(key),
    has: (key: Key) => known.has(key),
    entries: Object.freeze([...known]),
  })
}

/**
 * Computes a table once and freezes it, for tables that are expensive to build. Regular expressions are allowed, except
 * with the flags `g` and `y`, which make them stateful. At the top level of a module, the function and its arguments
 * must be imported, so that it reaches nothing that is not frozen yet.
 *
 * INVARIANT: the result is a copy that contains only data: primitives, arrays, plain objects and regular expressions.
 * Anything else throws.
 */
export function tableOf<Given extends readonly unknown[], Made>(make: (...given: Given) => Made, ...given: Given): Made
export function tableOf(make: (...given: readonly unknown[]) => unknown, ...given: readonly unknown[]): unknown {
  try {
    return copied(make(...given))
  } catch (error) {
    // oxlint-disable-next-line preserve-caught-error -- the cause is a value of the policy's own, which must not leave
    throw new TypeError(`the table cannot be made: ${messageOf(error)}`)
  }
}

/** INVARIANT: no thrown value leaves a module under evaluation, since its receiver runs without a time limit. */
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

/** Copies an object. One that imitates another type is copied as that type, or makes this throw. */
function copiedObject(value: object): object {
  if (Array.isArray(value)) return Array.from({ length: value.length }, (_, at): unknown => copied(value[at]))
  if (!(value instanceof RegExp)) {
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, copied(one)]))
  }
  const copy = new RegExp(value.source, value.flags)
  if (/[gy]/.test(copy.flags)) throw new TypeError('a regular expression in a table cannot have the flag `g` or `y`')
  return copy
}
