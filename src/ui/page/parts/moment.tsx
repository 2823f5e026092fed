import type { JSX } from 'preact'

/** Shows a moment in the person's own time, with the exact one in its title. A day is named unless it is today. */
export function Moment({ at, exact = false }: { readonly at: string; readonly exact?: boolean }): JSX.Element {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return <span class="faint">unknown</span>
  return (
    <time dateTime={date.toISOString()} title={`${whole.format(date)} (${date.toISOString()})`}>
      {exact ? whole.format(date) : momentText(date, new Date())}
    </time>
  )
}

/** Formats a moment as briefly as it can be: the time today, else the day and the time. */
function momentText(date: Date, now: Date): string {
  if (date.toDateString() === now.toDateString()) return time.format(date)
  const day = date.getFullYear() === now.getFullYear() ? dayOfYear : dayOfAnyYear
  return `${day.format(date)}, ${shortTime.format(date)}`
}

const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
const time = new Intl.DateTimeFormat('en', { ...clock, second: '2-digit' })
const shortTime = new Intl.DateTimeFormat('en', clock)
const dayOfYear = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short' })
const dayOfAnyYear = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric' })
const whole = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23' })
