// What does a decision cost without a running gate?
//
// `hookgate run`, as installed, beside `node -e 0` and a plain Node hook, in turn, in shuffled order in each
// round: without rules, with a rules file that names one hook, with one policy, and with all packs. Reported: p50 and
// p95 in ms, and the median of the ratios round by round.
//
//   npm run build && node bench/cold-start.ts [rounds] [checkout]
//
// With the folder of another built checkout, its program is measured in the same rounds.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { shippedPacks } from '../src/files/policy-files.ts'
import { built } from './support/built.ts'
import { loadNow, machine } from './support/machine.ts'
import { goal, significant, table } from './support/markdown.ts'
import { clineEvent, hookFiles, policyText, typedPolicyText } from './support/plain-hooks.ts'
import { ran } from './support/spawned.ts'
import { medianRatio, shuffled, summary } from './support/statistics.ts'

const rounds = Number(process.argv[2] ?? 40)
const loadBefore = loadNow()
const folder = mkdtempSync(join(tmpdir(), 'hookgate-bench-'))
// So that nothing is remembered of the user's own runs, nor by them.
process.env['HOOKGATE_HOME'] = join(folder, 'state')
const hook = join(folder, 'hooks.json')
writeFileSync(hook, JSON.stringify({ hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'true' }] }] } }))
const policies = join(folder, 'policies')
mkdirSync(policies)
writeFileSync(join(policies, 'no-force-push.policy.js'), policyText)
const typed = join(folder, 'typed')
mkdirSync(typed)
writeFileSync(join(typed, 'no-force-push.policy.ts'), typedPolicyText)
const packs = join(folder, 'packs.json')
// A rule that looks back opens the database of what happened before: `data-flow` is no pack for a single call.
writeFileSync(
  packs,
  JSON.stringify({ packs: shippedPacks().flatMap((pack) => (pack === 'data-flow' ? [] : [{ pack }])) }),
)

const cases = [
  { name: '`hookgate run`, no rules', args: [], ratioMax: 3 },
  { name: '`hookgate run`, one hook that is `true`', args: ['--rules', hook], ratioMax: 5 },
  { name: '`hookgate run`, one policy', args: ['--rules', policies], ratioMax: 6 },
  { name: '`hookgate run`, one in TypeScript, with examples', args: ['--rules', typed], ratioMax: 6 },
  { name: '`hookgate run`, all packs', args: ['--rules', packs], ratioMax: 11 },
] as const
type Contender = readonly [name: string, command: readonly string[]]
const runsOf = (bin: string, note: string): readonly Contender[] =>
  cases.map(({ name, args }) => [
    `${name}${note}`,
    [process.execPath, bin, 'run', '--agent', 'cline', '--no-discover', ...args],
  ])

const floor = '`node -e 0`'
const other = process.argv[3]
const otherBin = other === undefined ? undefined : built('cli/bin.js', pathToFileURL(`${resolve(other, 'dist')}/`))
const contenders: readonly Contender[] = [
  [floor, [process.execPath, '-e', '0']],
  ['a plain Node hook', [hookFiles(folder).node]],
  ...runsOf(built('cli/bin.js'), ''),
  ...(otherBin === undefined ? [] : runsOf(otherBin, ', other checkout')),
]
const event = Buffer.from(clineEvent('npm test', folder))
const times = new Map(contenders.map(([name]) => [name, [] as number[]]))
for (let round = -2; round < rounds; round += 1) {
  for (const [name, command] of shuffled(contenders)) {
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
console.log('')
for (const { name, ratioMax } of cases) {
  const ratio = medianRatio(times.get(name) ?? [], times.get(floor) ?? [])
  console.log(goal(`${name}: at most ${ratioMax} times ${floor}`, ratio <= ratioMax, significant(ratio)))
}
