import {
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs'
import { type Logger, pino } from 'pino'
import { HookgateError } from '../../model/errors.ts'
import { whyFailed } from '../../files/disk.ts'
import { limits } from '../../model/limits.ts'
import { maskSecrets } from '../../mask/mask.ts'
import { printable } from '../../model/text.ts'

/** The gate's log, which is rotated once: some thousands of lines. */
const gateLogBytesMax = 1024 * 1024

/** Lines of the log in the message about a gate that does not start. */
const gateLogLinesQuoted = 5

/**
 * A log file of bounded size. When it is full, its content moves to a file with the suffix `.1`.
 *
 * INVARIANT: a log that cannot be written never stops the gate: on a full disk, lines are dropped, and their number is
 * logged later.
 */
export class LogFile {
  readonly #file: string
  readonly #bytesMax: number
  readonly #descriptor: number
  #bytes: number
  #lost = 0
  #isTorn = false
  #isClosed = false

  constructor(file: string, bytesMax: number = gateLogBytesMax) {
    this.#file = file
    this.#bytesMax = bytesMax
    this.#descriptor = openLog(file)
    this.#bytes = fstatSync(this.#descriptor).size
  }

  /** Writes one or more lines, as pino passes them, with secrets masked. */
  write(line: string): void {
    // After `close`, the descriptor's number may belong to another file.
    if (this.#isClosed) return
    const masked = Buffer.from(`${line.trimEnd().split('\n').map(maskLine).join('\n')}\n`)
    try {
      if (this.#bytes + masked.length > this.#bytesMax) this.#rotate()
      if (this.#lost > 0) this.#put(Buffer.from(`{"level":40,"msg":"${this.#lost} lines could not be written"}\n`))
      this.#lost = 0
      this.#put(masked)
    } catch {
      this.#lost += 1
    }
  }

  close(): void {
    this.#isClosed = true
    closeSync(this.#descriptor)
  }

  #put(bytes: Buffer): void {
    // After a line that a full disk cut off, start a new line first.
    const whole = this.#isTorn ? Buffer.concat([Buffer.from('\n'), bytes]) : bytes
    const written = writeSync(this.#descriptor, whole)
    this.#bytes += written
    this.#isTorn = written < whole.length
    if (this.#isTorn) throw new Error('the disk is full')
  }

  /** Copies and truncates the file. A rename would take along the gate's stderr, which has the same file open. */
  #rotate(): void {
    try {
      copyFileSync(this.#file, `${this.#file}.1`)
    } finally {
      // Also when the copy failed: if the disk has no room for both files, the older lines are lost.
      ftruncateSync(this.#descriptor)
      this.#bytes = 0
      this.#isTorn = false
    }
  }
}

/** Masks the texts of a line of JSON, in which quotes are not escaped any more; else the line. */
function maskLine(line: string): string {
  try {
    return JSON.stringify(
      JSON.parse(line, (_, value: unknown) => (typeof value === 'string' ? maskSecrets(value) : value)),
    )
  } catch {
    return maskSecrets(line)
  }
}

/**
 * Opens a log for appending, readable by its owner only; does not follow a symbolic link in its place.
 *
 * @throws HookgateError `unavailable`
 */
export function openLog(file: string): number {
  const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK
  try {
    const descriptor = openSync(file, flags, 0o600)
    fchmodSync(descriptor, 0o600)
    return descriptor
  } catch (cause) {
    throw new HookgateError('unavailable', `the log cannot be written: ${whyFailed(cause)}`, {
      place: { file },
      remedy: 'free some space, or set HOOKGATE_HOME to another folder',
      cause,
    })
  }
}

/** Returns the current size of the log in bytes, as the start for `linesSince`. */
export function logEnd(descriptor: number): number {
  return fstatSync(descriptor).size
}

/** Returns the messages of the last lines written since `start` (in bytes), as one line to be quoted in an error. */
export function linesSince(descriptor: number, start: number): string {
  const { size } = fstatSync(descriptor)
  const from = Math.max(start <= size ? start : 0, size - limits.gateFileBytesMax)
  const bytes = Buffer.alloc(size - from)
  const text = bytes.toString('utf8', 0, readSync(descriptor, bytes, 0, bytes.length, from))
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return printable(lines.slice(-gateLogLinesQuoted).map(messageOf).join(' | '))
}

function messageOf(line: string): string {
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value === 'object' && value !== null && 'msg' in value) return String(value.msg)
  } catch {
    // A crash writes plain text, which is quoted as it is.
  }
  return line.trim()
}

export type Log = Logger

/** Creates the gate's logger, which writes JSON lines; `LogFile` masks secrets in them. */
export function logTo(file: LogFile): Log {
  return pino({ base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime }, file)
}
