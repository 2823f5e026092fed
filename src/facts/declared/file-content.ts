import type { Json } from '../../model/json.ts'
import { limits } from '../../model/limits.ts'
import { jsonValue } from './json.ts'

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
