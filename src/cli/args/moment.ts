import { quoted } from '../../model/text.ts'
import { momentOf } from '../../words/moment.ts'
import { usage } from '../command.ts'

/** Parses the moment of a flag. @throws HookgateError `usage` */
export function momentIn(
  command: string,
  flag: 'since' | 'until',
  value: string | undefined,
  nowMs: number,
): number | undefined {
  if (value === undefined) return undefined
  const atMs = momentOf(value, nowMs, flag === 'until')
  if (atMs !== undefined) return atMs
  const forms = 'how long ago (`2h`, `30d`), or a date (`2027-01-31`) or time (`2027-01-31T09:00`)'
  throw usage(`--${flag} must be ${forms}, not ${quoted(value)}`, command)
}
