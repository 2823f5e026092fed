import type { JsonObject } from '../model/json.ts'

/** The members of several objects, in their order; a later one's take the place of an earlier one's. */
export function merged(...objects: readonly (JsonObject | undefined)[]): JsonObject {
  return Object.fromEntries(objects.flatMap((object) => (object === undefined ? [] : Object.entries(object))))
}
