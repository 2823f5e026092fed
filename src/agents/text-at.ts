import type { JsonObject } from '../model/json.ts'

/** The text under a key; `undefined` for no key, no value, and every other kind of value. */
export function textAt(object: JsonObject, key: string | undefined): string | undefined {
  const value = key === undefined || !Object.hasOwn(object, key) ? undefined : object[key]
  return typeof value === 'string' ? value : undefined
}
