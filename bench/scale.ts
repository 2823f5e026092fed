// How much do loaded policies slow down an event that they do not match?
//
// 10, 100, 1,000 and 10,000 policies, one file each, of which 10 are for the shell tool and the rest for other tools.
// For each number, a fresh process loads them and reports its memory; then blocks of shell events run in alternating
// rounds. Reported: the p50 relative to 10 policies, as the median of the ratios round by round.
//
//   node bench/scale.ts [seconds for each, 3]
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadNow, machine } from './support/machine.ts'
import { writePolicies } from './support/policy-files.ts'
import { type ScaleProcess, scaleProcess } from './support/scale-process.ts'
import { scaleReport, type Scaled } from './support/scale-report.ts'
import { shuffled } from './support/statistics.ts'

const seconds = Number(process.argv[2] ?? 3)
const rounds = 10
const sizes = [10, 100, 1000, 10_000]
const applying = 10
const otherTools = ['read', 'write', 'edit', 'search', 'list', 'fetch', 'websearch', 'browser', 'agent']
const folder = mkdtempSync(join(tmpdir(), 'hookgate-bench-'))
const loadBefore = loadNow()

/** The matching policies come last, the worst case for a linear search. */
const toolsOf = (policies: number) =>
  Array.from({ length: policies }, (_, at) =>
    at >= policies - applying ? 'shell' : (otherTools[at % otherTools.length] ?? 'other'),
  )

// oxlint-disable no-await-in-loop -- one after the other is the measurement
const runs: (ScaleProcess & Scaled)[] = []
try {
  for (const policies of sizes) {
    process.stderr.write(`${policies} policies\n`)
    const run = await scaleProcess(writePolicies(folder, toolsOf(policies)), policies)
    runs.push({ ...run, p50s: [] })
  }
  const loaded = runs.filter((run) => !('refused' in run.loaded))
  for (let round = -1; round < rounds; round += 1) {
    for (const { block, p50s } of shuffled(loaded)) {
      const p50 = await block((seconds * 1000) / rounds)
      if (round >= 0) p50s.push(p50)
    }
  }
} finally {
  for (const { end } of runs) end()
  rmSync(folder, { recursive: true })
}

console.log(`${scaleReport(runs)}\n\n${machine(loadBefore)}`)
