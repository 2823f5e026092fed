// How many past calls a second does a replay decide?
//
// The calls of the project's own corpus, as sessions would have them, with all packs on, in a workspace that exists: with
// realistic repetition (a third of the calls come only once, the others as often as in a day's work), and all distinct.
// In the same run: one decision after the other, of the same distinct calls, in the library. `--memory` replays many more
// distinct calls, without a gate, and reports how much memory is held on the way.
//
//   node bench/replay.ts [--calls N]
//   node --expose-gc bench/replay.ts --memory N
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createGate } from '../src/library/index.ts'
import { parseJsonObject } from '../src/model/json.ts'
import type { PastItem } from '../src/model/event.ts'
import { type Decider, openDecider } from '../src/review/replay/rule-sets.ts'
import { replay, replayCallsAtOnce } from '../src/review/replay/replay.ts'
import { ReplayTally } from '../src/review/replay/tally.ts'
import { type OwnRow, readOwnCorpus } from './accuracy/own.ts'
import { wireOf } from './accuracy/row-event.ts'
import { loadNow, machine } from './support/machine.ts'
import { goal, significant, table } from './support/markdown.ts'
import { cpuMs } from './support/process-tree.ts'

const options = { calls: { type: 'string', default: '20000' }, memory: { type: 'string' } } as const
const { values } = parseArgs({ options })
const calls = Number(values.calls)
/** Decisions that are made one after the other. */
const singles = 2000
const goalPerSecond = 2000
const loadBefore = loadNow()
const rows = readOwnCorpus()
const policies = fileURLToPath(new URL('../policies', import.meta.url))

/** Refuses every fifth call, each for a reason of its own, at once. */
const instant: Decider = {
  wants: async () => ({ looksBack: false, outputs: false }),
  tell: async () => undefined,
  async decide({ tool }) {
    const reason = `no ${tool?.command ?? ''}`
    const refuses = reason.endsWith('5')
    const rules = refuses ? [{ id: 'bench#own', name: 'own', file: 'bench', reason }] : []
    return { answer: refuses ? 'refused' : 'noOpinion', rules, asOfNow: [], hooksNotRun: [] }
  },
  close: async () => {},
  kill() {},
}

const folder = mkdtempSync(join(tmpdir(), 'hookgate-bench-'))
const packs = readdirSync(policies).filter((name) => existsSync(join(policies, name, 'pack.json')))
const rules = join(folder, 'hooks.json')
writeFileSync(rules, JSON.stringify({ packs: packs.map((pack) => ({ pack })) }))
const gateOptions = { rules: [rules], discover: false, home: folder, env: { HOME: folder } }
try {
  if (values.memory === undefined) await main()
  else await holds(Number(values.memory))
} finally {
  rmSync(folder, { recursive: true })
}

/** Which row of the corpus a call is of, and whether it is unlike all others. */
interface Choice {
  readonly row: number
  readonly isOwn: boolean
}

/** A few commands make up most of a day's work: the n-th comes about 1/n as often as the first. */
function repeated(at: number): Choice {
  const rank = Math.floor(rows.length ** (((at * 7919) % 10_007) / 10_007)) - 1
  // The corpus is sorted by kind.
  return { row: (rank * 401) % rows.length, isOwn: at % 3 === 0 }
}

function distinct(at: number): Choice {
  return { row: at % rows.length, isOwn: true }
}

function wireAt(at: number, choice: (at: number) => Choice): string {
  const { row, isOwn } = choice(at)
  const { cmd, tool, input } = rows[row] ?? ({ cmd: 'true' } as Pick<OwnRow, 'cmd' | 'tool' | 'input'>)
  const own = isOwn && cmd !== undefined ? `${cmd} # ${at}` : cmd
  const given = isOwn && cmd === undefined ? { ...input, own: at } : input
  return wireOf({ source: 'bench', id: '', expect: 'scan', cwd: folder, cmd: own, tool, input: given })
}

