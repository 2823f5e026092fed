import type { Json, JsonObject } from '../../model/json.ts'

/**
 * Freezes JSON to its leaves. Without recursion: how deep an event is nested is up to whoever sends it, and the stack is
 * not.
 */
export function frozen(object: JsonObject): JsonObject {
  const pending: Json[] = [object]
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (typeof value !== 'object' || value === null) continue
    Object.freeze(value)
    for (const member of Object.values(value)) pending.push(member)
  }
  return object
}
