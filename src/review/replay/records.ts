import { isUtf8 } from 'node:buffer'
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import type { SessionFormat } from '../../agents/transcripts.ts'
import { reasonOf } from '../../files/disk.ts'
import { type OtherRow, rowsOfOther } from '../../past/other-database.ts'
import { turn } from '../../files/turns.ts'
import { isJsonObject, type Json, type JsonObject, nestsDeeperThan, parsedJson } from '../../model/json.ts'
import { limits } from '../../model/limits.ts'
import type { UnreadablePlace } from '../../model/event.ts'

/** Bytes of a session that are read at once. With fewer, a long file is read more slowly. */
const sessionChunkBytes = 1024 * 1024

/** A record of a session file, with its place. */
type SessionRecord =
  | { readonly kind: 'record'; readonly record: JsonObject; readonly line: number | undefined }
  | UnreadablePlace

/**
 * Reads the records of a session file in order, in the memory of the largest record. Whatever cannot be read is reported
 * in its place, and the rest is read.
 *
 * @param onBytes is called with the number of bytes that have been read since the last call
 */
export async function* recordsOf(
  path: string,
  format: SessionFormat,
  onBytes: (bytes: number) => void = () => {},
): AsyncGenerator<SessionRecord> {
  const unreadable = (why: string): UnreadablePlace => ({ kind: 'unreadable', file: path, line: undefined, why })
  try {
    switch (format.kind) {
      case 'jsonLines':
        yield* recordsIn(chunksOf(path, onBytes), path)
        return
      case 'json':
        yield* recordsOfDocument(path, onBytes)
        return
      case 'sqlite':
        for await (const record of rowsOf(path, format.query)) yield { kind: 'record', record, line: undefined }
    }
  } catch (error) {
    yield unreadable(causeOf(error))
  }
}

/** Returns what the system, the database or this file says of a failure. */
const causeOf = (error: unknown) => (error instanceof Error && !('syscall' in error) ? error.message : reasonOf(error))

/** Reads JSON lines from a stream. @param file names it in reports */
export async function* recordsIn(chunks: AsyncIterable<Uint8Array>, file: string): AsyncGenerator<SessionRecord> {
  const { sessionLineBytesMax, sessionLostBytesMax } = limits
  for await (const { number: line, bytes, isCutOff } of chunkLines(chunks, sessionLineBytesMax, sessionLostBytesMax)) {
    if (bytes === undefined) {
      yield { kind: 'unreadable', file, line, why: `the line is longer than ${sessionLineBytesMax} bytes` }
      continue
    }
    const { record, why } = recordOf(bytes)
    if (record !== undefined) yield { kind: 'record', record, line }
    else if (why !== undefined) yield { kind: 'unreadable', file, line, why: isCutOff ? 'the line is cut off' : why }
  }
}

/** Parses one line; an empty one has neither a record nor a fault. */
function recordOf(bytes: Uint8Array): { readonly record?: JsonObject; readonly why?: string } {
  if (!isUtf8(bytes)) return { why: 'the line is not UTF-8' }
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
  if (text.trim() === '') return {}
  const value = parsedJson(text)
  if (value === undefined) return { why: 'the line is not JSON' }
  if (!isJsonObject(value)) return { why: 'the line is not a JSON object' }
  return nestsDeeperThan(value, limits.jsonDepthMax) ? { why: 'the line is nested too deep' } : { record: value }
}

async function* recordsOfDocument(file: string, onBytes: (bytes: number) => void): AsyncGenerator<SessionRecord> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of chunksOf(file, onBytes)) {
    bytes += chunk.length
    if (bytes > sessionDocumentBytesMax) {
      const why = `it is larger than ${sessionDocumentBytesMax} bytes`
      yield { kind: 'unreadable', file, line: undefined, why }
      return
    }
    chunks.push(chunk.slice())
  }
  const whole = Buffer.concat(chunks)
  const value = isUtf8(whole) ? parsedJson(whole.toString()) : undefined
  for (const [at, record] of (Array.isArray(value) ? value : [value]).entries()) {
    if (isJsonObject(record) && !nestsDeeperThan(record, limits.jsonDepthMax)) {
      yield { kind: 'record', record, line: undefined }
    } else {
      const why = value === undefined ? 'it is not JSON, or is cut off' : `its entry ${at} is not a record`
      yield { kind: 'unreadable', file, line: undefined, why }
    }
  }
}
/** A session that is one JSON document, which is parsed as a whole: months of work with pictures. */
const sessionDocumentBytesMax = 128 * 1024 * 1024

/** Reads a regular file in chunks, each of which is valid until the next one. What is appended meanwhile is not read. */
async function* chunksOf(path: string, onBytes: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  // Non-blocking: opening a named pipe in a file's place would otherwise hang.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const stat = await file.stat()
    if (!stat.isFile()) throw new Error('it is not a regular file')
    const chunk = new Uint8Array(sessionChunkBytes)
    for (let left = stat.size; left > 0;) {
      // oxlint-disable-next-line no-await-in-loop -- a stream is read in order
      const { bytesRead } = await file.read(chunk, 0, Math.min(left, chunk.length))
      if (bytesRead === 0) return
      left -= bytesRead
      onBytes(bytesRead)
      yield chunk.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}

/**
 * Reads the rows of a query from another program's database. It is opened anew for each page of rows, so that neither a
 * lock nor an old state is kept while the caller works with them.
 *
 * @param query takes `:after`, the `key` of the last row, and `:rows`; its rows are in the order of their `key`
 */
async function* rowsOf(path: string, query: string): AsyncGenerator<JsonObject> {
  for (let after: string | undefined = ''; after !== undefined;) {
    const rows = rowsOfOther(path, query, { after, rows: sessionRowsPerPage })
    for (const row of rows) yield valuesOf(row)
    const key = rows.at(-1)?.['key']
    after = typeof key === 'string' ? key : undefined
    // oxlint-disable-next-line no-await-in-loop -- yielding between pages is the point
    await turn()
  }
}
/** Rows of an agent's database that are read at once. Between pages the agent can write. */
export const sessionRowsPerPage = 100

const valuesOf = (row: OtherRow): JsonObject =>
  Object.fromEntries(
    Object.entries(row).flatMap(([key, value]): [string, Json][] => (isJson(value) ? [[key, value]] : [])),
  )

const isJson = (value: OtherRow[string]): value is null | number | string =>
  value === null || (typeof value !== 'object' && typeof value !== 'bigint')

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
async function* chunkLines(
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