function* itemsOf(count: number, choice: (at: number) => Choice, onEach: (at: number) => void): Generator<PastItem> {
  for (let at = 0; at < count; at += 1) {
    onEach(at)
    const wire = parseJsonObject(wireAt(at, choice))
    if (wire === undefined) throw new Error('a wire object is no object')
    yield { kind: 'call', call: { agent: 'claude-code', wire, atMs: at, cwd: folder, file: 'bench', line: at } }
  }
}

async function* asynchronous(items: Iterable<PastItem>) {
  yield* items
}

/** Replays some calls, and returns the time of each in ms: wall, and CPU of all processes. */
async function replayed(
  count: number,
  choice: (at: number) => Choice,
  now: Decider,
  onEach: (at: number, tally: ReplayTally) => void = () => {},
) {
  const run = async (some: number) => {
    const tally = new ReplayTally()
    const { signal } = new AbortController()
    const atOnce = replayCallsAtOnce * availableParallelism()
    const items = asynchronous(itemsOf(some, choice, (at) => onEach(at, tally)))
    const [cpuBefore, startedAtMs] = [cpuMs(), performance.now()]
    await replay(items, tally, { now, before: undefined, accepts: () => true, atOnce, signal })
    if (tally.calls !== some || tally.now.undecided > 0) throw new Error('not all calls were decided')
    return { each: (performance.now() - startedAtMs) / some, cpu: (cpuMs() - cpuBefore) / some, tally }
  }
  try {
    // The sandbox has to start, and V8 to compile.
    await run(rows.length)
    return await run(count)
  } finally {
    await now.close()
  }
}

async function decidedSingly() {
  const gate = createGate(gateOptions)
  try {
    const wires = Array.from({ length: singles }, (_, at) => wireAt(at, distinct))
    // oxlint-disable no-await-in-loop -- one after the other is the measurement
    const events = []
    for (const wire of wires) events.push(await gate.decode(wire, { agent: 'claude-code' }))
    for (const event of events.slice(0, rows.length)) await gate.decide(event)
    const [cpuBefore, startedAtMs] = [cpuMs(), performance.now()]
    for (const event of events) await gate.decide(event)
    // oxlint-enable no-await-in-loop
    return { each: (performance.now() - startedAtMs) / singles, cpu: (cpuMs() - cpuBefore) / singles }
  } finally {
    await gate.close()
  }
}

async function main(): Promise<void> {
  const single = await decidedSingly()
  const often = await replayed(calls, repeated, await openDecider(gateOptions))
  const once = await replayed(calls, distinct, await openDecider(gateOptions))
  const row = (name: string, { each, cpu }: typeof single, decisions: number) => [
    name,
    1000 / each,
    each,
    cpu,
    decisions,
    each / single.each,
  ]
  console.log(`\n${machine(loadBefore)}\n`)
  console.log(
    table(
      ['', 'calls a second', 'ms each', 'CPU ms each', 'decisions', '× one decision'],
      [
        row('one decision after the other', single, singles),
        row(`replay of ${calls} calls, repeated`, often, often.tally.decisions),
        row(`replay of ${calls} calls, all distinct`, once, once.tally.decisions),
      ],
    ),
  )
  console.log('')
  for (const [name, { each }] of [
    ['repeated', often],
    ['all distinct', once],
  ] as const) {
    const rate = 1000 / each
    console.log(goal(`${goalPerSecond} calls a second, ${name}`, rate >= goalPerSecond, significant(rate)))
  }
}

/** Reports the memory of this process over a long replay of distinct calls. The memory of a gate is not in it. */
async function holds(count: number): Promise<void> {
  const marks: (readonly (string | number)[])[] = []
  await replayed(count, distinct, instant, (at, tally) => {
    if (at === 0 || at % Math.ceil(count / 10) !== 0) return
    globalThis.gc?.()
    const { rss, heapUsed } = process.memoryUsage()
    marks.push([at.toLocaleString('en'), tally.findings.size, heapUsed / 2 ** 20, rss / 2 ** 20])
  })
  console.log(table(['calls', 'findings kept', 'heap MiB', 'RSS MiB'], marks))
}
