// One process of `bench/overhead.ts`: measures every contender in turn, round by round, and prints JSON.
// Arguments: ballast in MB, rounds.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { createGate, type HookEvent } from '../../src/library/index.ts'

const [ballastMb = 0, rounds = 40] = process.argv.slice(2).map(Number)
// Written to, so that the pages are resident: a fork copies the page tables of all of them.
const ballast = Array.from({ length: ballastMb }, (_, at) => Buffer.alloc(1024 * 1024, at % 255 || 1))

export interface Program {
  readonly name: string
  readonly file: string
  readonly args: readonly string[]
}

const programs: readonly Program[] = [
  { name: 'true', file: '/bin/true', args: [] },
  { name: 'sh 20 ms', file: '/bin/sh', args: ['-c', 'sleep 0.02'] },
  { name: 'node', file: process.execPath, args: ['-e', '0'] },
]

const command = 'git push --force origin main'
const event: HookEvent = {
  name: 'PreToolUse',
  agent: 'claude-code',
  session: { id: 'bench', cwd: process.cwd() },
  workspaceRoots: [process.cwd()],
  atMs: Date.now(),
  tool: { kind: 'shell', name: 'Bash', input: { command }, command },
  raw: {
    session_id: 'bench',
    transcript_path: '/t.jsonl',
    cwd: process.cwd(),
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command, description: 'x'.repeat(800) },
  },
}
const stdin = JSON.stringify(event.raw)

/** Runs a hook as a program without a library would: event in, stdout and exit code out. */
function bareSpawn({ file, args }: Program): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { stdio: 'pipe' })
    const chunks: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.stderr.resume()
    child.stdin.on('error', () => {})
    child.stdin.end(stdin)
    child.on('error', reject)
    child.on('close', (code) => resolve([code, Buffer.concat(chunks).toString()]))
  })
}

const bareExeca = ({ file, args }: Program) => execa(file, args, { input: stdin, reject: false })

const folder = mkdtempSync(join(tmpdir(), 'hookgate-bench-'))
function rulesFile(program: Program, hooks: number): string {
  const file = join(folder, `${program.name.replaceAll(' ', '-')}-${hooks}.json`)
  // A different last argument, which the programs ignore, makes each a separate hook.
  const handlers = Array.from({ length: hooks }, (_, at) => ({
    type: 'command',
    command: program.file,
    args: [
      ...program.args,
      ...(program.name === 'true' ? [`${at}`] : program.name === 'node' ? [`${at}`] : ['sh', `${at}`]),
    ],
  }))
  writeFileSync(file, JSON.stringify({ hooks: { PreToolUse: [{ hooks: handlers }] } }))
  return file
}

async function timed(task: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await task()
  return performance.now() - startedAt
}

const times = (count: number, task: () => Promise<unknown>) => Promise.all(Array.from({ length: count }, task))

const results: Record<string, number[]> = {}
for (const program of programs) {
  for (const hooks of [1, 8]) {
    const gate = createGate({ rules: [rulesFile(program, hooks)], discover: false, concurrency: 8 })
    const contenders: readonly (readonly [string, () => Promise<unknown>])[] = [
      ['spawn', () => times(hooks, () => bareSpawn(program))],
      ['execa', () => times(hooks, () => bareExeca(program))],
      ['gate', () => gate.decide(event)],
    ]
    for (let round = -3; round < rounds; round += 1) {
      // Every round starts with another contender, so that none always runs after the same one.
      const turn = contenders.map((_, at) => contenders[(at + Math.max(round, 0)) % contenders.length])
      for (const contender of turn) {
        if (contender === undefined) continue
        const [name, task] = contender
        // oxlint-disable-next-line no-await-in-loop -- one after the other is the measurement
        const elapsed = await timed(task)
        if (round >= 0) (results[`${program.name}|${hooks}|${name}`] ??= []).push(elapsed)
      }
    }
    // oxlint-disable-next-line no-await-in-loop
    await gate.close()
  }
}
rmSync(folder, { recursive: true })
process.stdout.write(JSON.stringify({ rssMb: process.memoryUsage.rss() / 1e6, ballast: ballast.length, results }))
