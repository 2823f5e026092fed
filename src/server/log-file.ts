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
import { errorText, HookgateError } from '../model/errors.ts'
import { limits } from '../model/limits.ts'
import { maskSecrets } from '../record/mask.ts'
import { printable } from '../model/text.ts'

/**
 * A log of bounded size: what was in it when it was full is beside it, as `.1`.
 *
 * INVARIANT: a log that cannot be written never stops the gate: on a full disk it goes on without, and says later how
 * many lines it has lost.
 */
export class LogFile {
  readonly #file: string
  readonly #bytesMax: number
  readonly #descriptor: number
  #bytes: number
  #lost = 0
  #isTorn = false
  #isClosed = false

  constructor(file: string, bytesMax: number = limits.gateLogBytesMax) {
    this.#file = file
    this.#bytesMax = bytesMax
    this.#descriptor = openLog(file)
    this.#bytes = fstatSync(this.#descriptor).size
  }

  /** One line, as pino makes them, or some. */
  write(line: string): void {
    // By then the descriptor may be somebody else's.
    if (this.#isClosed) return
    const masked = Buffer.from(`${maskSecrets(line.trimEnd())}\n`)
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
    // What follows a line that was cut off by a full disk begins on one of its own.
    const whole = this.#isTorn ? Buffer.concat([Buffer.from('\n'), bytes]) : bytes
    const written = writeSync(this.#descriptor, whole)
    this.#bytes += written
    this.#isTorn = written < whole.length
    if (this.#isTorn) throw new Error('the disk is full')
  }

  /** Copied and emptied, not renamed: our stderr goes there too, and must still be in the file that people look at. */
  #rotate(): void {
    try {
      copyFileSync(this.#file, `${this.#file}.1`)
    } finally {
      // Where there is no room for two of them, the older lines are the ones to lose.
      ftruncateSync(this.#descriptor)
      this.#bytes = 0
      this.#isTorn = false
    }
  }
}

/**
 * A descriptor that always writes at the end, for its owner only; a symbolic link in its place is not followed.
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
    throw new HookgateError('unavailable', `the log cannot be written: ${errorText(cause)}`, {
      place: { file },
      remedy: 'free some space, or set HOOKGATE_HOME to another folder',
      cause,
    })
  }
}

/** Where the log ends now, so that `linesSince` tells what was added. */
export function logEnd(descriptor: number): number {
  return fstatSync(descriptor).size
}

/** What was written behind a place of the log, as one line that can be quoted: the messages of its last lines. */
export function linesSince(descriptor: number, start: number): string {
  const { size } = fstatSync(descriptor)
  const from = Math.max(start <= size ? start : 0, size - limits.gateFileBytesMax)
  const bytes = Buffer.alloc(size - from)
  const text = bytes.toString('utf8', 0, readSync(descriptor, bytes, 0, bytes.length, from))
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return printable(lines.slice(-limits.gateLogLinesQuoted).map(messageOf).join(' | '))
}

function messageOf(line: string): string {
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value === 'object' && value !== null && 'msg' in value) return String(value.msg)
  } catch {
    // What a crash wrote is no JSON, and is told as it is.
  }
  return line.trim()
}
