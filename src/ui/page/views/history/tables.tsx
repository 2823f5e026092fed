import { numberText } from '../../parts/counted.ts'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { linkTo } from '../../location.ts'
import { durationText } from '../../parts/text-parts.ts'
import { RuleLink } from '../../parts/text.tsx'
import type { ShownHistory } from './course.tsx'

/** Lists the rules that refuse, ask or observe, those that refuse most first. */
export function RefusingRules({ rules }: { readonly rules: ShownHistory['rules'] }): JSX.Element {
  const restricting = rules.filter(({ refused, asked, observed }) => refused + asked + observed > 0)
  const most = Math.max(1, ...restricting.map(({ refused, asked, observed }) => refused + asked + observed))
  // What no rule did has no column.
  const kinds = (['refused', 'asked', 'observed'] as const).filter((kind) =>
    restricting.some((counts) => counts[kind] > 0),
  )
  return (
    <section class="card">
      <h2>Rules that refuse most</h2>
      {restricting.length === 0 ? (
        <p class="faint">No rule refused, asked or observed anything in this time.</p>
      ) : (
        <FirstRows
          what="rules"
          head={
            <tr>
              <th scope="col">Rule</th>
              {kinds.map((kind) => (
                <th key={kind} scope="col" class="number">
                  {kindTitles[kind]}
                </th>
              ))}
              <th scope="col">
                <span class="hidden">Its decisions</span>
              </th>
            </tr>
          }
          rows={restricting.map(({ rule, ...counts }) => (
            <tr key={rule}>
              <th scope="row" class="named">
                <RuleLink id={rule} />
                <span class="share" aria-hidden="true">
                  {kinds.map((kind) => (
                    <span key={kind} class={kind} style={{ width: `${(counts[kind] / most) * 100}%` }} />
                  ))}
                </span>
              </th>
              {kinds.map((kind) => (
                <td key={kind} class="number" data-label={kindTitles[kind]}>
                  {counts[kind] > 0 && numberText(counts[kind])}
                </td>
              ))}
              <td class="number">
                <a href={linkTo('now', { params: { rule } })}>decisions</a>
              </td>
            </tr>
          ))}
        />
      )}
    </section>
  )
}

const kindTitles = { refused: 'Refused', asked: 'Asked', observed: 'Observed' } as const

/** The numbers beside a histogram, by the names that everybody knows. */
const columns = ['p50', 'p95', 'p99', 'max', 'count'] as const

type ShownTimes = NonNullable<ShownHistory['gate']>

/** Lists how long the gate, hooks and policies took, the slowest first. */
export function TimesTable({ gate, times }: Pick<ShownHistory, 'gate' | 'times'>): JSX.Element {
  const all = [...(gate === undefined ? [] : [gate]), ...times]
  const scale = scaleOf(all)
  return (
    <section class="card">
      <h2>The slowest hooks and policies</h2>
      <p class="faint">
        For all agents and projects, by whole days in UTC. What was too short to be measured is left out.
      </p>
      {all.length === 0 || scale === undefined ? (
        <p class="faint">Nothing was timed in this time.</p>
      ) : (
        <FirstRows
          what="hooks and policies"
          head={
            <tr>
              <th scope="col">Hook or policy</th>
              <th scope="col">
                How often it took how long
                <span class="scale" aria-hidden="true">
                  <span>{durationText(scale.leastMs)}</span>
                  <span>{durationText(scale.mostMs)}</span>
                </span>
              </th>
              {columns.map((name) => (
                <th key={name} scope="col" class="number">
                  {name}
                </th>
              ))}
            </tr>
          }
          rows={[
            ...(gate === undefined
              ? []
              : [
                  <tr key="" class="whole">
                    <th scope="row" class="named">
                      The whole decision
                    </th>
                    <Cells distribution={gate} scale={scale} />
                  </tr>,
                ]),
            ...times.map(({ rule, ...distribution }) => (
              <tr key={rule}>
                <th scope="row" class="named">
                  <RuleLink id={rule} />
                </th>
                <Cells distribution={distribution} scale={scale} />
              </tr>
            )),
          ]}
        />
      )}
    </section>
  )
}

function Cells({
  distribution,
  scale,
}: {
  readonly distribution: ShownTimes
  readonly scale: DurationScale
}): JSX.Element {
  const { p50Ms, p95Ms, p99Ms, maxMs, number } = distribution
  return (
    <>
      <td class="bars">
        <Histogram bars={distribution.bars} scale={scale} />
      </td>
      {[p50Ms, p95Ms, p99Ms, maxMs].map((ms, index) => (
        <td key={index} class="number" data-label={columns[index]}>
          {durationText(ms)}
        </td>
      ))}
      <td class="number" data-label="count">
        {numberText(number)}
      </td>
    </>
  )
}

/** The axis that all histograms of the table share: it is logarithmic. */
interface DurationScale {
  readonly leastMs: number
  readonly mostMs: number
  readonly bars: number
}

/** Each bar covers durations up to √2 times those of the bar before. */
const barsPerDoubling = 2

function scaleOf(all: readonly ShownTimes[]): DurationScale | undefined {
  const bounds = all.flatMap(({ bars }) => bars.map(({ upToMs }) => upToMs))
  if (bounds.length === 0) return undefined
  const leastMs = Math.min(...bounds)
  const mostMs = Math.max(...bounds)
  return { leastMs, mostMs, bars: barOf(mostMs, leastMs) + 1 }
}

const barOf = (upToMs: number, leastMs: number) => Math.round(barsPerDoubling * Math.log2(upToMs / leastMs))

const heightUnits = 24

function Histogram({ bars, scale }: { readonly bars: ShownTimes['bars']; readonly scale: DurationScale }): JSX.Element {
  const most = Math.max(...bars.map(({ number }) => number))
  return (
    <svg
      class="histogram"
      viewBox={`0 0 ${scale.bars} ${heightUnits}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
    >
      {bars.map(({ upToMs, number }) => {
        // A number above 0 stays visible.
        const height = number === 0 ? 0 : Math.max(1.5, (number / most) * heightUnits)
        return (
          <rect key={upToMs} x={barOf(upToMs, scale.leastMs)} y={heightUnits - height} width={0.86} height={height} />
        )
      })}
    </svg>
  )
}

/** More are not read at a glance. */
const rowsShown = 12

/**
 * A table that shows its first rows, and all of them after a click.
 *
 * @param what what the rows are
 */
export function FirstRows({
  what,
  head,
  rows,
}: {
  readonly what: string
  readonly head: JSX.Element
  readonly rows: readonly JSX.Element[]
}): JSX.Element {
  const [isWhole, setWhole] = useState(false)
  return (
    <>
      <div class="scroll" role="region" aria-label={`Table of ${what}`} tabIndex={0}>
        <table class="cards">
          <thead>{head}</thead>
          <tbody>{isWhole ? rows : rows.slice(0, rowsShown)}</tbody>
        </table>
      </div>
      {rows.length > rowsShown && (
        <div class="row">
          <button type="button" onClick={() => setWhole(!isWhole)}>
            {isWhole ? `Show the first ${rowsShown}` : `Show all ${rows.length} ${what}`}
          </button>
        </div>
      )}
    </>
  )
}
