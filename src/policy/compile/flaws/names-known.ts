import { quoted } from '../../../model/text.ts'

/** An object of which every name is known: any other is a mistake. */
export interface KnownNames {
  /** What each name stands for, as far as its own names are known. */
  readonly names: ReadonlyMap<string, KnownNames | undefined>
  /** Of a list: what each of its items is. A list itself has many names, and none of them is told. */
  readonly item?: KnownNames
  /** What is wrong with another name. */
  unknown(name: string): string
  /** What to do about it where it is near to none of the names. */
  readonly otherwise: string
}

/** @param what the object, as a message names it */
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
