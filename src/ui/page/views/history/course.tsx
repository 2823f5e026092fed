import { numberText } from '../../parts/counted.ts'
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import uPlot from 'uplot'
import type { AnswerOf } from '../../../api.ts'
import { agentTitle, plainText } from '../../parts/text-parts.ts'
import { here, linkTo, setParams } from '../../location.ts'

/** Draws what became of all that was decided, by hours or days, from the first one with a decision on. */
export function CourseOfTime({
  history: { spans, counted },
  range: { unit },
  startsMs,
}: {
  readonly history: ShownHistory
  readonly range: HistoryRange
  readonly startsMs: readonly number[]
}): JSX.Element {
  const [hasPassed, setPassed] = useState(true)
  const countedAt = new Map(counted.map(({ day, number }) => [day, number]))
  const all = spans.map(({ decided, refused, asked, observedAlone }, index) => {
    // Decisions that were only counted have a day and no hour.
    const more = unit === 'day' ? (countedAt.get(localDay(startsMs[index] ?? 0)) ?? 0) : 0
    return { refused, asked, observed: observedAlone, passed: decided + more - refused - asked - observedAlone }
  })
  const first = all.findIndex((span) => Object.values(span).some((number) => number > 0))
  const from = Math.max(0, Math.min(first, spans.length - spansMin))
  const shown = all.slice(from)
  const names = ['refused', 'asked', 'observed', ...(hasPassed ? (['passed'] as const) : [])] as const
  return (
    <section class="card">
      <Chart
        what={`What was decided, by ${unitWords[unit]}`}
        startsMs={startsMs.slice(from)}
        unit={unit}
        series={names.map((name) => ({ name, values: shown.map((span) => span[name]) }))}
      >
        <button type="button" class="link" aria-pressed={!hasPassed} onClick={() => setPassed(!hasPassed)}>
          {hasPassed ? 'Leave out what passed' : 'Show what passed'}
        </button>
      </Chart>
    </section>
  )
}

/** Fewer bars would be as broad as a hand. */
const spansMin = 12

/** The times that can be looked at. */
const historyRanges = [
  { name: '24h', title: '24 hours', unit: 'hour' },
  { name: '7d', title: '7 days', unit: 'quarter' },
  { name: '30d', title: '30 days', unit: 'day' },
  { name: '90d', title: '90 days', unit: 'day' },
] as const satisfies readonly { readonly name: string; readonly title: string; readonly unit: SpanUnit }[]

export type HistoryRange = (typeof historyRanges)[number]

/** Returns the range of a name; of any other name, 7 days. */
export const rangeNamed = (name: string | undefined): HistoryRange =>
  historyRanges.find((one) => one.name === name) ?? historyRanges[1]

const hourMs = 3_600_000

/** Returns the beginning of a day on the person's clock. */
export function dayStart(nowMs: number, daysBack: number): number {
  const now = new Date(nowMs)
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysBack).getTime()
}

/**
 * Returns where each hour or day of a range begins on the person's clock. The last one is the current one; a range of
 * days begins with a day.
 */
