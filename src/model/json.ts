import { z } from 'zod'
import { limits } from './limits.ts'

/** Any value that `JSON.parse` can return. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
/** A JSON object: the shape of every event and every answer on the wire. */
export type JsonObject = { readonly [key: string]: Json }

export const Json: z.ZodType<Json> = z.json()
export const JsonObject: z.ZodType<JsonObject> = z.record(z.string(), z.json())

/**
 * Schema for objects made by `JSON.parse`, where the only invalid values are numbers that overflowed to infinity.
 * `z.json()` would report each of a hundred thousand such numbers; this check stops at the first.
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
 * Checks whether arrays and objects nest deeper than `levels`. `JSON.parse` accepts any depth, but later code recurses.
 * This function recurses too, at most `levels` deep, which is much faster than an explicit stack.
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

/** Parses JSON; `undefined` for a text that is none. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns the objects in an array, or an empty list for any other value. */
export function objectsIn(value: unknown): readonly JsonObject[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : []
  return list.filter(isJsonObject)
}

/**
 * Parses JSON from outside, in which a key may stand only once in an object: `JSON.parse` takes the last, and what has read
 * the text before, such as a proxy, may have taken the first.
 *
 * @throws SyntaxError
 */
export function parseJsonOnce(text: string): unknown {
  const value: unknown = JSON.parse(text)
  const key = repeatedKey(text)
  if (key !== undefined) throw new SyntaxError(`the key ${key.slice(0, repeatedKeyShown)} stands twice in one object`)
  return value
}
const repeatedKeyShown = 80

/**
 * Returns the first key that an object of valid JSON has twice, in quotes. Strings are gone over as a whole. Objects deeper
 * than `limits.jsonDepthMax` are passed over, since millions of them may be open at once: whoever judges them refuses such
 * depth.
 */
function repeatedKey(json: string): string | undefined {
  const objects: Set<string>[] = []
  let depth = 0
  const mark = /["{}]/g
  for (let next = mark.exec(json); next !== null; next = mark.exec(json)) {
    if (next[0] === '{') {
      depth++
      if (depth <= limits.jsonDepthMax) objects.push(new Set())
    } else if (next[0] === '}') {
      if (depth <= limits.jsonDepthMax) objects.pop()
      depth--
    } else {
      const end = endOfString(json, next.index)
      mark.lastIndex = end
      if (depth > limits.jsonDepthMax || !isKeyEnd(json, end)) continue
      const written = json.slice(next.index, end)
      const key = written.includes('\\') ? JSON.stringify(JSON.parse(written)) : written
      if (objects.at(-1)?.has(key) === true) return key
      objects.at(-1)?.add(key)
    }
  }
  return undefined
}

/** Tells whether a colon comes next. */
function isKeyEnd(json: string, at: number): boolean {
  const colon = /\s*:/y
  colon.lastIndex = at
  return colon.test(json)
}

/** Returns the index behind the quote that ends a string: one with an even number of backslashes before it. */
function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let before = end
    while (json[before - 1] === '\\') before--
    if ((end - before) % 2 === 0) return end + 1
  }
  return json.length
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

/** Returns the strings at a key that may hold one string or an array of them. Other values are ignored. */
export function textsAt(object: JsonObject, key: string | undefined): readonly string[] {
  const value = key === undefined || !Object.hasOwn(object, key) ? undefined : object[key]
  if (typeof value === 'string') return [value]
  return Array.isArray(value) ? value.filter((one: Json) => typeof one === 'string') : []
}

/** Returns the string at a key; `undefined` for no key, no value, and any other kind of value. */
export function textAt(object: JsonObject, key: string | undefined): string | undefined {
  const value = key === undefined || !Object.hasOwn(object, key) ? undefined : object[key]
  return typeof value === 'string' ? value : undefined
}

/** Returns the members of an object that have one of these keys, in the order of the keys. */
export function picked(object: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(
    keys.flatMap((key): [string, Json][] => (object[key] === undefined ? [] : [[key, object[key]]])),
  )
}

/** Merges the members of several objects, in order. Later members override earlier ones. */
export function merged(...objects: readonly (JsonObject | undefined)[]): JsonObject {
  return Object.fromEntries(objects.flatMap((object) => (object === undefined ? [] : Object.entries(object))))
}

/**
 * Freezes a value and everything in it, including the values of maps. Uses an explicit stack, since an event may
 * nest deeper than the call stack allows.
 */
export function deepFreeze<Value>(value: Value): Value {
  const waiting: unknown[] = [value]
  while (waiting.length > 0) {
    const next = waiting.pop()
    // A regular expression stores its `lastIndex` in itself.
    if (typeof next !== 'object' || next === null || next instanceof RegExp || Object.isFrozen(next)) continue
    Object.freeze(next)
    // A list is gone through as it is: its copy would take as long again.
    const parts = Array.isArray(next) ? next : next instanceof Map ? next.values() : Object.values(next)
    for (const part of parts) if (typeof part === 'object' && part !== null) waiting.push(part)
  }
  return value
}

/** Returns an object with one key; an empty one without a value for it. */
export const given = <T>(key: string, value: T | undefined): Readonly<Record<string, T>> =>
  value === undefined ? {} : { [key]: value }
