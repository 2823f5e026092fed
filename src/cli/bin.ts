#!/usr/bin/env node
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import { fileURLToPath } from 'node:url'
import { answerMsFor, answerMsLeast, lastResort } from '../agents/last-resort.ts'
import { agentNamed } from './start/agent-named.ts'
import { writeWhole } from './start/write-whole.ts'

// INVARIANT: before this file is ready, only node: modules and the last-resort tables are loaded, and nothing that an
// old Node cannot link: only what its node: modules had long ago. An agent waits for `hookgate run`: whatever fails to load or breaks later, it gets exactly one
// answer, and never an approval.

const [nodeMajor = 0, nodeMinor = 0] = process.versions.node.split('.').map(Number)
/** As `engines` in package.json: what the package depends on is made for no other. */
const isNodeFit = nodeMajor > 25 || (nodeMajor === 24 && nodeMinor >= 15)
/** Wait for an event that is still being written, to learn which one to refuse. */
const stdinGraceMs = 1000
/** Far above the gate's limit for an event (`limits.eventBytesMax`), and far below the maximum length of a string. */
const stdinBytesMax = 32 * 1024 * 1024

const argv = process.argv.slice(2)
/** The reason why this Node cannot run hookgate and another could not be started; `undefined` where it can. */
const wrongNode = isNodeFit
  ? undefined
  : `hookgate needs Node 24 (from 24.15) or Node 26 and newer, and this is Node ${process.versions.node} (${await runOnInstalledNode(import.meta.url, argv)}): install it, and put it first on the PATH`
const agentWaits = argv[0] === 'run'
/** Offset of exit codes that mark an answer, set by a client: a truncated script would also exit with 0. */
const answeredFrom = agentWaits ? Number(/^--answered=([0-9]{1,3})$/.exec(argv.at(-1) ?? '')?.[1] ?? 0) : 0
if (answeredFrom > 0) argv.pop()
/** True for commands that only forward an event. The agent waits for them too, and they need almost no other code. */
const observes =
  ['emit', 'cline-hook', 'claude-hook'].includes(argv[0] ?? '') &&
  !argv.some((word) => ['--enable', '--disable', '--status', '--help', '-h'].includes(word))
/** Chunks of stdin as they arrive: an event that was only partly read may have to be refused. */
const chunks: Uint8Array[] = []
/** The exit code of the one answer; `undefined` before it. */
let answered: number | undefined

/** True if the agent removed its working directory. Then `process.cwd()` would throw, in every thread. */
let isFolderGone = false
try {
  process.cwd()
} catch {
  isFolderGone = true
  process.chdir('/')
}

// Node writes coverage at exit, in every thread; for a folder below `/proc` that never ends.
if (process.env['NODE_V8_COVERAGE']) {
  process.getBuiltinModule?.('node:v8').stopCoverage()
  delete process.env['NODE_V8_COVERAGE']
}

// Read stdin while other modules load.
const stdin = agentWaits || argv[0] === 'explain' ? readStdin() : Promise.resolve(new Uint8Array())

async function readStdin(): Promise<Uint8Array> {
  let bytes = 0
  if (!process.stdin.isTTY) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- without an encoding, a stream brings Buffers
    for await (const chunk of process.stdin as AsyncIterable<Uint8Array>) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes > stdinBytesMax) break
    }
  }
  return Buffer.concat(chunks)
}

/**
 * Writes the answer to its last byte, once.
 *
 * @returns its exit code, whatever happens after it
 */
function say({ stdout, stderr, exitCode }: { stdout: string; stderr: string; exitCode: number }): number {
  if (answered !== undefined) return answered
  answered = answeredFrom + exitCode
  // stdout first: it holds the answer, and stderr may have no reader.
  writeWhole(1, stdout)
  writeWhole(2, stderr)
  return answered
}

function refuse(why: string): number {
  if (!agentWaits) return say({ stdout: '', stderr: `hookgate: ${why}\n`, exitCode: 70 })
  return say(lastResort(agentNamed(argv), Buffer.concat(chunks).toString(), why))
}

async function refuseAndExit(cause: unknown): Promise<never> {
  const late = new Promise((resolve) => setTimeout(resolve, stdinGraceMs))
  await Promise.race([stdin.catch(() => {}), late])
  process.exit(refuse(cause instanceof Error ? cause.message : String(cause)))
}

process.on('uncaughtException', (cause) => void refuseAndExit(cause))
process.on('unhandledRejection', (cause) => void refuseAndExit(cause))
// After its timeout an agent sends SIGTERM, and half a second later SIGKILL. That is enough time to refuse, and to kill
// the hooks, which the pool does when the process exits.
if (agentWaits) {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.once(signal, () => process.exit(refuse(`stopped by ${signal}`)))
  }
}
// A client sets its own time limit. Any other caller gets an answer before its timeout; which agent it is may be known
// only from the event. Counted from the start of this process, as the agent counts.
if (agentWaits && answeredFrom === 0) {
  setTimeout(() => {
    const named = agentNamed(argv)
    const answerMs = answerMsFor(named, named === undefined ? Buffer.concat(chunks).toString() : '')
    if (answerMs !== undefined) process.exit(refuse(`timed out after ${answerMs / 1000} s`))
  }, answerMsLeast - performance.now()).unref()
}
// Node exits when the event loop is empty, even if no answer was given.
process.on('exit', () => {
  if (answered === undefined) process.exitCode = refuse('the process ended without an answer')
})

if (wrongNode !== undefined) await refuseAndExit(new Error(wrongNode))
try {
  const { loadProgram } = await import('./start/load-program.ts')
  const { program, keep } = await loadProgram(argv[0] ?? '--help')
  if (observes) process.exit(say(await program.runObserver(argv, isFolderGone)))
  // Open handles (an idle worker, a pipe) must not keep an agent waiting.
  const output = await program.runProgram(argv, stdin, isFolderGone)
  const exitCode = say(output)
  await output.afterwards?.()
  if (await program.isKept(argv[0] ?? '')) keep()
  process.exit(exitCode)
} catch (cause) {
  await refuseAndExit(cause)
}

/**
 * Runs the program again on the Node that hookgate was installed with, and exits as that does. The `PATH` may start with
 * an older Node, and a global program is started by whichever comes first.
 *
 * @param bin the URL of the program
 *
 * @returns why there is no such Node, if so
 */
async function runOnInstalledNode(bin: string, words: readonly string[]): Promise<string> {
  // The package's `postinstall` script writes into it the Node that npm ran on.
  const record = fileURLToPath(new URL('../../installed-with', bin))
  const node = readRecord(record)
  if (node === undefined) return `no file ${record} names the one that hookgate was installed with`
  if (node === process.execPath) return 'hookgate was installed with it'
  const child = spawn(node, [fileURLToPath(bin), ...words], { stdio: 'inherit' })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal))
  return new Promise((resolve) => {
    child.on('error', () => resolve(`${node}, with which hookgate was installed, does not start`))
    child.on('exit', (code, signal) => {
      if (code === null) resolve(`${node}, with which hookgate was installed, was ended by ${signal}`)
      else process.exit(code)
    })
  })
}

function readRecord(file: string): string | undefined {
  try {
    return fs.readFileSync(file, 'utf8').trim() || undefined
  } catch {
    return undefined
  }
}
