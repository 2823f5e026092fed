/**
 * What it costs to look back.
 *
 *     node bench/state.ts [STEPS]
 *
 * First, a session of many steps whose every call is decided by states of all kinds: the processor time of one decision's
 * look at the past (all states read, one step added) in the first and in the last thousand of the steps, and what the
 * file and the process hold at the end. Then, whole decisions in a gate with a state folder: ten policies with a state
 * each against the same ten without one, in turn, by the processor time of the gate and its sandboxes, which other
 * programs of a busy machine do not add to.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StateDeclaration, Step } from '../src/model/past.ts'
import { openPast } from '../src/past/open-past.ts'
import { pastLimits } from '../src/model/past-limits.ts'
import { createGate } from '../src/library/index.ts'
import type { HookEvent } from '../src/model/event.ts'
import { medianRatio, summary } from './support/statistics.ts'

const steps = Number(process.argv[2] ?? 100_000)
/** Decisions of each gate, in rounds that are measured as a whole; the first fifth warms it. */
const rounds = 50
const decisionsOfRound = 100
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

/** States of the kinds that limits have. */
const declared = [
  "count({ command: 'curl' })",
  "streak({ outcome: 'failed' }, { by: 'call' })",
  "count({}, { within: '10m' })",
]

/** Ten policies about shell commands, each with a state or without. */
function policiesIn(name: 'with' | 'without'): string {
  const rules = join(folder, name)
  mkdirSync(rules)
  for (let at = 0; at < 10; at += 1) {
    const source = `import { count, definePolicy, deny, last, streak } from 'hookgate/policy'
export default definePolicy({
  id: 'bench-${at}', description: 'part of a bench', on: 'PreToolUse', tool: 'shell',
  ${name === 'with' ? `state: { used: ${declared[at % declared.length]} },` : ''}
  decide({ shell${name === 'with' ? ', state' : ''} }) {
    if (shell.commands.some(({ program }) => program === 'never${at}')${name === 'with' ? ' || state.used > 1e9' : ''}) return deny('no')
  },
})
`
    writeFileSync(join(rules, `bench-${at}.policy.ts`), source)
  }
  return rules
}

const gates = (['without', 'with'] as const).map((name) =>
  createGate({
    rules: [policiesIn(name)],
    discover: false,
    home: folder,
    managedFolder: join(folder, 'none'),
    state: join(folder, `state-${name}`),
    record: false,
  }),
)
/** Returns the processor time of this process and of those that it has started, in µs; elsewhere than on Linux, its own. */
function spentUsOfAll(): number {
  const { user, system } = process.cpuUsage()
  if (process.platform !== 'linux') return user + system
  const tasks = (pid: number | string) => readdirSync(`/proc/${pid}/task`).map((task) => `/proc/${pid}/task/${task}`)
  const children = tasks('self').flatMap((task) => readFileSync(`${task}/children`, 'utf8').match(/\d+/g) ?? [])
  const ofChildren = children.flatMap(tasks).map((task) => {
    try {
      const [ns = '0'] = readFileSync(`${task}/schedstat`, 'utf8').split(' ')
      return Number(ns) / 1000
    } catch {
      // A thread that has ended meanwhile.
      return 0
    }
  })
  return user + system + ofChildren.reduce((sum, us) => sum + us, 0)
}

const spent: number[][] = [[], []]
for (let round = 0; round < rounds; round += 1) {
  for (const [which, gate] of gates.entries()) {
    const before = spentUsOfAll()
    for (let at = round * decisionsOfRound; at < (round + 1) * decisionsOfRound; at += 1) {
      const command = `program${at % 40} word${at % 300}`
      const event: HookEvent = {
        name: 'PreToolUse',
        agent: 'claude-code',
        session: { id: 's', cwd: folder },
        workspaceRoots: [folder],
        atMs: at * 1000,
        tool: { kind: 'shell', name: 'Bash', input: { command }, command },
        raw: {},
      }
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await gate.decide(event)
    }
    if (round >= rounds / 5) spent[which]?.push((spentUsOfAll() - before) / decisionsOfRound)
  }
}
await Promise.all(gates.map((gate) => gate.close()))
const [plain = [], stateful = []] = spent
row('ten policies without', plain)
row('ten policies with', stateful)
console.log(`with ÷ without: ${medianRatio(stateful, plain).toFixed(2)} at the median of ${plain.length} pairs`)
rmSync(folder, { recursive: true })
