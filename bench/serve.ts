// Decisions a second of a gate that serves other machines, their duration, and its recovery from a killed worker.
//
// `hookgate serve --listen` on one core (taskset) with a V8 heap of 384 MB, as in a container of 1 core and 512 MB; the
// clients are on the other cores. The same questions at the same process's Unix socket, in turn with TLS, say what TLS
// and proofs cost: only the ratio is reliable. Then the sandbox is killed, and one question follows the other until its
// policies decide again.
//
//   node bench/serve.ts [seconds [command…]]
//
// A command that limits another (`systemd-run --scope …`, `cgexec …`) takes the place of taskset. Node then finds its heap
// by the limit of memory, as in a container.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent as HttpAgent, request as httpRequest, type RequestOptions } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { built } from './support/built.ts'
import { loadNow, machine } from './support/machine.ts'
import { descendants, rssKb } from './support/process-tree.ts'
import { median, summary } from './support/statistics.ts'

const seconds = Number(process.argv[2] ?? 20)
const limiter = process.argv.slice(3)
const rounds = 5
const atOnce = [1, 32]
const kills = 10
const loadBefore = loadNow()

const tlsFile = (name: string) => fileURLToPath(new URL(`../test/fixtures/tls/${name}`, import.meta.url))
const home = mkdtempSync(join(tmpdir(), 'hookgate-bench-'))
const state = join(home, 'state')
mkdirSync(state, { mode: 0o700 })
writeFileSync(join(home, 'hooks.json'), JSON.stringify({ preset: 'recommended' }))

const commands = ['npm test', 'git status', 'ls -la src', 'rg -n TODO src', 'git commit -m "fix"', 'cat package.json']
const refused = 'git push --force origin main'

const server = started()
const port = await portOf(server)

interface Way {
  readonly name: string
  readonly post: (path: string, body: object) => Promise<string>
}

const proof = { ca: read('ca.pem'), cert: read('client.pem'), key: read('client.key') }
const overTls = new HttpsAgent({ keepAlive: true, maxSockets: 64, ...proof })
const overSocket = new HttpAgent({ keepAlive: true, maxSockets: 64 })
const remote: Way['post'] = (path, body) =>
  answered(httpsRequest, { host: '127.0.0.1', port, agent: overTls, path }, body)
const local: Way['post'] = (path, body) =>
  answered(httpRequest, { socketPath: join(state, 'gate.sock'), agent: overSocket, path }, body)

const decide = (post: Way['post']) => (command: string) => post('/v1/decide', { event: eventOf(command) })
const evaluate = (post: Way['post']) => (command: string) =>
  post('/access/v1/evaluation', {
    subject: { type: 'user', id: 'bench' },
    action: { name: 'shell' },
    resource: { type: 'command', id: command },
  })

const ways = [
  { name: 'Unix socket, /v1/decide', ask: decide(local) },
  { name: 'TLS with client certificate, /v1/decide', ask: decide(remote) },
  { name: 'the same, AuthZEN evaluation', ask: evaluate(remote) },
]

if (!(await decide(remote)(refused)).includes('"decision":"deny"')) throw new Error('the rules are not in force')
const results = ways.flatMap((way) =>
  atOnce.map((count) => Object.assign({ count, perSecond: [] as number[], times: [] as number[] }, way)),
)
for (let round = -1; round < rounds; round += 1) {
  for (const one of results) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other is the measurement
    const { perSecond, times } = await flood(one.ask, one.count)
    if (round < 0) continue
    one.perSecond.push(perSecond)
    one.times.push(...times)
  }
}

const floorAt = (count: number) => results.find((one) => one.count === count)
console.log('way                                       at once   a second     p50       p99   ÷ socket (p50)')
for (const { name, count, perSecond, times } of results) {
  const { p50, p99 } = summary(times)
  const ratio = p50 / summary(floorAt(count)?.times ?? []).p50
  console.log(
    `${name.padEnd(42)}${String(count).padStart(7)}${median(perSecond).toFixed(0).padStart(11)}${`${p50.toFixed(1)} ms`.padStart(10)}${`${p99.toFixed(1)} ms`.padStart(10)}${ratio.toFixed(2).padStart(10)}`,
  )
}

