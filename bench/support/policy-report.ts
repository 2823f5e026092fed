import { goal, significant, table } from './markdown.ts'
import type { Timed } from './rounds.ts'
import { medianRatio } from './statistics.ts'
import type { Throughput } from './throughput.ts'

export interface Cell {
  readonly policies: number
  readonly kilobytes: number
  readonly timed: readonly Timed[]
}

const named = ({ timed }: Cell, name: string) => timed.find((one) => one.name === name)
const row = (name: string, figures: readonly (string | number)[]) => [name, ...figures]
const caseOf = ({ policies, kilobytes }: Cell) => `${policies}, ${kilobytes} KB`

function over(cell: Cell, name: string, floor: string): number {
  return medianRatio(named(cell, name)?.rounds ?? [], named(cell, floor)?.rounds ?? [])
}

/** Formats percentiles of the gate and its floors, then the p50 of all candidates, then the goals. */
export function latencyReport(cells: readonly Cell[]): string {
  const gated = (cells[0]?.timed ?? []).filter(({ kind }) => kind === 'floor' || kind === 'hookgate')
  const percentiles = table(
    ['p50 / p95 / p99, µs', ...gated.map(({ name }) => name), 'process ÷ floor', 'thread ÷ floor'],
    cells.map((cell) => [
      caseOf(cell),
      ...gated.map(({ name }) => threeOf(named(cell, name))),
      over(cell, 'hookgate, process', 'floor, process'),
      over(cell, 'hookgate, thread', 'floor, thread'),
    ]),
  )
  const everybody = table(
    ['p50, µs', ...cells.map(caseOf)],
    (cells[0]?.timed ?? []).map(({ name }) =>
      row(
        name,
        cells.map((cell) => named(cell, name)?.p50 ?? Number.NaN),
      ),
    ),
  )
  return [percentiles, everybody, latencyGoals(cells)].join('\n\n')
}

function threeOf(one: Timed | undefined): string {
  return one === undefined ? '–' : [one.p50, one.p95, one.p99].map(significant).join(' / ')
}

function latencyGoals(cells: readonly Cell[]): string {
  const middle = cells.find(({ policies, kilobytes }) => policies === 10 && kilobytes === 1)
  if (middle === undefined) return ''
  const ratio = over(middle, 'hookgate, process', 'floor, process')
  const sandboxed = middle.timed.filter(({ kind }) => kind === 'sandboxed')
  return [
    goal('10 policies, 1 KB: p50 at most 1.4 times the process floor', ratio <= 1.4, `${significant(ratio)} times`),
    ...(['process', 'thread'] as const).flatMap((placement) =>
      sandboxed.map(({ name }) => {
        const behind = over(middle, `hookgate, ${placement}`, name)
        return goal(
          `10 policies, 1 KB: ${placement} ahead of ${name}`,
          behind < 1,
          `${significant(behind)} times its p50`,
        )
      }),
    ),
  ].join('\n')
}

export function throughputReport(flooded: readonly Throughput[]): string {
  const names = [...new Set(flooded.map(({ name }) => name))]
  const counts = [...new Set(flooded.map(({ inFlight }) => inFlight))]
  const cell = (name: string, count: number) =>
    flooded.find((one) => one.name === name && one.inFlight === count) ?? { perSecond: Number.NaN, cpuUs: Number.NaN }
  const rates = table(
    ['decisions a second (CPU µs each, all processes)', ...counts.map((count) => `${count} in flight`)],
    names.map((name) =>
      row(
        name,
        counts.map((count) => {
          const { perSecond, cpuUs } = cell(name, count)
          return `${significant(perSecond)} (${significant(cpuUs)})`
        }),
      ),
    ),
  )
  const goals = ['process', 'thread'].map((placement) => {
    const { perSecond } = cell(`hookgate, ${placement}`, 64)
    return goal(`${placement}, 64 in flight: 60,000 decisions a second`, perSecond >= 60_000, significant(perSecond))
  })
  return `${rates}\n\n${goals.join('\n')}`
}
