import { type Json, nestsDeeperThan } from '../../model/json.ts'
import { limits } from '../../model/limits.ts'

/** The first bytes of a file, with its JSON parsed lazily and cached. */
export interface FileContent {
  readonly bytes: Buffer
  /** True if `bytes` is the whole file. */
  readonly whole: boolean
  /** Returns the file's JSON value, or a message saying why there is none. Parsed on the first call. */
  json(): { readonly value: Json } | string
}

export function fileContent(bytes: Buffer, whole: boolean): FileContent {
  let json: { readonly value: Json } | string | undefined
  return { bytes, whole, json: () => (json ??= whole ? jsonOf(bytes) : tooLarge) }
}
const tooLarge = `is larger than ${limits.factBytesMax} bytes`

function jsonOf(bytes: Buffer): { readonly value: Json } | string {
  const text = textOf(bytes, true)
  return text === undefined ? 'is not UTF-8' : jsonValue(text)
}

/**
 * Decodes UTF-8 without its byte order mark; `undefined` if the bytes are not valid UTF-8. If they are not the whole
 * file, an incomplete character at the end is dropped.
 */
export function textOf(bytes: Buffer, whole: boolean): string | undefined {
  try {
    // In stream mode, the decoder holds an incomplete character back instead of failing.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !whole })
  } catch {
    return undefined
  }
}

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

/**
 * Evaluates an RFC 6901 JSON pointer; returns `undefined` if it finds nothing or is not a valid pointer.
 *
 * INVARIANT: only own properties are found, never inherited ones such as `constructor`.
 */
export function pointed(value: Json, pointer: string): Json | undefined {
  if (pointer === '') return value
  if (!isPointer(pointer)) return undefined
  let found: Json | undefined = value
  for (const token of pointer.slice(1).split('/')) {
    found = step(found, token.replaceAll('~1', '/').replaceAll('~0', '~'))
    if (found === undefined) return undefined
  }
  return found
}

export const isPointer = (text: string): boolean => text === '' || (text.startsWith('/') && !/~(?![01])/.test(text))

function step(value: Json, key: string): Json | undefined {
  if (isArray(value)) return /^(?:0|[1-9]\d*)$/.test(key) ? value[Number(key)] : undefined
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? value[key] : undefined
}

const isArray = (value: Json): value is readonly Json[] => Array.isArray(value)
