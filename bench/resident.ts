// Which resources does the resident gate use, and how fast does it start and recover?
//
// `up` without and with a running gate; 10,000 events from 32 concurrent clients, each on its own connection, with
// memory and file descriptors before and after; and from `kill -9` of the sandbox, and of the gate, to the next
// decision.
//
//   node bench/resident.ts [events]
import { readFileSync } from 'node:fs'
import { loadNow, machine } from './support/machine.ts'
import { descendants } from './support/process-tree.ts'
import { footprint, residentGate } from './support/resident-gate.ts'
import { summary } from './support/statistics.ts'

const events = Number(process.argv[2] ?? 10_000)
const clients = 32
const rounds = 10
const loadBefore = loadNow()
const gate = residentGate()

const ms = (value: number) => `${value.toFixed(1)} ms`
const line = (name: string, text: string) => console.log(`${name.padEnd(44)} ${text}`)

async function timed(task: () => unknown): Promise<number> {
  const startedAt = performance.now()
  await task()
  return performance.now() - startedAt
}

async function repeated(name: string, prepare: () => unknown, task: () => unknown): Promise<void> {
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    // oxlint-disable no-await-in-loop -- one after the other is the measurement
    await prepare()
    times.push(await timed(task))
    // oxlint-enable no-await-in-loop
  }
  const { p50, p95 } = summary(times)
  line(name, `p50 ${ms(p50)}   p95 ${ms(p95)}`)
}

/** Repeats an event until the policy itself decides it, instead of a failure or no answer. */
async function untilDecided(): Promise<void> {
  // oxlint-disable-next-line no-await-in-loop -- one after the other
  while (!(await gate.ask('again').catch(() => false)));
}

async function storm(count: number): Promise<{ times: number[]; wrong: number }> {
  const times: number[] = []
  let next = 0
  let wrong = 0
  const client = async () => {
    while (next < count) {
      const id = `n${next}`
      next += 1
      // oxlint-disable-next-line no-await-in-loop -- a client sends one event at a time
      times.push(await timed(async () => (wrong += Number(!(await gate.ask(id))))))
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  return { times, wrong }
}

function print(when: string, { gateMb, allMb, descriptors, processes }: ReturnType<typeof footprint>): void {
  const memory = `gate ${gateMb.toFixed(0)} MB, all ${processes} processes ${allMb.toFixed(0)} MB`
  line(when, `${memory}, ${descriptors} descriptors`)
}

const isSandbox = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('sandbox-main')

try {
  await repeated(
    'up, no gate',
    () => gate.cli('down'),
    () => gate.cli('up'),
  )
  await repeated(
    'up, gate running',
    () => {},
    () => gate.cli('up'),
  )
  await untilDecided()
  const pid = await gate.pid()
  print('opened', footprint(pid))
  // V8's heap first grows with garbage up to a plateau. Growth beyond it is a leak.
  await storm(3 * events)
  print(`before, after ${3 * events} to warm up`, footprint(pid))
  const startedAt = performance.now()
  const { times, wrong } = await storm(events)
  const seconds = (performance.now() - startedAt) / 1000
  print(`after ${events} more`, footprint(pid))
  const { p50, p95, p99 } = summary(times)
  line(
    `${events} events, ${clients} clients`,
    `${(events / seconds).toFixed(0)}/s, p50 ${ms(p50)}, p95 ${ms(p95)}, p99 ${ms(p99)}; not its own answer: ${wrong}`,
  )
  // A new gate each time: restarts of repeatedly lost sandboxes are delayed on purpose.
  const anew = async () => {
    gate.cli('down')
    gate.cli('up')
    await untilDecided()
  }
  await repeated('kill -9 of its sandboxes, to the next decision', anew, async () => {
    for (const one of descendants(await gate.pid()).filter(isSandbox)) process.kill(one, 'SIGKILL')
    await untilDecided()
  })
  await repeated('kill -9 of the gate, up, to the next decision', anew, async () => {
    process.kill(await gate.pid(), 'SIGKILL')
    gate.cli('up')
    await untilDecided()
  })
} finally {
  gate.close()
}
console.log(machine(loadBefore))
