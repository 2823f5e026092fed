import { goal, significant, table } from './markdown.ts'
import type { Loaded } from './scale-run.ts'
import { median, medianRatio } from './statistics.ts'

export interface Scaled {
  readonly policies: number
  readonly loaded: Loaded
  /** The p50 of each round, µs. */
  readonly p50s: number[]
}

const head = [
  'policies loaded',
  'p50 µs',
  '÷ smallest',
  'load ms',
  'ms each',
  'before MB',
  'gate MB',
  'sandbox MB',
  'gate KB each',
  'sandbox KB each',
]

const count = (policies: number) => policies.toLocaleString('en')

/** Formats the cost of loading, and of an event relative to the smallest number of policies. */
export function scaleReport(runs: readonly Scaled[]): string {
  const [smallest] = runs
  if (smallest === undefined) return ''
  const refusals = runs.flatMap(({ policies, loaded }) =>
    'refused' in loaded
      ? [`${count(policies)} policies do not load: ${loaded.refused} (after ${significant(loaded.afterMs)} ms)`]
      : [],
  )
  const loaded = runs.filter(({ p50s }) => p50s.length > 0)
  const most = Math.max(...loaded.map(({ p50s }) => medianRatio(p50s, smallest.p50s)))
  const figure = `${significant(most)} times${refusals.length === 0 ? '' : ' with those that load'}`
  const met = most <= 1.5 && refusals.length === 0
  return [
    table(
      head,
      runs.map((run) => row(run, smallest)),
    ),
    'Load: from no gate to the first answer. Memory is resident; `each`: what a policy adds to that of the smallest row.',
    ...refusals,
    goal('an event costs at most 1.5 times that with the fewest', met, figure),
  ].join('\n\n')
}

function row({ policies, loaded, p50s }: Scaled, smallest: Scaled): readonly (string | number)[] {
  if ('refused' in loaded || 'refused' in smallest.loaded) return [count(policies), ...head.slice(1).map(() => '–')]
  const { loadMs, beforeKb, gateKb, sandboxKb } = loaded
  const more = policies - smallest.policies
  return [
    count(policies),
    median(p50s),
    medianRatio(p50s, smallest.p50s),
    loadMs,
    loadMs / policies,
    ...[beforeKb, gateKb, sandboxKb].map((kb) => kb / 1024),
    (gateKb - smallest.loaded.gateKb) / more,
    (sandboxKb - smallest.loaded.sandboxKb) / more,
  ]
}
