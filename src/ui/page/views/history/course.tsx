import type { JSX } from 'preact'
import { Chart } from '../../parts/chart.tsx'
import { type HistoryRange, localDay } from './ranges.ts'
import type { ShownHistory } from './shown-history.ts'

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
