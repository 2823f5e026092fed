import { quoted } from '../../model/text.ts'
import { usage } from '../command.ts'

const unitMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 }

/**
 * Parses how long ago (`2h`, `30d`), or a date or time. A date alone is its first moment, for `until` its last.
 *
 * @throws HookgateError `usage`
 */
export function momentIn(
  command: string,
  flag: 'since' | 'until',
  value: string | undefined,
  nowMs: number,
): number | undefined {
  if (value === undefined) return undefined
  const [, count, unit = ''] = /^(\d{1,6})([smhdw])$/.exec(value) ?? []
  if (count !== undefined) return nowMs - Number(count) * (unitMs[unit] ?? 0)
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(value)
  const atMs = isDay || /^\d{4}-\d{2}-\d{2}T/.test(value) ? Date.parse(isDay ? `${value}T00:00:00` : value) : NaN
  if (Number.isNaN(atMs)) {
    const forms = 'how long ago (`2h`, `30d`), or a date (`2027-01-31`) or time (`2027-01-31T09:00`)'
    throw usage(`--${flag} must be ${forms}, not ${quoted(value)}`, command)
  }
  return isDay && flag === 'until' ? atMs + 86_400_000 - 1 : atMs
}
