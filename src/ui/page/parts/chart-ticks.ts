/** The spans of time that a chart shows. */
export type SpanUnit = 'hour' | 'day'

/** A mark on the axis of time: at which span, and what it says. */
interface ChartTick {
  readonly index: number
  readonly label: string
}

/** A mark with its distance to the next. */
const tickWidthPx = 62

/**
 * Chooses the marks of an axis: as many round ones as there is room for.
 *
 * @param startsMs where each span begins
 */
export function ticksOf(startsMs: readonly number[], unit: SpanUnit, widthPx: number): readonly ChartTick[] {
  const most = Math.max(1, Math.floor(widthPx / tickWidthPx))
  const dates = startsMs.map((ms) => new Date(ms))
  if (unit === 'hour') {
    for (const step of [1, 2, 3, 6, 12]) {
      const hours = dates.flatMap((date, index) => (date.getHours() % step === 0 ? [{ date, index }] : []))
      if (hours.length <= most)
        return hours.map(({ date, index }) => ({
          index,
          label: (date.getHours() === 0 ? dayName : hourName).format(date),
        }))
    }
  }
  const days = dates.flatMap((date, index) => (unit === 'day' || date.getHours() === 0 ? [{ date, index }] : []))
  const step = [1, 2, 7, 14, 28].find((one) => days.length / one <= most) ?? 56
  // Counted from today, which is what one looks for.
  return days
    .filter((_day, index) => (days.length - 1 - index) % step === 0)
    .map(({ date, index }) => ({ index, label: dayName.format(date) }))
}

/** Formats a span of time in full: `Sat 21 Nov, 14:00`. */
export const spanName = (startMs: number, unit: SpanUnit): string =>
  (unit === 'hour' ? wholeHour : wholeDay).format(startMs)

const hourName = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const dayName = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })
const wholeDay = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short' })
const wholeHour = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
})
