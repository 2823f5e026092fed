// Does every answer have its row, or is it counted as lost, whatever is killed?
//
// A resident gate, an embedder, this process and ten `hookgate run`s write one record at once, while they are killed with
// SIGKILL. Every answer is counted by its caller. Reported: answers, rows, losses, and whether the chain holds.
//
//   npm run build && node bench/record-endurance.ts [decisions] [kills]
import { recordStorm } from './support/record-storm.ts'
import { loadNow, machine } from './support/machine.ts'
import { goal, table } from './support/markdown.ts'

const decisions = Number(process.argv[2] ?? 100_000)
const kills = Number(process.argv[3] ?? 20)
const loadBefore = loadNow()
const beganAtMs = performance.now()
const { answered, unrecorded, rows, twice, lost, inFlightMax, check } = await recordStorm(decisions, 10, kills)
const seconds = (performance.now() - beganAtMs) / 1000

console.log(`${2 * kills} gates and 5 runs killed, in ${seconds.toFixed(0)} s. ${machine(loadBefore)}\n`)
console.log(
  table(
    ['answers', 'rows', 'answers without a row', 'counted as lost', 'rows twice'],
    [[`${answered}`, `${rows}`, `${unrecorded}`, `${lost}`, `${twice}`]],
  ),
)
console.log(
  `\n${goal('every answer has its row, or is counted as lost', unrecorded <= lost, `${unrecorded} ≤ ${lost}`)}`,
)
console.log(
  goal('no more is counted than was decided', rows + lost <= answered + inFlightMax, `${rows + lost - answered} more`),
)
console.log(goal('the chain holds', check.kind === 'whole' && twice === 0, check.kind))
