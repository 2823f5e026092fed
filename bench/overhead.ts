// What does the gate itself cost for each command hook?
//
// The same program is run by bare `child_process.spawn`, by bare execa, and by the gate, in turn, round by
// round, in one process; once in a small process, whose threads start the hooks, and once in one of a gigabyte, where a
// companion process does. Reported: p50 and p99 in ms, and the median of the ratios round by round.
//
//   node bench/overhead.ts [rounds]
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { medianRatio, summary } from './support/statistics.ts'

const rounds = Number(process.argv[2] ?? 40)
const child = fileURLToPath(new URL('./support/overhead-run.ts', import.meta.url))

interface Run {
  readonly rssMb: number
  readonly results: Readonly<Record<string, readonly number[]>>
}

function measured(ballastMb: number): Run {
  const { stdout, stderr, status } = spawnSync(process.execPath, [child, `${ballastMb}`, `${rounds}`], {
    encoding: 'utf8',
    maxBuffer: 1e8,
  })
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout) as Run
}

const column = (text: string | number, width: number) =>
  (typeof text === 'number' ? text.toFixed(2) : text).padStart(width)

const runs = [measured(0), measured(1024)]
for (const { rssMb, results } of runs) {
  console.log(`\nfrom a process of ${rssMb.toFixed(0)} MB, ${rounds} rounds`)
  console.log(
    [
      'hook'.padEnd(10),
      'at once',
      ...['contender', 'p50 ms', 'p99 ms', '÷ spawn', '÷ execa'].map((text) => column(text, 13)),
    ].join(' '),
  )
  for (const [key, values] of Object.entries(results)) {
    const [program = '', hooks = '', contender = ''] = key.split('|')
    const { p50, p99 } = summary(values)
    const against = (floor: string) => medianRatio(values, results[`${program}|${hooks}|${floor}`] ?? [])
    console.log(
      [
        program.padEnd(10),
        column(hooks, 7),
        column(contender, 13),
        ...[p50, p99, against('spawn'), against('execa')].map((value) => column(value, 13)),
      ].join(' '),
    )
  }
}

const [small, large] = runs
console.log('\nthe gate embedded in the large process, against the small one (p50 ÷ p50)')
for (const key of Object.keys(small?.results ?? {}).filter((name) => name.endsWith('|gate'))) {
  const ratio = summary(large?.results[key] ?? []).p50 / summary(small?.results[key] ?? []).p50
  console.log(`${key.replaceAll('|', ' ').padEnd(28)} ${ratio.toFixed(2)}`)
}
