/** A line of a stream, without its line break. */
interface StreamLine {
  /** Counted from 1. */
  readonly number: number
  /** `undefined` if the line is too long, and was not kept. */
  readonly bytes: Uint8Array | undefined
  /** True if the stream ended before a line break. */
  readonly isCutOff: boolean
}

/**
 * Splits a stream into lines, in the memory of the longest line that is accepted. It ends early where too much of the
 * stream is in longer lines: a file of zeros has no end worth waiting for.
 *
 * @param bytesMax the longest line that is kept
 * @param lostMax bytes of lines that are not kept, together
 */
export async function* chunkLines(
  chunks: AsyncIterable<Uint8Array>,
  bytesMax: number,
  lostMax: number,
): AsyncGenerator<StreamLine> {
  let number = 1
  /** Parts of a line that began in an earlier chunk. */
  let begun: Uint8Array[] = []
  let length = 0
  let lost = 0
  const take = (part: Uint8Array) => {
    length += part.length
    if (length > bytesMax) begun = []
    // The chunk's memory is used again for the next one.
    else if (part.length > 0) begun.push(part.slice())
  }
  const end = (part: Uint8Array, isCutOff: boolean): StreamLine => {
    length += part.length
    const isLong = length > bytesMax
    if (isLong) lost += length
    const bytes = isLong ? undefined : begun.length === 0 ? part : Buffer.concat([...begun, part])
    begun = []
    length = 0
    return { number: number++, bytes, isCutOff }
  }
  for await (const chunk of chunks) {
    let from = 0
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, from)) {
      yield end(chunk.subarray(from, at), false)
      from = at + 1
    }
    take(chunk.subarray(from))
    if (lost + (length > bytesMax ? length : 0) > lostMax) break
  }
  if (length > 0) yield end(new Uint8Array(), true)
}
const newline = 0x0a
