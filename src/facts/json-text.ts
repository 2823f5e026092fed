import type { Json } from '../model/json.ts'
import { limits } from '../model/limits.ts'

/** The value that JSON text stands for, or in words why it has none that could be handed on. */
export function jsonValue(text: string): { readonly value: Json } | string {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return 'is not JSON'
  }
  return isBounded(value) ? { value } : `holds JSON that nests deeper than ${limits.jsonDepthMax} levels`
}

/** `JSON.parse` takes any depth; what goes through a value after it recurses. */
function isBounded(value: unknown): value is Json {
  let level = [value].filter(isContainer)
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === limits.jsonDepthMax) return false
    level = level.flatMap((container): unknown[] => Object.values(container)).filter(isContainer)
  }
  return true
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null
