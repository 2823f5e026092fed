// What do calls that wait for a person cost the gate?
//
// One gate with all packs on decides everyday commands while no call waits, and while 100 wait, in blocks in turn.
// Reported: p50 and p99 of a decision, and the memory of the process for each call that waits.
//
//   node bench/approvals.ts [rounds]
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createGate } from '../src/gate/gate.ts'
import { packNames } from './accuracy/judge.ts'
import { readOwnCorpus } from './accuracy/own.ts'
import { loadNow, machine } from './support/machine.ts'
import { table } from './support/markdown.ts'
import { median, summary } from './support/statistics.ts'
import { approvalsOpenMax } from '../src/gate/approvals/queue.ts'

// Without a collection before it is read, the heap says nothing.
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
const rounds = Number(process.argv[2] ?? 20)
const perBlock = 200
const loadBefore = loadNow()
const home = mkdtempSync(join(tmpdir(), 'hookgate-bench-'))
mkdirSync(join(home, '.config/hookgate'), { recursive: true })
writeFileSync(
  join(home, '.config/hookgate/hooks.json'),
  JSON.stringify({
    packs: packNames.map((pack) => ({ pack })),
    permissions: { ask: ['Bash(sleep *)'] },
    approvals: true,
  }),
)
const everyday = readOwnCorpus().flatMap(({ cmd, label }) => (cmd === undefined || label === 'danger' ? [] : cmd))
const eventOf = (command: string, call: string) => ({
  session_id: 'bench',
  transcript_path: '/t.jsonl',
  cwd: '/',
  permission_mode: 'default',
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_input: { command },
  tool_use_id: call,
})

const gate = createGate({
  home,
  env: { HOME: home },
  state: join(home, 'state'),
  approvals: true,
  trustWorkspace: true,
})
// oxlint-disable no-await-in-loop -- one after the other is the measurement
try {
  await block(0)
  const sideOf = (waiting: number) => ({ waiting, p50: [] as number[], p99: [] as number[] })
  const sides = [sideOf(0), sideOf(approvalsOpenMax)]
  const bytes: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    for (const { waiting, p50, p99 } of sides) {
      const before = used()
      const calls = await waitingCalls(waiting, round)
      if (waiting > 0) bytes.push((used() - before) / waiting)
      const us = summary(await block(round * perBlock))
      p50.push(us.p50)
      p99.push(us.p99)
      await calls.end()
    }
  }
  console.log(`${rounds} rounds of ${perBlock} decisions. ${machine(loadBefore)}\n`)
  const rows = sides.map(({ waiting, p50, p99 }) => [`${waiting} calls wait`, median(p50), median(p99)])
  console.log(table(['a decision, while', 'p50, µs', 'p99, µs'], rows))
  console.log(`\nA call that waits takes ${(median(bytes) / 1024).toFixed(1)} KiB of memory.`)
} finally {
  await gate.close()
  rmSync(home, { recursive: true, force: true })
}

/** Has so many calls wait for a person. */
async function waitingCalls(number: number, round: number) {
  const answers = Array.from({ length: number }, (_, at) =>
    gate.answer({ ...eventOf(`sleep ${round}.${at}`, `${round}-${at}`), turn_id: 't', model: 'm' }, { agent: 'codex' }),
  )
  while ((gate.approvals?.open().length ?? 0) < number) await new Promise((resolve) => setTimeout(resolve, 5))
  return {
    async end() {
      for (const { id, call } of gate.approvals?.open() ?? []) {
        gate.approvals?.answer({ id, call, answer: 'deny', channel: 'terminal' })
      }
      await Promise.all(answers)
    },
  }
}

async function block(from: number): Promise<readonly number[]> {
  const us: number[] = []
  for (let at = from; at < from + perBlock; at += 1) {
    const event = eventOf(everyday[at % everyday.length] ?? '', `${at}`)
    const beganAtMs = performance.now()
    await gate.answer(event, { agent: 'claude-code' })
    us.push((performance.now() - beganAtMs) * 1000)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return us
}

/** Returns the bytes of the heap that are in use. */
function used(): number {
  collect()
  return process.memoryUsage().heapUsed
}
