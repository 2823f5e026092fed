import { type Logger, pino } from 'pino'
import type { LogFile } from './log-file.ts'

export type Log = Logger

/** Creates the gate's logger, which writes JSON lines; `LogFile` masks secrets in them. */
export function logTo(file: LogFile): Log {
  return pino({ base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime }, file)
}
