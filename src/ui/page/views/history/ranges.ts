import type { SpanUnit } from '../../parts/chart-ticks.ts'

/** The times that can be looked at. */
export const historyRanges = [
  { name: '24h', title: '24 hours', unit: 'hour' },
  { name: '7d', title: '7 days', unit: 'hour' },
  { name: '30d', title: '30 days', unit: 'day' },
  { name: '90d', title: '90 days', unit: 'day' },
] as const satisfies readonly { readonly name: string; readonly title: string; readonly unit: SpanUnit }[]

export type HistoryRange = (typeof historyRanges)[number]

/** Returns the range of a name; of any other name, 7 days. */
export const rangeNamed = (name: string | undefined): HistoryRange =>
  historyRanges.find((one) => one.name === name) ?? historyRanges[1]

const hourMs = 3_600_000

/**
 * Returns where each hour or day of a range begins on the person's clock. The last one is the current one; a range of
 * days begins with a day.
 */
export function startsOf({ name, unit }: HistoryRange, nowMs: number): readonly [number, ...number[]] {
  const now = new Date(nowMs)
  const dayStart = (daysBack: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysBack).getTime()
  if (unit === 'day') {
    const days = name === '90d' ? 90 : 30
    return [dayStart(days - 1), ...Array.from({ length: days - 1 }, (_, index) => dayStart(days - 2 - index))]
  }
  // In steps of an hour, and not by the clock's hands: where the clock is set back, an hour of it comes twice.
  const hour = new Date(nowMs).setMinutes(0, 0, 0)
  const first = name === '24h' ? hour - 23 * hourMs : dayStart(6)
  const hours = Math.floor((hour - first) / hourMs)
  return [first, ...Array.from({ length: hours }, (_, index) => first + (index + 1) * hourMs)]
}

/** Returns the day of a moment on the person's clock: `2026-01-31`. */
export function localDay(ms: number): string {
  const date = new Date(ms)
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

const two = (number: number) => String(number).padStart(2, '0')