export function startsOf({ name, unit }: HistoryRange, nowMs: number): readonly [number, ...number[]] {
  const first = dayStart(nowMs, name === '90d' ? 89 : name === '30d' ? 29 : 6)
  if (unit !== 'hour') {
    const hours = unit === 'day' ? [0] : [0, 6, 12, 18]
    const days = Array.from({ length: 90 }, (_, index) => new Date(dayStart(nowMs, 89 - index)))
    const starts = days.flatMap((day) => hours.map((hour) => new Date(day).setHours(hour)))
    return [first, ...starts.filter((startMs) => startMs > first && startMs <= nowMs)]
  }
  // In steps of an hour, and not by the clock's hands: where the clock is set back, an hour of it comes twice.
  const hour = new Date(nowMs).setMinutes(0, 0, 0)
  return [hour - 23 * hourMs, ...Array.from({ length: 23 }, (_, index) => hour - (22 - index) * hourMs)]
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
}): JSX.Element | null {
  const { params } = here.value
  const chosen = params[name]
  // What the record has only one of is no choice.
  if (chosen === undefined && values.length < 2) return null
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

/** One series of a chart. */
interface ChartSeries {
  /** A token of the style sheet has its colour. */
  readonly name: 'refused' | 'asked' | 'observed' | 'passed'
  /** One for each span. */
  readonly values: readonly number[]
}

interface ChartProps {
  /** The title: what is counted. */
  readonly what: string
  /** The start of each span of time. */
  readonly startsMs: readonly number[]
  readonly unit: SpanUnit
  /** They stand on each other, the first one at the bottom. */
  readonly series: readonly ChartSeries[]
}

const heightPx = 220

/** Shows numbers in the course of time: as bars, in words under the pointer, and as a table. */
function Chart({
  what,
  startsMs,
  unit,
  series,
  children,
}: ChartProps & { readonly children: ComponentChildren }): JSX.Element {
  const host = useRef<HTMLDivElement>(null)
  const [pointed, setPointed] = useState<number>()
  const key = JSON.stringify([startsMs, unit, series])
  useEffect(() => {
    if (host.current === null) return undefined
    return drawn(host.current, { startsMs, unit, series }, setPointed)
  }, [key])
  const shown = pointed !== undefined && pointed < startsMs.length ? pointed : undefined
  return (
    <figure class="chart">
      <figcaption class="row">
        <h2>{what}</h2>
        <span class="faint when">{shown === undefined ? 'in all' : spanName(startsMs[shown] ?? 0, unit)}</span>
        <ul class="legend">
          {series.map(({ name, values }) => (
            <li key={name}>
              <span class={`swatch ${name}`} />
              {name} <b>{numberText(shown === undefined ? sumOf(values) : (values[shown] ?? 0))}</b>
            </li>
          ))}
        </ul>
        {children}
      </figcaption>
      <div class="plot" ref={host} aria-hidden="true" />
      <details>
        <summary>The same as a table</summary>
        <div class="scroll" role="region" aria-label={`${what}, as a table`} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">{unit === 'day' ? 'Day' : 'Time'}</th>
                {series.map(({ name }) => (
                  <th key={name} scope="col" class="number">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {startsMs.map((startMs, index) => (
                <tr key={startMs}>
                  <th scope="row">{spanName(startMs, unit)}</th>
                  {series.map(({ name, values }) => (
                    <td key={name} class="number">
                      {numberText(values[index] ?? 0)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  )
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)

/** Draws a chart until the returned function is called: again when its width or the colours change. */
function drawn(
  host: HTMLDivElement,
  { startsMs, unit, series }: Omit<ChartProps, 'what'>,
  point: (index: number | undefined) => void,
): () => void {
  const colorOf = (token: string) => {
    // A canvas knows no tokens: the browser says what one is by now.
    host.style.color = `var(--${token})`
    const { color } = getComputedStyle(host)
    host.style.removeProperty('color')
    return color
  }
  const sizeOf = () => ({ width: Math.max(host.clientWidth, 100), height: heightPx })
  const font = `${Math.round(parseFloat(getComputedStyle(host).fontSize) * 0.8)}px system-ui, sans-serif`
  const axis = { font, stroke: () => colorOf('faint') }
  const quiet = { show: false }
  const paths = uPlot.paths.bars?.({ size: [0.78, 40, 1] }) ?? (() => null)
  const xs = startsMs.map((_start, index) => index)
  const plot = new uPlot(
    {
      ...sizeOf(),
      padding: [10, 22, 0, 0],
      legend: quiet,
      cursor: {
        y: false,
        points: quiet,
        drag: { x: false, y: false },
      },
      scales: {
        x: { time: false, range: [-0.5, startsMs.length - 0.5] },
        y: { range: (_plot, _least, most) => [0, Math.max(most * 1.05, 4)] },
      },
      axes: [
        {
          ...axis,
          size: 30,
          grid: quiet,
          ticks: { stroke: () => colorOf('line'), width: 1, size: 5 },
          splits: ({ width }) => ticksOf(startsMs, unit, width).map(({ index }) => index),
          values: ({ width }) => ticksOf(startsMs, unit, width).map(({ label }) => label),
        },
        {
          ...axis,
          size: 48,
          space: 38,
          incrs: wholeSteps,
          grid: { stroke: () => colorOf('line'), width: 1 },
          ticks: quiet,
          values: (_plot, splits) => splits.map((one) => compact.format(one)),
        },
      ],
      series: [
        {},
        ...series.toReversed().map(({ name }) => ({
          fill: () => colorOf(name),
          width: 0,
          points: quiet,
          paths,
        })),
      ],
      hooks: { setCursor: [({ cursor }) => point(cursor.idx ?? undefined)] },
    },
    // The tallest first: each further one is drawn over its lower part.
    [xs, ...stacked(series).toReversed()],
    host,
  )
  const sizes = new ResizeObserver(() => plot.setSize(sizeOf()))
  sizes.observe(host)
  const scheme = matchMedia('(prefers-color-scheme: dark)')
  const redraw = () => plot.redraw()
  scheme.addEventListener('change', redraw)
  return () => {
    scheme.removeEventListener('change', redraw)
    sizes.disconnect()
    plot.destroy()
  }
}

/** Adds to each series those before it. */
function stacked(series: readonly ChartSeries[]): number[][] {
  const below: number[][] = []
  for (const { values } of series) below.push(values.map((value, index) => value + (below.at(-1)?.[index] ?? 0)))
  return below
}

const compact = new Intl.NumberFormat('en-US', { notation: 'compact' })
/** There are no halves of decisions. */
const wholeSteps = Array.from({ length: 9 }, (_, power) => [1, 2, 5].map((one) => one * 10 ** power)).flat()

/** The spans of time that a chart shows: an hour, a quarter of a day, or a day. */
export type SpanUnit = 'hour' | 'quarter' | 'day'

const unitWords = { hour: 'the hour', quarter: 'six hours', day: 'the day' } as const

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
function ticksOf(startsMs: readonly number[], unit: SpanUnit, widthPx: number): readonly ChartTick[] {
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

/** Formats a span of time in full: `Sat 21 Nov, 14:00`, `Sat 21 Nov, 12:00 to 18:00`. */
function spanName(startMs: number, unit: SpanUnit): string {
  if (unit === 'day') return wholeDay.format(startMs)
  const end =
    unit === 'hour' ? '' : ` to ${hourName.format(new Date(startMs).setHours(new Date(startMs).getHours() + 6))}`
  return `${wholeHour.format(startMs)}${end}`
}

const hourName = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const dayName = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })
export const wholeDay = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short' })
const wholeHour = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
})
