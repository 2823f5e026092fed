import { z } from 'zod'
import { limits } from './limits.ts'

/**
 * What is recorded, the most first. `all`: every decision. `decisions`: those with an opinion or a failure; the others are
 * only counted.
 */
export const RecordLevel = z.enum(['all', 'decisions', 'off'])
export type RecordLevel = z.infer<typeof RecordLevel>

const days = z.int().min(1).max(3650).describe('How long a decision is kept, in days.')
const megabytes = z.int().min(1).max(100_000).describe('How large the database may grow, in MiB.')

/** `record` in a rules file. */
export const RecordEntry = z.union([
  RecordLevel,
  z.strictObject({ level: RecordLevel.optional(), days: days.optional(), megabytes: megabytes.optional() }),
])
export type RecordEntry = z.infer<typeof RecordEntry>

/** The settings of the record in force. */
export interface RecordSettings {
  readonly level: RecordLevel
  /** How long a decision is kept. */
  readonly days: number
  /** How large the database may grow, in MiB. */
  readonly megabytes: number
}

/** Applies what a file says to the settings of those with less authority. */
export function withRecordEntry(settings: RecordSettings, entry: RecordEntry): RecordSettings {
  return typeof entry === 'string' ? { ...settings, level: entry } : { ...settings, ...definedOf(entry) }
}

/** Returns settings that keep at least what either of two keeps. */
export function strictestRecord(one: RecordSettings, other: RecordSettings): RecordSettings {
  return {
    level: RecordLevel.options.find((level) => level === one.level || level === other.level) ?? one.level,
    days: Math.max(one.days, other.days),
    megabytes: Math.max(one.megabytes, other.megabytes),
  }
}

const definedOf = ({ level, days: kept, megabytes: size }: Exclude<RecordEntry, string>): Partial<RecordSettings> => ({
  ...(level !== undefined && { level }),
  ...(kept !== undefined && { days: kept }),
  ...(size !== undefined && { megabytes: size }),
})

/** Returns whether an entry keeps at least what is kept without one. */
export function isUsualRecord(entry: RecordEntry): boolean {
  const { level, days: kept, megabytes: size } = withRecordEntry(usualRecord, entry)
  return level === usualRecord.level && kept >= usualRecord.days && size >= usualRecord.megabytes
}

export const usualRecord: RecordSettings = Object.freeze({
  level: 'all',
  days: limits.recordDays,
  megabytes: limits.recordMegabytes,
})