const all = [server.pid ?? 0, ...descendants(server.pid ?? 0)]
console.log(
  `\nmemory of its ${all.length} processes: ${(all.reduce((sum, pid) => sum + rssKb(pid), 0) / 1024).toFixed(0)} MB`,
)

const recoveries: number[] = []
let wrong = 0
for (let kill = 0; kill < kills; kill += 1) {
  const [sandbox] = descendants(server.pid ?? 0)
  if (sandbox === undefined) throw new Error('there is no sandbox')
  process.kill(sandbox, 'SIGKILL')
  const startedAt = performance.now()
  // oxlint-disable-next-line no-await-in-loop -- one after the other is the measurement
  const answer = await decide(remote)(refused)
  recoveries.push(performance.now() - startedAt)
  wrong += Number(!answer.includes('git-safety/force-push'))
}
const recovery = summary(recoveries)
console.log(
  `a killed sandbox: the next decision, by its policies, after ${recovery.p50.toFixed(0)} ms at p50, ${recovery.p99.toFixed(0)} ms at most; ${wrong} of ${kills} by anything else`,
)
console.log(machine(loadBefore))

overTls.destroy()
overSocket.destroy()
server.kill('SIGKILL')
rmSync(home, { recursive: true, force: true })

function read(name: string): Buffer {
  return readFileSync(tlsFile(name))
}

function started(): ChildProcess {
  const files = [
    '--tls-cert',
    tlsFile('server.pem'),
    '--tls-key',
    tlsFile('server.key'),
    '--client-ca',
    tlsFile('ca.pem'),
  ]
  const words = ['serve', '--listen', '127.0.0.1:0', ...files, '--no-discover', '--rules', join(home, 'hooks.json')]
  const oneCore = ['taskset', '-c', '0', process.execPath, '--max-old-space-size=384']
  const [command = '', ...before] = limiter.length > 0 ? [...limiter, process.execPath] : oneCore
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, HOOKGATE_HOME: state }
  return spawn(command, [...before, built('cli/bin.js'), ...words], { env, stdio: ['ignore', 'pipe', 'inherit'] })
}

function portOf({ stdout }: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    stdout?.once('data', (text: Buffer) => resolve(Number(/https:\/\/127\.0\.0\.1:(\d+)/.exec(text.toString())?.[1])))
  })
}

function eventOf(command: string): object {
  return {
    session_id: 'bench',
    transcript_path: '/t.jsonl',
    cwd: '/',
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command },
  }
}

function answered(
  send: typeof httpRequest | typeof httpsRequest,
  options: RequestOptions,
  body: object,
): Promise<string> {
  const text = JSON.stringify(body)
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }
  return new Promise((resolve, reject) => {
    send({ ...options, method: 'POST', headers }, (response) => {
      let received = ''
      response.setEncoding('utf8').on('data', (part: string) => (received += part))
      response.on('end', () => resolve(received)).on('error', reject)
    })
      .on('error', reject)
      .end(text)
  })
}

async function flood(ask: (command: string) => Promise<string>, inFlight: number) {
  const blockMs = (seconds * 1000) / (rounds * results.length)
  const startedAt = performance.now()
  const endAt = startedAt + blockMs
  const times: number[] = []
  const askOn = async (first: number) => {
    for (let at = first; performance.now() < endAt; at += 1) {
      const askedAt = performance.now()
      // oxlint-disable-next-line no-await-in-loop -- each sends its next question after an answer
      await ask(commands[at % commands.length] ?? '')
      times.push(performance.now() - askedAt)
    }
  }
  await Promise.all(Array.from({ length: inFlight }, (_, first) => askOn(first)))
  return { perSecond: (times.length / (performance.now() - startedAt)) * 1000, times }
}
