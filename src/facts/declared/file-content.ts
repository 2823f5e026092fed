import type { Json } from '../../model/json.ts'
import { limits } from '../../model/limits.ts'
import { jsonValue } from './json-text.ts'

/** The beginning of a file, and what it was found to say. */
export interface FileContent {
  readonly bytes: Buffer
  /** Whether that is all of it. */
  readonly whole: boolean
  /** Its JSON, or in words why it has none; read when it is first asked for. */
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
 * Bytes as UTF-8, a byte order mark left out; `undefined` where they are none. Of bytes that are not whole, the last
 * character may have been cut, and is left out.
 */
export function textOf(bytes: Buffer, whole: boolean): string | undefined {
  try {
    // As a stream, the decoder keeps an unfinished character to itself.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !whole })
  } catch {
    return undefined
  }
}
