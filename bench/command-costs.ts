// What does a command cost, as one process and what it starts?
//
// The processor time of `hookgate COMMAND`, as built, beside `node -e 0`: user and system time of the process and of those
// that it has waited for, so what others do on the machine hardly shows. In turn, in shuffled order in each round. The
// gate's state has a record of some decisions. Reported: p50 in ms, and the median of the ratios round by round.
//
//   npm run build && node bench/command-costs.ts [rounds] [checkout]
//
// With the folder of another built checkout, its commands are measured in the same rounds.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { built } from './support/built.ts'
import { loadNow, machine } from './support/machine.ts'
import { goal, significant, table } from './support/markdown.ts'
import { medianRatio, shuffled, summary } from './support/statistics.ts'

const rounds = Number(process.argv[2] ?? 15)
const loadBefore = loadNow()
const folder = mkdtempSync(join(tmpdir(), 'hookgate-bench-'))
const home = join(folder, 'home')
const workspace = join(folder, 'workspace')
mkdirSync(join(home, '.config', 'hookgate'), { recursive: true })
mkdirSync(workspace)
writeFileSync(join(home, '.config', 'hookgate', 'hooks.json'), '{ "preset": "recommended" }')
const env = { PATH: process.env['PATH'], HOME: home }

const cases = [
  { words: ['--help'], ratioMax: 2 },
  { words: ['explain', 'git push --force'], ratioMax: 8 },
  { words: ['packs'], ratioMax: 8 },
  { words: ['why'], ratioMax: 8 },
  { words: ['suggest'], ratioMax: 8 },
  { words: ['log'], ratioMax: 8 },
  { words: ['stats'], ratioMax: 8 },
  { words: ['status'], ratioMax: 8 },
] as const
type Contender = readonly [name: string, command: readonly string[]]
const nameOf = (words: readonly string[]) => `\`hookgate ${words.join(' ')}\``
const commandsOf = (bin: string, note: string): readonly Contender[] =>
  cases.map(({ words }) => [`${nameOf(words)}${note}`, [bin, ...words]])

const floor = '`node -e 0`'
const own = built('cli/bin.js')
const other = process.argv[3]
const otherBin = other === undefined ? undefined : built('cli/bin.js', pathToFileURL(`${resolve(other, 'dist')}/`))
const contenders: readonly Contender[] = [
  [floor, ['-e', '0']],
  ...commandsOf(own, ''),
  ...(otherBin === undefined ? [] : commandsOf(otherBin, ', other checkout')),
]

/** Runs Node in a shell that says in its last line what its children took, in the form `0m0.123s 0m0.045s`. */
function cpuMsOf(words: readonly string[], { stdin = '', codeMax = 0 } = {}): number {
  const argv = ['-c', '"$@"; code=$?; times >&2; exit $code', 'sh', process.execPath, ...words]
  const { status, stderr } = spawnSync('bash', argv, { cwd: workspace, env, input: stdin, encoding: 'utf8' })
  // INVARIANT: a failed run is never measured.
  if (status === null || status > codeMax) throw new Error(`${words.join(' ')}: ${status} ${stderr}`)
  const last = stderr.trimEnd().split('\n').at(-1) ?? ''
  const parts = [...last.matchAll(/(\d+)m([\d.]+)s/g)]
  return parts.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60_000 + Number(seconds) * 1000, 0)
}

for (const command of ['npm test', 'git push --force origin main', 'ls -la', 'rm -rf ~/photos', 'cat README.md']) {
  const call = { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command } }
  const stdin = JSON.stringify({ session_id: 'bench', transcript_path: '', cwd: workspace, ...call })
  cpuMsOf([own, 'run', '--agent', 'claude-code', '--json'], { stdin, codeMax: 2 })
}

const times = new Map(contenders.map(([name]) => [name, [] as number[]]))
for (let round = -3; round < rounds; round += 1) {
  for (const [name, command] of shuffled(contenders)) {
    // `status` exits with 1 where no agent asks the gate.
    const taken = cpuMsOf(command, { codeMax: 1 })
    if (round >= 0) times.get(name)?.push(taken)
  }
}
rmSync(folder, { recursive: true })
const ratioOf = (name: string) => medianRatio(times.get(name) ?? [], times.get(floor) ?? [])
const rows = [...times].map(([name, values]) => [name, summary(values).p50, ratioOf(name)])
console.log(`${rounds} rounds, processor time. ${machine(loadBefore)}\n`)
console.log(table(['', 'p50 ms', `÷ ${floor}`], rows))
console.log('')
for (const { words, ratioMax } of cases) {
  const ratio = ratioOf(nameOf(words))
  console.log(goal(`${nameOf(words)}: at most ${ratioMax} times ${floor}`, ratio <= ratioMax, significant(ratio)))
}
