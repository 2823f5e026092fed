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

/** The most that a decision of ten policies should take, as a multiple of a bare round trip to a process. */
const timesFloorMax: Readonly<Record<number, number>> = { 1: 2.3, 10: 3, 100: 4 }
const callerTimesFloorMax = 1.3

function latencyGoals(cells: readonly Cell[]): string {
  const ofTen = cells.filter(({ policies }) => policies === 10)
  const process = ofTen.map((cell) => {
    const most = timesFloorMax[cell.kilobytes] ?? Number.NaN
    const ratio = over(cell, 'hookgate, process', 'floor, process')
    return goal(`${caseOf(cell)}: process at most ${most} times the process floor`, ratio <= most, times(ratio))
  })
  const caller = ofTen.slice(0, 1).map((cell) => {
    const ratio = over(cell, 'hookgate, caller', 'floor, process')
    const most = callerTimesFloorMax
    return goal(`${caseOf(cell)}: caller at most ${most} times the process floor`, ratio <= most, times(ratio))
  })
  const thread = worst(cells, 'hookgate, thread', 'hookgate, process')
  const peers = (cells[0]?.timed ?? []).filter(({ kind }) => kind === 'sandboxed')
  const ahead = peers.map(({ name }) => {
    const least = name.includes('quickjs') ? 10 : 1
    const behind = worst(
      cells.filter(({ kilobytes }) => kilobytes >= least),
      'hookgate, caller',
      name,
    )
    return goal(`caller ahead of ${name} from ${least} KB`, behind < 1, `at worst ${times(behind)}`)
  })
  return [
    ...process,
    ...caller,
    goal('thread no slower than process in any cell', thread <= 1, `at worst ${times(thread)}`),
    ...ahead,
  ].join('\n')
}

const times = (ratio: number) => `${significant(ratio)} times`

/** Returns the largest ratio of two candidates over some cells. */
const worst = (cells: readonly Cell[], name: string, other: string): number =>
  Math.max(...cells.map((cell) => over(cell, name, other)))

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
  const { perSecond, cpuUs } = cell('hookgate, process', 64)
  const goals = [
    goal('process, 64 in flight: 45,000 decisions a second', perSecond >= 45_000, significant(perSecond)),
    goal('process, 64 in flight: 33 µs of CPU time each', cpuUs <= 33, `${significant(cpuUs)} µs`),
  ]
  return `${rates}\n\n${goals.join('\n')}`
}
