// What does a thin client cost, by its implementation?
//
// Each runs as under an agent, by `child_process.spawn` with the event on stdin, against a gate that decides nothing,
// in turn, in shuffled order in each round, beside `sh -c :`, `node -e 0` and a plain hook of bash and of Node. The
// first three are what hookgate installs, with the file around them that refuses when all else fails; the others are
// what it could have installed, where they are on this machine's PATH.
//
//   npm run build && node bench/clients.ts [rounds] [bytes of the event]
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chooseClient, type Client, type ClientKind, hookScript } from '../src/service/client/index.ts'
import { built } from './support/built.ts'
import { loadNow, machine } from './support/machine.ts'
import { goal, significant, table } from './support/markdown.ts'
import { executable, otherClients, programIn } from './support/other-clients.ts'
import { clineEvent, hookFiles } from './support/plain-hooks.ts'
import { ran } from './support/spawned.ts'
import { medianRatio, shuffled, summary } from './support/statistics.ts'

const [rounds = 100, bytes = 1000] = process.argv.slice(2).map(Number)
const loadBefore = loadNow()
const folder = mkdtempSync(join(tmpdir(), 'hookgate-bench-'))
const socket = join(folder, 'gate.sock')
const tokenFile = join(folder, 'token')
writeFileSync(tokenFile, 'not-a-secret\n', { mode: 0o600 })
const key = '7e'.repeat(32)
writeFileSync(join(folder, 'gate.key'), key, { mode: 0o600 })
const gate = spawn(process.execPath, [fileURLToPath(new URL('support/client-gate.ts', import.meta.url)), socket, key])
const [line] = (await once(gate.stdout, 'data')) as [Buffer]
const address = { folder, socket, port: Number(line), tokenFile }
const event = Buffer.from(clineEvent(`git push --force ${'x'.repeat(Math.max(0, bytes - 1000))}`, folder))

interface Contender {
  readonly name: string
  readonly command: readonly string[]
  readonly remark: string
}

const call = {
  agent: 'cline',
  event: 'PreToolUse',
  folder,
  socket,
  version: '0.0.0',
  node: process.execPath,
  bin: join(folder, 'none'),
  startsGate: false,
}

/** Replaces the Node client's source by its compiled file, as installed. */
const builtOf = (client: Client): Client =>
  client.kind === 'node' ? { ...client, command: [process.execPath, built('service/client/thin.js')] } : client

async function installed(kind: ClientKind): Promise<readonly Contender[]> {
  try {
    const { client } = await chooseClient({ folder, node: process.execPath, kinds: [kind] })
    const file = executable(join(folder, `hook-${kind}`), hookScript(builtOf(client), call))
    return [{ name: `**${kind} client**`, command: [file], remark: '' }]
  } catch (error) {
    return [{ name: `**${kind} client**`, command: [], remark: error instanceof Error ? error.message : String(error) }]
  }
}

const hooks = hookFiles(folder)
const floor = '`sh -c :`'
const plainNode = 'a plain Node hook'
const contenders: readonly Contender[] = [
  { name: floor, command: ['/bin/sh', '-c', ':'], remark: '' },
  { name: '`node -e 0`', command: [process.execPath, '-e', '0'], remark: '' },
  { name: 'a plain bash hook', command: [hooks.bash], remark: '' },
  { name: plainNode, command: [hooks.node], remark: '' },
  ...(await Promise.all((['native', 'node'] as const).map(installed))).flat(),
  ...otherClients.map(({ name, program, lacks, script }, at): Contender => {
    const path = programIn(program)
    if (path === undefined) return { name, command: [], remark: 'not on this machine' }
    return { name, command: [executable(join(folder, `other-${at}`), script(path, address))], remark: lacks }
  }),
]
const present = contenders.filter(({ command }) => command.length > 0)

const times = new Map(present.map(({ name }) => [name, [] as number[]]))
const silent = new Set([floor, '`node -e 0`'])
for (let round = -5; round < rounds; round += 1) {
  for (const { name, command } of shuffled(present)) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other is the measurement
    const { ms, stdout, stderr, code } = await ran(command, event)
    // INVARIANT: a client with a wrong answer is never measured.
    if (!silent.has(name) && !stdout.toString().startsWith('{"cancel":true')) {
      throw new Error(`${name} says ${code} ${stdout.toString()} ${stderr.toString()}`)
    }
    if (round >= 0) times.get(name)?.push(ms)
  }
}
gate.stdin.end()
rmSync(folder, { recursive: true })

const timesOf = (name: string) => times.get(name) ?? []
const rows = contenders.map(({ name, remark }) => {
  const { p50, p95 } = summary(timesOf(name))
  const against = (other: string) => significant(medianRatio(timesOf(name), timesOf(other)))
  const faster = significant(medianRatio(timesOf(plainNode), timesOf(name)))
  return timesOf(name).length === 0 ? [name, '', '', '', '', remark] : [name, p50, p95, against(floor), faster, remark]
})
console.log(`An event of ${event.length} bytes, ${rounds} rounds. ${machine(loadBefore)}\n`)
console.log(table(['', 'p50 ms', 'p95 ms', '÷ `sh -c :`', 'times as fast as a Node hook', 'what it lacks'], rows))
const best = ['native', 'node'].map((kind) => `**${kind} client**`).find((name) => timesOf(name).length > 0) ?? ''
const slower = medianRatio(timesOf(best), timesOf(floor))
const faster = medianRatio(timesOf(plainNode), timesOf(best))
console.log(`\n${goal('the installed client is at most 2.5 times `sh -c :`', slower <= 2.5, significant(slower))}`)
console.log(goal('and at least 10 times as fast as a plain Node hook', faster >= 10, significant(faster)))
