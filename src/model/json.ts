import { z } from 'zod'

/** Anything that `JSON.parse` can return. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
/** A JSON object: the shape of every event and every answer on the wire. */
export type JsonObject = { readonly [key: string]: Json }

export const Json: z.ZodType<Json> = z.json()
export const JsonObject: z.ZodType<JsonObject> = z.record(z.string(), z.json())

/**
 * The same of what `JSON.parse` has made, in which nothing else can be wrong than a number too large to be one. A schema
 * tells each of a hundred thousand such numbers; this looks no further than the first.
 */
export const ParsedJsonObject = z.custom<JsonObject>((value) => isJsonObject(value) && isFiniteThroughout(value))

function isFiniteThroughout(whole: Json): boolean {
  const queue: Json[] = [whole]
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (typeof next === 'number' && !Number.isFinite(next)) return false
    if (typeof next === 'object' && next !== null) for (const part of Object.values(next)) queue.push(part)
  }
  return true
}

/**
 * Whether lists and objects nest in more levels: `JSON.parse` takes any depth, and what goes through a value after it
 * recurses. So does this, but never further than that, which is much faster than to keep lists of what is left to see.
 */
export function nestsDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  for (const part of Array.isArray(value) ? value : Object.values(value))
    if (nestsDeeperThan(part, levels - 1)) return true
  return false
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The objects of a list; none where it is no list. */
export function objectsIn(value: unknown): readonly JsonObject[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : []
  return list.filter(isJsonObject)
}

/** Parses text that must be one JSON object; `undefined` for anything else. */
export function parseJsonObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The texts under a key where one may stand alone or in a list; none for every other kind of value. */
export function textsAt(object: JsonObject, key: string | undefined): readonly string[] {
  const value = key === undefined || !Object.hasOwn(object, key) ? undefined : object[key]
  if (typeof value === 'string') return [value]
  return Array.isArray(value) ? value.filter((one: Json) => typeof one === 'string') : []
}

/** The text under a key; `undefined` for no key, no value, and every other kind of value. */
export function textAt(object: JsonObject, key: string | undefined): string | undefined {
  const value = key === undefined || !Object.hasOwn(object, key) ? undefined : object[key]
  return typeof value === 'string' ? value : undefined
}

/** The members of several objects, in their order; a later one's take the place of an earlier one's. */
export function merged(...objects: readonly (JsonObject | undefined)[]): JsonObject {
  return Object.fromEntries(objects.flatMap((object) => (object === undefined ? [] : Object.entries(object))))
}
