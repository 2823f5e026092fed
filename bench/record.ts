// What does the record cost a decision?
//
// Two gates in one process, one with the record and one without, decide the same events in turn, in blocks in shuffled
// order: without rules, and with every pack on. Reported: p50 and p99 of a decision, CPU time of the process a decision,
// rows a second that a writer appends, bytes a row; and how long `hookgate run` takes from its answer to its exit.
//
//   npm run build && node bench/record.ts [rounds]
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createGate, type Gate } from '../src/gate/gate.ts'
import { limits } from '../src/model/limits.ts'
import { newRecordId } from '../src/record/record-id.ts'
import { openWriter } from '../src/record/writer.ts'
import { packNames } from './accuracy/judge.ts'
import { readOwnCorpus } from './accuracy/own.ts'
import { built } from './support/built.ts'
import { loadNow, machine } from './support/machine.ts'
import { table } from './support/markdown.ts'
import { median, shuffled, summary } from './support/statistics.ts'
import { recordBatchMs } from '../src/record/recorder.ts'
import { recordBatchMax } from '../src/record/waiting-rows.ts'

const rounds = Number(process.argv[2] ?? 20)
const perBlock = 200
const loadBefore = loadNow()
const folder = mkdtempSync(join(tmpdir(), 'hookgate-bench-'))
const commands = readOwnCorpus().flatMap(({ cmd }) => cmd ?? [])
const eventOf = (command: string) => ({
  session_id: 'bench',
  transcript_path: '/t.jsonl',
  cwd: '/',
  permission_mode: 'default',
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_input: { command },
})

// oxlint-disable no-await-in-loop -- one after the other is the measurement
try {
  const rows: (readonly (string | number)[])[] = []
  for (const [name, rules] of [
    ['no rules', { hooks: {} }],
    ['all packs', { packs: packNames.map((pack) => ({ pack })) }],
  ] as const) {
    rows.push(...(await compared(name, rules)))
  }
  console.log(`${rounds} rounds of ${perBlock} decisions. ${machine(loadBefore)}\n`)
  console.log(table(['a decision', 'p50, µs', 'p99, µs', 'CPU, µs'], rows))
  const { rate, bytes } = appended()
  console.log(
    `\nOne writer appends ${Math.round(rate).toLocaleString('en')} rows a second; a row takes ${bytes.toFixed(0)} bytes.`,
  )
  const [withIt, without] = [await exits('all'), await exits('off')]
  console.log(
    `\`hookgate run\` exits ${withIt.toFixed(1)} ms after its answer with the record, ${without.toFixed(1)} ms without (medians of ${rounds}).`,
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function compared(name: string, rules: object) {
  const file = join(folder, `${name}.json`)
  writeFileSync(file, JSON.stringify(rules))
  const options = { rules: [file], discover: false }
  const sides = [
    { label: `${name}, without the record`, gate: createGate(options), us: [] as number[], cpu: [] as number[] },
    {
      label: `${name}, with the record`,
      gate: createGate({ ...options, record: join(folder, 'state', `${name}.db`) }),
      us: [] as number[],
      cpu: [] as number[],
    },
  ]
  for (const { gate } of sides) await block(gate, 0)
  const ps = sides.map(() => ({ p50: [] as number[], p99: [] as number[] }))
  for (let round = 0; round < rounds; round += 1) {
    for (const side of shuffled(sides)) {
      const before = process.cpuUsage()
      const us = await block(side.gate, round * perBlock)
      // The rows of this block are written before the next one begins.
      await new Promise((resolve) => setTimeout(resolve, 2 * recordBatchMs))
      const { user, system } = process.cpuUsage(before)
      side.cpu.push((user + system) / perBlock)
      const { p50, p99 } = summary(us)
      ps[sides.indexOf(side)]?.p50.push(p50)
      ps[sides.indexOf(side)]?.p99.push(p99)
    }
  }
  await Promise.all(sides.map(({ gate }) => gate.close()))
  return sides.map(({ label, cpu }, at) => [label, median(ps[at]?.p50 ?? []), median(ps[at]?.p99 ?? []), median(cpu)])
}

async function block(gate: Gate, from: number): Promise<readonly number[]> {
  const us: number[] = []
  for (let at = from; at < from + perBlock; at += 1) {
    const event = eventOf(commands[at % commands.length] ?? '')
    const beganAtMs = performance.now()
    await gate.answer(event, { agent: 'claude-code' })
    us.push((performance.now() - beganAtMs) * 1000)
    // A gate's events come by messages: what the last one left to be done is done before the next.
    await new Promise((resolve) => setImmediate(resolve))
  }
  return us
}

function appended() {
  const file = join(folder, 'state', 'append.db')
  const writer = openWriter(file, { name: `${process.pid}-bench`, startedAt: '' }, limits.recordLockMs)
  const evaluation = { ruleId: 'git/no-force-push', durationMs: 0.2, effect: 'deny', reason: 'x'.repeat(120) }
  const record = JSON.stringify({
    at: new Date().toISOString(),
    subject: 'x'.repeat(80),
    evaluations: [evaluation],
    more: 'x'.repeat(400),
  })
  const batch = Array.from({ length: recordBatchMax }, () => ({ id: newRecordId(Date.now()), record }))
  const batches = 200
  const beganAtMs = performance.now()
  for (let at = 1; at <= batches; at += 1) {
    writer.write(
      { rows: batch, counts: [], times: [] },
      { written: at * batch.length, lost: 0 },
      { days: 90, megabytes: 200 },
    )
  }
  const seconds = (performance.now() - beganAtMs) / 1000
  writer.end(undefined)
  const number = batches * batch.length
  return { rate: number / seconds, bytes: statSync(file).size / number }
}

/** Returns the median time from the answer of `hookgate run` to its exit, ms. */
async function exits(level: string): Promise<number> {
  const home = join(folder, `home-${level}`)
  mkdirSync(join(home, '.config/hookgate'), { recursive: true })
  writeFileSync(join(home, '.config/hookgate/hooks.json'), JSON.stringify({ hooks: {}, record: level }))
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, HOOKGATE_HOME: join(home, 'state') }
  const ms: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const child = spawn(process.execPath, [built('cli/bin.js'), 'run', '--agent', 'claude-code', '--json'], { env })
    let answeredAtMs = 0
    child.stdout.on('data', () => (answeredAtMs ||= performance.now()))
    child.stdin.end(JSON.stringify(eventOf('ls')))
    await once(child, 'exit')
    ms.push(performance.now() - answeredAtMs)
  }
  return median(ms)
}
