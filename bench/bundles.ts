// What do 20,000 machines that follow a channel of signed rules ask of one server?
//
// Requests, bytes and the server's CPU time are those of the real client against a real server: Node's, one process, on
// this machine. The rate over an hour follows from the poller's own spreading, in simulated time. A cold start of all
// machines is a sample of real first looks, each with an empty folder, whose cost for the server is scaled.
//
//   node bench/bundles.ts [machines] [sample]
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { packBundle } from '../src/bundle/document.ts'
import { poll } from '../src/bundle/machine/poll.ts'
import { nextDelayMs } from '../src/bundle/machine/poller.ts'
import { publish } from '../src/bundle/team/publish.ts'
import { makeRepository } from '../src/bundle/team/roles.ts'
import { loadNow, machine } from './support/machine.ts'
import { summary } from './support/statistics.ts'

const machines = Number(process.argv[2] ?? 20_000)
const sample = Number(process.argv[3] ?? 400)
const pollMs = 300_000
const loadBefore = loadNow()
const line = (name: string, text: string) => console.log(`${name.padEnd(34)} ${text}`)

const folder = mkdtempSync(join(tmpdir(), 'hookgate-bench-'))
const repository = { folder: join(folder, 'repo') }
const signing = { keys: join(folder, 'keys'), passphrase: undefined, nowMs: Date.now() }
makeRepository(repository, { roots: 3, threshold: 2 }, ['laptops'], signing)
// Forty policies that do not compress as one.
const policy = readFileSync(new URL('../policies/git-safety/force-push.policy.ts', import.meta.url), 'utf8')
const noise = () => Array.from({ length: 40 }, () => Math.random().toString(36)).join('')
const files = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`p/${n}.policy.ts`, `${policy}// ${noise()}`]))
const rules = { permissions: { deny: ['Bash(rm *)'] } }
const bytes = packBundle({ format: 1, name: 'bench', revision: '1', rules, params: {}, files })
publish(repository, 'laptops', bytes, { percent: 100, mode: 'enforce' }, signing)
const pinned = readFileSync(join(repository.folder, 'metadata/1.root.json'), 'utf8')

const server = fork(new URL('support/static-server.ts', import.meta.url), [repository.folder])
const [port] = z.tuple([z.number()]).parse((await once(server, 'message')).slice(0, 1))
const Answered = z.object({ requests: z.number(), bytes: z.number(), cpuMs: z.number() })

/** Returns what the server has answered since this was last asked. */
async function answered(): Promise<z.infer<typeof Answered>> {
  server.send('report')
  return Answered.parse((await once(server, 'message'))[0])
}

async function look(id: number): Promise<number> {
  const own = join(folder, `machine-${id}`)
  mkdirSync(own, { recursive: true })
  const startedAt = performance.now()
  await poll({
    folder: own,
    pinned,
    url: `http://127.0.0.1:${port}`,
    channel: 'laptops',
    headers: {},
    machineId: `machine-${id}`,
    check: async () => [],
    refused: new Map(),
    signal: new AbortController().signal,
  })
  return performance.now() - startedAt
}

/** Makes the looks of a sample of machines, a few at once as one process can. */
async function sampled() {
  const times: number[] = []
  let next = 0
  const client = async () => {
    while (next < sample) {
      const id = next
      next += 1
      // oxlint-disable-next-line no-await-in-loop -- a client makes one look after the other
      times.push(await look(id))
    }
  }
  await Promise.all(Array.from({ length: 8 }, client))
  const { requests, bytes: sent, cpuMs } = await answered()
  return { requests: requests / sample, bytes: sent / sample, cpuMs: cpuMs / sample, ms: summary(times) }
}

await look(-1)
await answered()
const first = await sampled()
const later = await sampled()
for (const [name, one] of [['a first look', first] as const, ['a look with nothing new', later] as const]) {
  const cost = `${one.requests.toFixed(1)} requests   ${(one.bytes / 1000).toFixed(1)} kB   server ${one.cpuMs.toFixed(2)} ms CPU`
  line(name, `${cost}   client p50 ${one.ms.p50.toFixed(1)} ms (8 at once)`)
}

/** Counts looks in each second of some hours of simulated time, from the start of all machines at once. */
function looksBySecond(seconds: number): Uint32Array {
  const counts = new Uint32Array(seconds)
  for (let id = 0; id < machines; id += 1) {
    for (let at = 0; at < seconds * 1000; at += nextDelayMs(pollMs)) {
      const second = Math.floor(at / 1000)
      counts[second] = (counts[second] ?? 0) + 1
    }
  }
  return counts
}

const hours = looksBySecond(7200).subarray(3600)
const steady = summary(hours)
const rate = (looks: number) => `${(looks * later.requests).toFixed(0)}/s`
line(
  `${machines} machines, each 300 s`,
  `p50 ${rate(steady.p50)}   p99 ${rate(steady.p99)}   most ${rate(Math.max(...hours))}   ` +
    `${((steady.p50 * later.bytes) / 1000).toFixed(0)} kB/s   server ${((steady.p50 * later.cpuMs) / 10).toFixed(1)} % of a core`,
)
const coldS = (machines * first.cpuMs) / 1000
line(
  'cold start of all, no rules yet',
  `${(machines * first.requests).toFixed(0)} requests, ${((machines * first.bytes) / 1e6).toFixed(0)} MB, at once; ` +
    `${coldS.toFixed(0)} s of the server’s CPU time`,
)
const warmS = (machines * later.cpuMs) / 1000
line(
  'start of all, with rules of long ago',
  `${(machines * later.requests).toFixed(0)} requests at once; ${warmS.toFixed(0)} s of the server’s CPU time`,
)
console.log(`\n${machine(loadBefore)}`)
server.kill()
rmSync(folder, { recursive: true })
