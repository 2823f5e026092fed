import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createGate } from '../../src/gate/gate.ts'
import { type ChainCheck, checkChain } from '../../src/record/chain.ts'
import { lostDecisions } from '../../src/record/answer-count.ts'
import { askGate } from '../../src/service/server/ask-gate.ts'
import { placesOf } from '../../src/files/state/places.ts'
import { built } from './built.ts'

// oxlint-disable no-await-in-loop -- each of those at once sends one event after the other

const bin = built('cli/bin.js')
const embedder = fileURLToPath(new URL('./recording-embedder.ts', import.meta.url))
/** Events that a gate decides at once. */
const clients = 8

export interface StormResult {
  /** Answers that callers have received. */
  readonly answered: number
  /** Those of which there is no row. */
  readonly unrecorded: number
  readonly rows: number
  /** Rows that are there twice. */
  readonly twice: number
  readonly lost: number
  /** How many more decisions may be recorded or lost than were answered: in flight at a kill. */
  readonly inFlightMax: number
  readonly check: ChainCheck
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const exit = once(child, 'exit')
  child.kill(signal)
  await exit
}

/**
 * Lets a resident gate, an embedder, this process and `hookgate run`s decide and record at once, while the first two and
 * every other run are killed. Returns what became of the answers.
 *
 * @param kills how often each of the gates is killed
 */
export async function recordStorm(decisions: number, runs: number, kills: number): Promise<StormResult> {
  const home = mkdtempSync(join(tmpdir(), 'hookgate-storm-'))
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, HOOKGATE_HOME: join(home, 'state') }
  mkdirSync(join(home, '.config/hookgate'), { recursive: true })
  writeFileSync(join(home, '.config/hookgate/hooks.json'), '{ "permissions": { "deny": ["Bash(rm *)"] } }')
  const places = placesOf({ env, platform: process.platform, uid: process.getuid?.(), home })
  mkdirSync(places.folder, { mode: 0o700 })
  const answered = new Set<string>()
  const library = createGate({ record: places.decisions, discover: false })
  const share = Math.floor(decisions / 3)
  try {
    await Promise.all([
      throughResident(share, kills),
      throughEmbedder(share, kills),
      throughLibrary(decisions - 2 * share),
      ...Array.from({ length: runs }, (_, at) => throughRun(`run-${at}`, at % 2 === 1)),
    ])
    await library.close()
    // Whoever writes next settles what the killed had counted.
    await throughRun('last', false)
    return result()
  } finally {
    rmSync(home, { recursive: true, force: true })
  }

  async function throughResident(number: number, times: number): Promise<void> {
    let gate = resident()
    let killed = 0
    let asked = 0
    let done = 0
    const client = async () => {
      while (done < number) {
        const name = `resident-${(asked += 1)}`
        const mine = gate
        const child = await mine
        const reply = await askGate(places, { to: 'hook', agent: 'claude-code', body: eventOf(name) }).catch(() => {})
        if (reply?.isAnswer === true) {
          answered.add(name)
          done += 1
        } else if (mine === gate) {
          // It is being killed, or not listening yet.
          await sleep(10)
        }
        if (killed < times && mine === gate && done > (number * (killed + 1)) / (times + 1)) {
          killed += 1
          gate = killedAndStarted(child)
        }
      }
    }
    await Promise.all(Array.from({ length: clients }, client))
    await ended(await gate, 'SIGTERM')
  }

  async function killedAndStarted(child: ChildProcess): Promise<ChildProcess> {
    await ended(child, 'SIGKILL')
    return resident()
  }

  async function resident(): Promise<ChildProcess> {
    const gate = spawn(process.execPath, [bin, 'serve'], { env, cwd: home, stdio: ['ignore', 'pipe', 'inherit'] })
    await once(gate.stdout, 'data')
    return gate
  }

  async function throughEmbedder(number: number, times: number): Promise<void> {
    const each = Math.ceil(number / (times + 1))
    for (let life = 0; life <= times; life += 1) {
      // The last one ends by itself.
      const count = life === times ? each : each * 1000
      const argv = [embedder, places.decisions, home, `embedder-${life}`, `${count}`, `${clients}`]
      const child = spawn(process.execPath, argv, { env, stdio: ['ignore', 'pipe', 'inherit'] })
      let seen = 0
      const exit = once(child, 'close')
      for await (const name of createInterface({ input: child.stdout })) {
        answered.add(name)
        seen += 1
        if (life < times && seen === each) child.kill('SIGKILL')
      }
      await exit
    }
  }

  async function throughLibrary(number: number): Promise<void> {
    for (let at = 0; at < number; at += clients) {
      const names = Array.from({ length: Math.min(clients, number - at) }, (_, more) => `library-${at + more}`)
      await Promise.all(names.map((name) => library.answer(eventOf(name), { agent: 'claude-code' })))
      for (const name of names) answered.add(name)
      // As fast as the others, not before them.
      await sleep(5)
    }
  }

  async function throughRun(name: string, isKilled: boolean): Promise<void> {
    const child = spawn(process.execPath, [bin, 'run', '--agent', 'claude-code', '--json'], { env, cwd: home })
    let stdout = ''
    child.stdout.on('data', (text: Buffer) => {
      stdout += text.toString()
      // Between its answer and its row.
      if (isKilled && stdout.includes('}\n')) child.kill('SIGKILL')
    })
    child.stdin.end(eventOf(name))
    await once(child, 'close')
    if (stdout.includes('"decision"')) answered.add(name)
  }

  function eventOf(name: string) {
    const session = { session_id: 'storm', transcript_path: '/t.jsonl', cwd: home, permission_mode: 'default' }
    const call = { tool_name: 'Bash', tool_input: { command: `echo ${name}` }, tool_use_id: name }
    return JSON.stringify({ ...session, hook_event_name: 'PreToolUse', ...call })
  }

  function result(): StormResult {
    const database = new DatabaseSync(places.decisions)
    try {
      const names = database
        .prepare('SELECT subject FROM decisions')
        .all()
        .map(({ subject }) => String(subject).slice('echo '.length))
      const known = new Set(names)
      return {
        answered: answered.size,
        unrecorded: [...answered].filter((name) => !known.has(name)).length,
        rows: names.length,
        twice: names.length - known.size,
        lost: lostDecisions(database, places.decisions),
        inFlightMax: 2 * kills * clients,
        check: checkChain(database),
      }
    } finally {
      database.close()
    }
  }
}
