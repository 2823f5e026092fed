import { type Json, nestsDeeperThan } from '../../model/json.ts'
import { limits } from '../../model/limits.ts'

/** The value that JSON text stands for, or in words why it has none that could be handed on. */
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
