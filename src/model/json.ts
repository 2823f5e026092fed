import { z } from 'zod'

/** Anything that `JSON.parse` can return. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
/** A JSON object: the shape of every event and every answer on the wire. */
export type JsonObject = { readonly [key: string]: Json }

export const Json: z.ZodType<Json> = z.json()
export const JsonObject: z.ZodType<JsonObject> = z.record(z.string(), z.json())

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
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
