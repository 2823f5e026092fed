// How long does an agent wait for its answer, on each path to the gate?
//
// One rule, which refuses a forced push: as a policy in a real resident gate, called by the thin client and by HTTP; as
// a policy of a cold `hookgate run`; and as a plain hook in bash and in Node. All get the same harmless command, in
// turn, in shuffled order in each round, beside `sh -c :`, `node -e 0` and an HTTP server that decides nothing; first
// on an idle machine, then with every core busy. None is warm: like an agent's hook, each runs after others have used
// the processor. Then HTTP without a pause.
//
//   npm run build && node bench/end-to-end.ts [rounds]
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { chooseClient, hookScript } from '../src/service/client/index.ts'
import { version } from '../src/files/program-files.ts'
import { built } from './support/built.ts'
import { loadNow, machine } from './support/machine.ts'
import { goal, significant, table } from './support/markdown.ts'
import { executable } from './support/other-clients.ts'
import { claudeEvent, clineEvent, hookFiles, policyText } from './support/plain-hooks.ts'
import { bareServer, gateToAsk } from './support/gate-to-ask.ts'
import { ran } from './support/spawned.ts'
import { medianRatio, shuffled, summary } from './support/statistics.ts'

const rounds = Number(process.argv[2] ?? 100)
const loadBefore = loadNow()
const folder = mkdtempSync(join(tmpdir(), 'hookgate-bench-'))
const policies = join(folder, 'policies')
mkdirSync(policies)
writeFileSync(join(policies, 'no-force-push.policy.js'), policyText)
const bin = built('cli/bin.js')
const gate = await gateToAsk(bin, folder, ['--rules', policies, '--no-discover'])
const bare = await bareServer()
const { client } = await chooseClient({ folder: join(folder, 'clients'), node: process.execPath })
const { socket } = gate
const call = { agent: 'cline', event: 'PreToolUse', folder, socket, version: version(), node: process.execPath, bin }
const thin = executable(join(folder, 'PreToolUse'), hookScript(client, { ...call, startsGate: false }))
const hooks = hookFiles(folder)
const run = [process.execPath, bin, 'run', '--agent', 'cline', '--no-discover']

interface Answered {
  readonly ms: number
  readonly refuses: boolean
}

/** Sends a command along one path to a decision. */
type Path = (command: string) => Promise<Answered>

const program =
  (...words: readonly string[]): Path =>
  async (command) => {
    const { ms, stdout, stderr, code } = await ran(words, Buffer.from(clineEvent(command, folder)))
    // INVARIANT: a failed run is never measured.
    if (code !== 0) throw new Error(`${words.join(' ')}: ${code} ${stdout.toString()}${stderr.toString()}`)
    return { ms, refuses: stdout.includes('"cancel":true') }
  }

const floor = '`sh -c :`'
const httpFloor = 'a bare HTTP server of Node, which decides nothing'
const byNode = 'a plain Node hook'
const byClient = `hookgate: the thin client (${client.kind})`
const byHttp = 'hookgate: an HTTP hook'
const cold = 'hookgate: cold `hookgate run`'
const deciding: Readonly<Record<string, Path>> = {
  'a plain bash hook': program(hooks.bash),
  [byNode]: program(hooks.node),
  [byClient]: program(thin),
  [byHttp]: async (command) => {
    const { ms, body } = await gate.ask(Buffer.from(claudeEvent(command, folder)))
    return { ms, refuses: body.includes('"deny"') }
  },
  [cold]: program(...run, '--rules', policies),
}
const paths: Readonly<Record<string, Path>> = {
  [floor]: program('/bin/sh', '-c', ':'),
  '`node -e 0`': program(process.execPath, '-e', '0'),
  [httpFloor]: async (command) => {
    const { ms } = await bare.ask(Buffer.from(claudeEvent(command, folder)))
    return { ms, refuses: false }
  },
  ...deciding,
}

// oxlint-disable no-await-in-loop -- one after the other is the measurement
for (const [name, ask] of Object.entries(deciding)) {
  const refused = [await ask('npm test'), await ask('git push --force')].map(({ refuses }) => refuses)
  if (refused.join() !== 'false,true') throw new Error(`${name} refuses ${refused.join()}`)
}

async function measured(): Promise<ReadonlyMap<string, readonly number[]>> {
  const times = new Map(Object.keys(paths).map((name) => [name, [] as number[]]))
  for (let round = -3; round < rounds; round += 1) {
    for (const [name, ask] of shuffled(Object.entries(paths))) {
      const { ms, refuses } = await ask('npm test')
      if (refuses) throw new Error(`${name} refuses`)
      if (round >= 0) times.get(name)?.push(ms)
    }
  }
  return times
}
// oxlint-enable no-await-in-loop

async function whileBusy<Value>(work: () => Promise<Value>): Promise<Value> {
  const loops = Array.from({ length: availableParallelism() }, () => spawn(process.execPath, ['-e', 'for (;;);']))
  try {
    return await work()
  } finally {
    for (const loop of loops) loop.kill('SIGKILL')
  }
}

function report(title: string, times: ReadonlyMap<string, readonly number[]>): void {
  const of = (name: string) => times.get(name) ?? []
  const rows = [...times].map(([name, values]) => {
    const { p50, p95, p99 } = summary(values)
    return [name, p50, p95, p99, medianRatio(values, of(floor)), medianRatio(of(byNode), values)]
  })
  const head = ['', 'p50 ms', 'p95 ms', 'p99 ms', `÷ ${floor}`, 'times as fast as a Node hook']
  console.log(`\n${title}\n\n${table(head, rows)}\n`)
  const slower = medianRatio(of(byClient), of(floor))
  const faster = medianRatio(of(byNode), of(byClient))
  const httpMs = summary(of(byHttp)).p50
  const overBare = medianRatio(of(byHttp), of(httpFloor))
  console.log(goal('the thin client is at most 2.5 times `sh -c :`', slower <= 2.5, significant(slower)))
  console.log(goal('and at least 10 times as fast as a plain Node hook', faster >= 10, significant(faster)))
  const httpFigures = `${significant(httpMs)} ms, ${significant(overBare)} times the bare server`
  console.log(goal('the HTTP path takes at most 1 ms', httpMs <= 1, httpFigures))
}

/** Measures HTTP while no other process runs in between, as when an agent makes many calls at once. */
async function withoutPause(): Promise<string> {
  const times: number[][] = [[], []]
  const event = Buffer.from(claudeEvent('npm test', folder))
  // oxlint-disable no-await-in-loop -- one after the other is the measurement
  for (let round = 0; round < 20 * rounds; round += 1) {
    for (const [at, { ask }] of [gate, bare].entries()) times[at]?.push((await ask(event)).ms)
  }
  // oxlint-enable no-await-in-loop
  const [byGate, byBare] = times.map((one) => summary(one.slice(rounds)))
  const percentiles = (one: typeof byGate) =>
    `p50 ${significant(one?.p50 ?? 0)} ms, p99 ${significant(one?.p99 ?? 0)} ms`
  return `HTTP without a pause: ${percentiles(byGate)}; the bare server ${percentiles(byBare)}`
}

try {
  const alone = await measured()
  const hot = await withoutPause()
  const busy = await whileBusy(measured)
  console.log(`${rounds} rounds. ${machine(loadBefore)}`)
  report('On an idle machine:', alone)
  console.log(`\n${hot}`)
  report(`With ${availableParallelism()} cores kept busy:`, busy)
} finally {
  await gate.end()
  await bare.end()
  rmSync(folder, { recursive: true })
}
