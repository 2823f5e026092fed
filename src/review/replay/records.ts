import { isUtf8 } from 'node:buffer'
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { chunkLines } from './lines.ts'
import { rowsOf } from './rows.ts'
import type { SessionFormat } from '../../agents/transcripts.ts'
import { reasonOf } from '../../files/disk.ts'
import { isJsonObject, type JsonObject, nestsDeeperThan } from '../../model/json.ts'
import { limits } from '../../model/limits.ts'
import type { UnreadablePlace } from '../../model/past-call.ts'

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
  const value = parseRecordLine(text)
  if (value === undefined) return { why: 'the line is not JSON' }
  if (!isJsonObject(value)) return { why: 'the line is not a JSON object' }
  return nestsDeeperThan(value, limits.jsonDepthMax) ? { why: 'the line is nested too deep' } : { record: value }
}

function parseRecordLine(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
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
  const value = isUtf8(whole) ? parseRecordLine(whole.toString()) : undefined
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
