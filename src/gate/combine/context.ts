import { cutMarker } from '../../model/verdict.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

interface JoinedContext {
  readonly context: string
  /** Bytes of UTF-8 that were cut off. */
  readonly truncatedBytes: number
}

/**
 * Joins contexts with a blank line and cuts what is over `bytesMax` bytes of UTF-8, marker included.
 *
 * INVARIANT: the cut never falls inside a character, and is never silent.
 */
export function joinContexts(texts: readonly string[], bytesMax: number = contextBytesMax): JoinedContext {
  const whole = texts
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .join('\n\n')
  // A UTF-16 unit takes three bytes at most, so a short text need not be encoded to be measured.
  if (whole.length * 3 <= bytesMax) return { context: whole, truncatedBytes: 0 }
  const bytes = encoder.encode(whole)
  if (bytes.length <= bytesMax) return { context: whole, truncatedBytes: 0 }

  const room = Math.max(0, bytesMax - encoder.encode(cutMarker(bytes.length)).length)
  const kept = characterBoundary(bytes, room)
  const truncatedBytes = bytes.length - kept
  return { context: decoder.decode(bytes.subarray(0, kept)) + cutMarker(truncatedBytes), truncatedBytes }
}
/** Total context of all rules for one event, in bytes of UTF-8: Cline's published limit of 50 KB. */
export const contextBytesMax = 51_200

/** The last place at or before `at` where a character begins: continuation bytes of UTF-8 are `10xxxxxx`. */
function characterBoundary(bytes: Uint8Array, at: number): number {
  let place = at
  while (place > 0 && ((bytes[place] ?? 0) & 0xc0) === 0x80) place -= 1
  return place
}
