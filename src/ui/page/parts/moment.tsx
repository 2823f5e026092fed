import type { JSX } from 'preact'
import type { AnswerOf } from '../../api.ts'

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

type ShownRecord = AnswerOf<'gate'>['record']

/** Says how much is recorded, since when, and whether the record is as hookgate wrote it. */
export function RecordState({
  record: { level, decisions = 0, since, lost = 0, verified },
}: {
  readonly record: ShownRecord
}): JSX.Element {
  return (
    <>
      {level === 'off' && 'off; '}
      {decisions === 1 ? 'one event' : `${decisions.toLocaleString('en')} events`}
      {typeof since === 'string' && (
        <>
          {' since '}
          <Moment at={since} />
        </>
      )}
      {lost > 0 && `, ${lost} lost`}
      {decisions > 0 && <Verified verified={verified} />}
    </>
  )
}

/** Says when the chain of the record was last verified, and what was found. */
function Verified({ verified }: { readonly verified: ShownRecord['verified'] }): JSX.Element {
  if (verified === undefined) return <>, not verified yet</>
  const at = <Moment at={verified.at} />
  if (verified.kind === 'whole') return <>, intact at {at}</>
  return (
    <>
      {' '}
      <span class="badge refused">changed by others</span> row {verified.seq}, found {at}
    </>
  )
}
