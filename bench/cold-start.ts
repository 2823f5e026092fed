// What does a decision cost without a running gate?
//
// `hookgate run`, as installed, beside `node -e 0` and a plain Node hook, in turn, in shuffled order in each
// round: without rules, with a rules file that names one hook, and with one policy. Reported: p50 and p95 in ms, and
// the median of the ratios round by round.
//
//   npm run build && node bench/cold-start.ts [rounds]
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { built } from './support/built.ts'
import { loadNow, machine } from './support/machine.ts'
import { goal, significant, table } from './support/markdown.ts'
import { clineEvent, hookFiles, policyText } from './support/plain-hooks.ts'
import { ran } from './support/spawned.ts'
import { medianRatio, shuffled, summary } from './support/statistics.ts'

const rounds = Number(process.argv[2] ?? 40)
const loadBefore = loadNow()
const folder = mkdtempSync(join(tmpdir(), 'hookgate-bench-'))
const bin = built('cli/bin.js')
const run = [process.execPath, bin, 'run', '--agent', 'cline', '--no-discover']
const rules = join(folder, 'hooks.json')
writeFileSync(rules, JSON.stringify({ hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'true' }] }] } }))
mkdirSync(join(folder, 'policies'))
writeFileSync(join(folder, 'policies', 'no-force-push.policy.js'), policyText)

const floor = '`node -e 0`'
const without = '`hookgate run`, no rules'
const contenders: Readonly<Record<string, readonly string[]>> = {
  [floor]: [process.execPath, '-e', '0'],
  'a plain Node hook': [hookFiles(folder).node],
  [without]: run,
  '`hookgate run`, one hook that is `true`': [...run, '--rules', rules],
  '`hookgate run`, one policy': [...run, '--rules', join(folder, 'policies')],
}
const event = Buffer.from(clineEvent('npm test', folder))
const times = new Map(Object.keys(contenders).map((name) => [name, [] as number[]]))
for (let round = -2; round < rounds; round += 1) {
  for (const [name, command] of shuffled(Object.entries(contenders))) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other is the measurement
    const { ms, code, stdout, stderr } = await ran(command, event)
    // INVARIANT: a failed run is never measured.
    if (code !== 0 || stdout.includes('"cancel":true'))
      throw new Error(`${name}: ${code} ${stdout.toString()}${stderr.toString()}`)
    if (round >= 0) times.get(name)?.push(ms)
  }
}
rmSync(folder, { recursive: true })
const rows = [...times].map(([name, values]) => {
  const { p50, p95 } = summary(values)
  return [name, p50, p95, medianRatio(values, times.get(floor) ?? [])]
})
console.log(`${rounds} rounds. ${machine(loadBefore)}\n`)
console.log(table(['', 'p50 ms', 'p95 ms', `÷ ${floor}`], rows))
const ratio = medianRatio(times.get(without) ?? [], times.get(floor) ?? [])
console.log(`\n${goal('a cold run without rules is at most twice `node -e 0`', ratio <= 2, significant(ratio))}`)
