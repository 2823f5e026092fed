import { type Logger, pino } from 'pino'
import type { LogFile } from './log-file.ts'

export type Log = Logger

/** The gate's own log: lines of JSON, secrets masked by the file that takes them. */
export function logTo(file: LogFile): Log {
  return pino({ base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime }, file)
}
