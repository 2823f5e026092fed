import { type Json, nestsDeeperThan } from '../../model/json.ts'
import { limits } from '../../model/limits.ts'

/** Parses JSON, and returns its value, or a message saying why it is invalid or too deeply nested. */
export function jsonValue(text: string): { readonly value: Json } | string {
  let value: Json
  try {
    // oxlint-disable-next-line no-unsafe-assignment -- there is nothing else that it could be
    value = JSON.parse(text)
  } catch {
    return 'is not JSON'
  }
  if (!nestsDeeperThan(value, limits.jsonDepthMax)) return { value }
  return `holds JSON that nests deeper than ${limits.jsonDepthMax} levels`
}
