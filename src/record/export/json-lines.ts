import { closeSync, constants, fdatasyncSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'
import { errorText } from '../../model/errors.ts'
import { limits } from '../../model/limits.ts'
import type { SendResult, ExportSink } from './send-rows.ts'

/** Appends each record to a file, as one line of JSON. */
export function jsonLines(file: string): ExportSink {
  return {
    name: 'file',
    everyMs: limits.exportPollMs,
    async send(rows) {
      return appendLines(file, Buffer.from(rows.map(({ text }) => `${text}\n`).join('')))
    },
  }
}

/** Opens the file anew each time, since it may have been moved away in the meantime. */
function appendLines(file: string, lines: Buffer): SendResult {
  const { O_APPEND, O_CREAT, O_RDWR, O_NOFOLLOW, O_NONBLOCK } = constants
  try {
    // Non-blocking: opening a named pipe in the file's place would otherwise hang.
    const descriptor = openSync(file, O_APPEND | O_CREAT | O_RDWR | O_NOFOLLOW | O_NONBLOCK, 0o600)
    try {
      const stats = fstatSync(descriptor)
      if (!stats.isFile()) return { kind: 'retry', why: `${file} is not a file` }
      try {
        writeWholly(descriptor, endsInLine(descriptor, stats.size) ? lines : Buffer.concat([newline, lines]))
        fdatasyncSync(descriptor)
        return { kind: 'sent', refused: 0 }
      } catch (error) {
        // The disk is full: without a part of a line, which a reader could not parse.
        ftruncateSync(descriptor, stats.size)
        throw error
      }
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    return { kind: 'retry', why: errorText(error) }
  }
}

const newline = Buffer.from('\n')

/** Returns false if the last line was cut off, by a kill or a power failure. */
function endsInLine(descriptor: number, size: number): boolean {
  if (size === 0) return true
  const last = Buffer.alloc(1)
  readSync(descriptor, last, 0, 1, size - 1)
  return last.equals(newline)
}

function writeWholly(descriptor: number, bytes: Buffer): void {
  let written = 0
  while (written < bytes.length) written += writeSync(descriptor, bytes, written)
}
