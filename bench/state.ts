/**
 * What it costs to look back: a session of many steps, whose every call is decided by states of all kinds.
 *
 *     node bench/state.ts [STEPS]
 *
 * Prints the processor time of one decision's look at the past (all states read, one step added) in the first and in the
 * last thousand of the steps, and what the file and the process hold at the end.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StateDeclaration, Step } from '../src/model/past.ts'
import { openPast } from '../src/past/open-past.ts'
import { pastLimits } from '../src/model/past-limits.ts'
import { summary } from './support/statistics.ts'

const steps = Number(process.argv[2] ?? 100_000)
const states: readonly StateDeclaration[] = [
  { kind: 'count', of: { command: 'curl' } },
  { kind: 'count', of: { outcome: 'failed' }, by: 'call' },
  { kind: 'count', of: {}, within: '10m', by: 'host' },
  { kind: 'streak', of: { outcome: 'refused' }, by: 'call', resetBy: { outcome: 'prompted' } },
  { kind: 'streak', of: { outcome: 'failed' }, by: 'call', resetBy: { tool: ['write', 'edit'] } },
  { kind: 'since', of: { command: 'npm test', outcome: 'done' }, resetBy: { tool: ['write', 'edit'] } },
  { kind: 'label', of: { impact: 'show secret' } },
  { kind: 'last', of: { tool: 'edit' } },
  { kind: 'budget', of: { tool: 'fetch' }, cap: 50, window: '1h' },
  { kind: 'count', of: {}, scope: 'workspace' },
]

const stepAt = (at: number): Step => ({
  atMs: at * 1000,
  agent: 'claude-code',
  session: 's',
  workspace: '/home/u/proj',
  outcome: at % 7 === 0 ? 'failed' : 'allowed',
  tool: 'shell',
  name: 'Bash',
  text: `command ${at % 500}`,
  key: `key${at % 500}`,
  commands: [`program${at % 40} word`],
  impacts: [],
  paths: [{ access: 'read', path: `src/file${at % 90}.ts` }],
  hosts: at % 9 === 0 ? [`host${at % 300}.dev`] : [],
})

const folder = mkdtempSync(join(tmpdir(), 'hookgate-bench-'))
const file = join(folder, 'past.db')
const past = openPast(file)
const spentUs: number[] = []
for (let at = 0; at < steps; at += 1) {
  const step = stepAt(at)
  const before = process.cpuUsage()
  // oxlint-disable-next-line no-await-in-loop -- a session's calls are decided one after the other
  await past.decide(step, 'workspace', async (view) => {
    for (const declaration of states) view.read({ rule: 'r', name: 's', declaration, code: '' })
    return { step }
  })
  const { user, system } = process.cpuUsage(before)
  spentUs.push(user + system)
}
const row = (name: string, some: readonly number[]) => {
  const { p50, p99 } = summary(some)
  console.log(`${name.padEnd(24)} p50 ${(p50 / 1000).toFixed(3)} ms   p99 ${(p99 / 1000).toFixed(3)} ms`)
}
row('the first thousand', spentUs.slice(0, 1000))
row('the last thousand', spentUs.slice(-1000))
console.log(`${states.length} states, ${steps} steps, of which at most ${pastLimits.stepsKeptMax} are kept`)
console.log(
  `file ${(statSync(file).size / 2 ** 20).toFixed(0)} MiB, memory ${(process.memoryUsage().rss / 2 ** 20).toFixed(0)} MiB`,
)
past.close()
rmSync(folder, { recursive: true })
