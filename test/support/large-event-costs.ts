// Decides large events one after the other in a gate with all shipped packs and permission lists, and writes what each of
// them costs the gate's main thread as lines of JSON. It is a process of its own, so that its heap can be limited and a
// loop without end be killed.
//
//   node test/support/large-event-costs.ts FROM TO random      events from random seeds
//   node test/support/large-event-costs.ts FROM TO productions  every production alone, in every shape, as a command
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createGate } from '../../src/library/index.ts'
import { type LargeEvent, largeEvent, shellEvent } from './large-events.ts'
import { everyLargeText } from './large-texts.ts'
import { claudeShell } from './wire.ts'
import { seeded } from './shell-inputs.ts'

const [from = '0', to = '1', kind = 'random'] = process.argv.slice(2)

/** The cost of one event; its beginning, if `ms` is missing. */
export interface EventCost {
  readonly at: number
  readonly name: string
  /** CPU time of the main thread, ms, the least of three times, as on a machine whose yardstick takes `yardstickMs`. */
  readonly ms?: number
}

const print = (cost: EventCost) => writeFileSync(1, `${JSON.stringify(cost)}\n`)

const home = mkdtempSync(join(tmpdir(), 'hookgate-large-'))
const policies = fileURLToPath(new URL('../../policies', import.meta.url))
const packs = readdirSync(policies).filter((name) => existsSync(join(policies, name, 'pack.json')))
const rules = {
  packs: packs.map((pack) => ({ pack })),
  permissions: { deny: ['Bash(rm *)', 'Read(./secrets/**)', 'Edit(*.key)'], ask: ['Bash(git push *)', 'mcp__a__*'] },
  exceptions: [{ rule: 'force-push', command: 'git push -f', reason: 'mine' }],
}
mkdirSync(join(home, '.config/hookgate'), { recursive: true })
writeFileSync(join(home, '.config/hookgate/hooks.json'), JSON.stringify(rules))
const gate = createGate({
  home,
  env: { HOME: home, XDG_CONFIG_HOME: join(home, '.config') },
  managedFolder: join(home, 'no'),
})

async function costOf({ value, agent }: LargeEvent): Promise<number> {
  const wire = JSON.stringify(value)
  const before = process.threadCpuUsage()
  await gate.answer(wire, { agent })
  return msSince(before)
}

function msSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/**
 * Takes the least of several times, since other processes slow down each of them. Less than half the limit is sure. Even
 * processor time grows by half where the other half of a core is busy, so a dearer event is compared with a yardstick.
 */
async function leastCost(event: LargeEvent, times = 3): Promise<number> {
  const ms = await costOf(event)
  if (ms < 125) return ms
  const scaled = ms * Math.min(1, yardstickMs / yardstick())
  return times === 1 ? scaled : Math.min(scaled, await leastCost(event, times - 1))
}

/** The time of the yardstick where the limit of an event was set. */
const yardstickMs = 30
const rows = JSON.stringify(Array.from({ length: 20_000 }, (_, at) => ({ path: `a${at}`, lines: [at, [String(at)]] })))
const words = 'a "b" $(c) | d\n'.repeat(20_000)

/** Does work that any decision does, JSON and regular expressions, and returns its CPU time in ms. */
function yardstick(): number {
  const before = process.threadCpuUsage()
  JSON.stringify(JSON.parse(rows))
  for (const found of words.matchAll(/\w+|"[^"]*"|\$\(/g)) void found
  return msSince(before)
}

const texts = kind === 'productions' ? everyLargeText(130_000) : undefined
const eventAt = (at: number): LargeEvent | undefined => {
  const text = texts?.[at]
  return texts === undefined ? largeEvent(seeded(at)) : text && shellEvent(text)
}

try {
  // A gate that refuses everything would cost next to nothing.
  const { stdout, stderr } = await gate.answer(claudeShell('ls src', home))
  if (!stdout.includes('"allow"')) throw new Error(`the gate does not decide: ${stdout}${stderr}`)
  // Code that runs for the first time is loaded, and not yet optimized.
  // oxlint-disable-next-line no-await-in-loop -- one event after the other
  for (let at = 0; at < 20; at++) await costOf(largeEvent(seeded(1_000_000 + at)))
  for (let at = 0; at < 5; at++) yardstick()
  for (let at = Number(from); at < Number(to); at++) {
    const event = eventAt(at)
    if (event === undefined) break
    print({ at, name: event.name })
    // oxlint-disable-next-line no-await-in-loop -- one event after the other
    print({ at, name: event.name, ms: await leastCost(event) })
  }
} finally {
  await gate.close()
  rmSync(home, { recursive: true })
}
