const unitMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 }

/** Parses how long ago (`2h`, `30d`), `today` or `yesterday`, or a date or time; `undefined` if it is none of these. A date is its first moment, or its last. */
export function momentOf(text: string, nowMs: number, isLast = false): number | undefined {
  const [, count, unit = ''] = /^(\d{1,6})([smhdw])$/.exec(text) ?? []
  if (count !== undefined) return nowMs - Number(count) * (unitMs[unit] ?? 0)
  const daysAgo = Object.hasOwn(namedDays, text) ? namedDays[text] : undefined
  if (daysAgo !== undefined) return momentOf(dayBefore(nowMs, daysAgo), nowMs, isLast)
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text)
  const atMs = isDay || /^\d{4}-\d{2}-\d{2}T/.test(text) ? Date.parse(isDay ? `${text}T00:00:00` : text) : NaN
  if (Number.isNaN(atMs)) return undefined
  return isDay && isLast ? atMs + 86_400_000 - 1 : atMs
}

const namedDays: Readonly<Record<string, number | undefined>> = { today: 0, yesterday: 1 }

/** Returns the day that many days ago: not every day has 24 hours. */
function dayBefore(nowMs: number, days: number): string {
  const at = new Date(nowMs)
  return dayOf(new Date(at.getFullYear(), at.getMonth(), at.getDate() - days).getTime())
}

// Days and times as the person's own clock has them: everything that is printed is in this one time zone.

/** Returns a moment's day. */
export function dayOf(atMs: number): string {
  const at = new Date(atMs)
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
}

/** Formats a moment to the minute. */
export function localTime(atMs: number): string {
  const at = new Date(atMs)
  return `${dayOf(atMs)} ${two(at.getHours())}:${two(at.getMinutes())}`
}

/** Formats a moment to the second, without its year. */
export function localMoment(atMs: number): string {
  return `${localTime(atMs).slice('2026-'.length)}:${two(new Date(atMs).getSeconds())}`
}

const two = (number: number) => String(number).padStart(2, '0')
