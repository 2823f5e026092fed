// What does one decision by policies cost, compared with other engines?
//
// 1, 10 and 100 policies that match, events of 1, 10 and 100 KB. hookgate in each placement beside the floors (the
// same bytes to a process or a thread and a short reply back) and the peers, all in one run. All are first checked for
// correct answers. A round is a block of each in shuffled order. Reported: the medians over all rounds of each round's
// percentiles; ratios are taken round by round. Then the throughput, in decisions per second.
//
//   node bench/policy.ts [seconds for each candidate and cell, 0.8]
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { absent, peers } from './peers/index.ts'
import { processFloor, threadFloor } from './support/floors.ts'
import { hookgates } from './support/hookgate.ts'
import { loadNow, machine } from './support/machine.ts'
import { writePolicies } from './support/policy-files.ts'
import { type Cell, latencyReport, throughputReport } from './support/policy-report.ts'
import { measured, verified } from './support/rounds.ts'
import { subjectsOf } from './support/subject.ts'
import { type Throughput, throughputs } from './support/throughput.ts'

const seconds = Number(process.argv[2] ?? 0.8)
const rounds = 9
const folder = mkdtempSync(join(tmpdir(), 'hookgate-bench-'))
const loadBefore = loadNow()
const cells: Cell[] = []
let flooded: readonly Throughput[] = []

// oxlint-disable no-await-in-loop -- one after the other is the measurement
try {
  for (const policies of [1, 10, 100]) {
    const rules = writePolicies(
      folder,
      Array.from({ length: policies }, () => 'shell'),
    )
    const floors = [processFloor(), threadFloor()]
    const gates = hookgates(rules)
    const candidates = [...floors, ...gates, ...(await peers(policies, folder))]
    for (const kilobytes of [1, 10, 100]) {
      process.stderr.write(`${policies} policies, ${kilobytes} KB\n`)
      const subjects = await subjectsOf(policies, kilobytes * 1024, folder)
      await verified(candidates, subjects)
      cells.push({ policies, kilobytes, timed: await measured(candidates, subjects, { seconds, rounds }) })
      if (policies !== 10 || kilobytes !== 1) continue
      const flooding = [...floors.slice(0, 1), ...gates]
      flooded = await throughputs(flooding, subjects.benign, [1, 8, 64, 256], { seconds: 5 * seconds, rounds: 5 })
    }
    for (const candidate of candidates) await candidate.close()
  }
} finally {
  rmSync(folder, { recursive: true })
}

console.log(`${latencyReport(cells)}\n\n${absent}\n\n${throughputReport(flooded)}\n\n${machine(loadBefore)}`)
