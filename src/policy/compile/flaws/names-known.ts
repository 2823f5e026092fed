import { quoted } from '../../../model/text.ts'

/** The names of an object whose properties are all known, so that any other name is an error. */
export interface KnownNames {
  /** The names of each property's value; `undefined` where those are not known. */
  readonly names: ReadonlyMap<string, KnownNames | undefined>
  /** For a list, the names of each item. A list's own names are not checked. */
  readonly item?: KnownNames
  /** Returns the message for a name that does not exist. */
  unknown(name: string): string
  /** The remedy for a name that is similar to none of the names. */
  readonly otherwise: string
}

/** @param what the object's name in messages */
export function namesOf(what: string, fields: Readonly<Record<string, KnownNames | undefined>>): KnownNames {
  const names = new Map(Object.entries(fields))
  return { names, unknown: (name) => `${what} has no ${quoted(name)}`, otherwise: listed(names.keys()) }
}

export function listOfNames(item: KnownNames): KnownNames {
  return { names: new Map(), item, unknown: (name) => `a list has no ${quoted(name)}`, otherwise: '' }
}

export function listed(names: Iterable<string>): string {
  return `there are ${[...names].map(quoted).join(', ')}`
}
