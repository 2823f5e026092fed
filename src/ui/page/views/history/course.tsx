import type { JSX } from 'preact'
import type { AnswerOf } from '../../../api.ts'
import { agentTitle } from '../../agents.ts'
import { here, linkTo, setParams } from '../../location.ts'
import { Chart, type SpanUnit } from '../../parts/chart.tsx'
import { plainText } from '../../parts/text-parts.ts'

/** Draws what was decided by hours or days, from the first one with a decision on. */
export function CourseOfTime({
  history: { spans, counted },
  range: { unit },
  startsMs,
}: {
  readonly history: ShownHistory
  readonly range: HistoryRange
  readonly startsMs: readonly number[]
}): JSX.Element {
  const countedAt = new Map(counted.map(({ day, number }) => [day, number]))
  const decided = spans.map((span, index) => {
    // Decisions that were only counted have a day and no hour.
    const more = unit === 'day' ? (countedAt.get(localDay(startsMs[index] ?? 0)) ?? 0) : 0
    return span.decided + more
  })
  const first = decided.findIndex((number) => number > 0)
  const from = Math.max(0, Math.min(first, spans.length - spansMin))
  const shownSpans = spans.slice(from)
  const shared = { startsMs: startsMs.slice(from), unit, together: 'history' } as const
  return (
    <>
      <section class="card">
        <Chart
          {...shared}
          what={`Refused, asked and observed by the ${unit}`}
          series={[
            { name: 'refused', color: 'refused', values: shownSpans.map((span) => span.refused) },
            { name: 'asked', color: 'asked', values: shownSpans.map((span) => span.asked) },
            { name: 'observed', color: 'observed', values: shownSpans.map((span) => span.observed) },
          ]}
        />
      </section>
      <section class="card">
        <Chart
          {...shared}
          what={`Decided by the ${unit}`}
          heightPx={120}
          series={[{ name: 'decided', color: 'accent', values: decided.slice(from) }]}
        />
      </section>
    </>
  )
}

/** Fewer bars would be as broad as a hand. */
const spansMin = 12

/** The times that can be looked at. */
const historyRanges = [
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
function localDay(ms: number): string {
  const date = new Date(ms)
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

const two = (number: number) => String(number).padStart(2, '0')

/** Chooses what is looked at; the address has it. */
export function HistoryFilters({
  range,
  agents,
  projects,
  onRefresh,
}: {
  readonly range: HistoryRange
  readonly agents: readonly string[]
  readonly projects: readonly string[]
  readonly onRefresh: () => void
}): JSX.Element {
  const { params } = here.value
  return (
    <div class="row filters">
      <nav class="segments" aria-label="Time">
        {historyRanges.map(({ name, title }) => (
          <a
            key={name}
            href={linkTo('history', { params: { ...params, range: name } })}
            aria-current={name === range.name ? 'true' : undefined}
          >
            {title}
          </a>
        ))}
      </nav>
      <Choice name="agent" label="Agent" all="All agents" values={agents} textOf={agentTitle} />
      <Choice name="project" label="Project" all="All projects" values={projects} />
      <button type="button" onClick={onRefresh}>
        Refresh
      </button>
    </div>
  )
}

/** Chooses one of several names, or all. */
function Choice({
  name,
  label,
  all,
  values,
  textOf = (value) => value,
}: {
  readonly name: 'agent' | 'project'
  readonly label: string
  readonly all: string
  readonly values: readonly string[]
  readonly textOf?: (value: string) => string
}): JSX.Element {
  const { params } = here.value
  const chosen = params[name]
  // The address may name one that has no decisions in this time.
  const options = chosen === undefined || values.includes(chosen) ? values : [chosen, ...values]
  return (
    <select
      aria-label={label}
      value={chosen ?? ''}
      onChange={({ currentTarget }) => setParams({ ...params, [name]: currentTarget.value })}
    >
      <option value="">{all}</option>
      {options.map((value) => (
        <option key={value} value={value}>
          {optionText(textOf(value))}
        </option>
      ))}
    </select>
  )
}

/** An option has no markup: characters that are not shown as they are stand there as their codes. Its end says most. */
function optionText(value: string): string {
  const shown = value.length > charactersMax ? `…${value.slice(-charactersMax)}` : value
  return plainText(shown)
}

const charactersMax = 60

/** The history as the server sends it. */
export type ShownHistory = NonNullable<AnswerOf<'history'>['history']>
