// What does an event cost that no rule matches?
//
// `decide` alone, and `answer`, which also decodes the agent's JSON; with no rules at all, and with 50 rules for other
// tools. Batches of 1,000 events, so that the clock costs nothing; reported: p50 and p99 of the batches' means, in µs,
// beside the floor of parsing and printing the same JSON.
//
//   node bench/no-rules.ts [batches]
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createGate } from '../src/library/index.ts'
import { summary } from './support/statistics.ts'

const batches = Number(process.argv[2] ?? 100)
const folder = mkdtempSync(join(tmpdir(), 'hookgate-bench-'))
const many = join(folder, 'hooks.json')
const handlers = Array.from({ length: 50 }, (_, at) => ({
  matcher: 'WebFetch',
  hooks: [{ type: 'command', command: `true ${at}` }],
}))
writeFileSync(many, JSON.stringify({ hooks: { PreToolUse: handlers } }))

const wire = JSON.stringify({
  session_id: 'bench',
  transcript_path: '/t.jsonl',
  cwd: folder,
  permission_mode: 'default',
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_input: { command: 'npm test', description: 'x'.repeat(800) },
  tool_use_id: 'toolu_1',
})

async function measure(name: string, task: () => unknown): Promise<void> {
  const means: number[] = []
  for (let batch = -10; batch < batches; batch += 1) {
    const startedAt = performance.now()
    // oxlint-disable-next-line no-await-in-loop -- one event after the other is the measurement
    for (let at = 0; at < 1000; at += 1) await task()
    if (batch >= 0) means.push(performance.now() - startedAt)
  }
  // A batch of 1,000 takes as many ms as one event takes µs.
  const { p50, p99 } = summary(means)
  console.log(`${name.padEnd(44)} p50 ${p50.toFixed(1).padStart(6)} µs   p99 ${p99.toFixed(1).padStart(6)} µs`)
}

await measure('floor: JSON.parse and JSON.stringify', () => JSON.stringify(JSON.parse(wire)))
for (const [label, options] of [
  ['no rules', { discover: false }],
  ['no rules found in the usual places', { home: folder }],
  ['50 rules for another tool', { discover: false, rules: [many] }],
] as const) {
  const gate = createGate(options)
  // oxlint-disable no-await-in-loop
  const event = await gate.decode(wire, { agent: 'claude-code' })
  await measure(`decide, ${label}`, () => gate.decide(event))
  await measure(`answer, ${label}`, () => gate.answer(wire, { agent: 'claude-code' }))
  await gate.close()
  // oxlint-enable no-await-in-loop
}
rmSync(folder, { recursive: true })
