#!/usr/bin/env node
import module from 'node:module'
import { answerMsFor, answerMsLeast, lastResort } from '../agents/last-resort.ts'
import { agentNamed } from './agent-named.ts'
import { writeWhole } from './write-whole.ts'

// INVARIANT: nothing but node: modules and the last-resort tables is loaded before this file is ready, and nothing that an
// old Node could not link. An agent waits at the other end of `hookgate run`: whatever fails to load or breaks behind this
// file, it gets one answer, and that is no consent.

const nodeMajorMin = 24
/** How long a guard waits for an event that is still being written, to learn which one it is to refuse. */
const stdinGraceMs = 1000
/** Far above what the gate takes for an event (`limits.eventBytesMax`), and far below what a string can hold. */
const stdinBytesMax = 32 * 1024 * 1024

const argv = process.argv.slice(2)
const agentWaits = argv[0] === 'run'
/** A client has an answer end with codes that count from here: from 0 on, so does a file that is cut off. */
const answeredFrom = agentWaits ? Number(/^--answered=([0-9]{1,3})$/.exec(argv.at(-1) ?? '')?.[1] ?? 0) : 0
if (answeredFrom > 0) argv.pop()
/** An event that is only handed on: the agent waits for that too, and next to nothing of the rest is needed. */
const observes =
  ['emit', 'cline-hook', 'claude-hook'].includes(argv[0] ?? '') &&
  !argv.some((word) => ['--enable', '--disable', '--status', '--help', '-h'].includes(word))
/** Kept as they come: a guard may have to refuse what has been read only in part. */
const chunks: Uint8Array[] = []
let answered = false

/** An agent may have removed the folder it is in; whatever asks for it then would throw, in every thread. */
let isFolderGone = false
try {
  process.cwd()
} catch {
  isFolderGone = true
  process.chdir('/')
}

// Node writes what was covered when it ends, in every thread, and for a folder below `/proc` it never comes to an end.
if (process.env['NODE_V8_COVERAGE']) {
  process.getBuiltinModule?.('node:v8').stopCoverage()
  delete process.env['NODE_V8_COVERAGE']
}

// Read while the rest loads.
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

/** All of it, once. @returns the exit code */
function say({ stdout, stderr, exitCode }: { stdout: string; stderr: string; exitCode: number }): number {
  if (answered) return answeredFrom + exitCode
  answered = true
  // stdout first: it is the answer, and nobody may be reading the other.
  writeWhole(1, stdout)
  writeWhole(2, stderr)
  return answeredFrom + exitCode
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
// An agent that has waited long enough sends SIGTERM, and half a second later SIGKILL: time enough to refuse, and for the
// hooks to be ended, which the pool does when the process exits.
if (agentWaits) {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.once(signal, () => process.exit(refuse(`stopped by ${signal}`)))
  }
}
// A client that asks for the answer sets an end to it itself. Whoever else waits is told before it stops waiting; who it is
// may be known only by the event. Counted from the start of this process, as the agent counts.
if (agentWaits && answeredFrom === 0) {
  setTimeout(() => {
    const named = agentNamed(argv)
    const answerMs = answerMsFor(named, named === undefined ? Buffer.concat(chunks).toString() : '')
    if (answerMs !== undefined) process.exit(refuse(`timed out after ${answerMs / 1000} s`))
  }, answerMsLeast - performance.now()).unref()
}
// Node leaves when nothing is left to wait for, even if the answer was never given.
process.on('exit', () => {
  if (!answered) process.exitCode = refuse('the process ended without an answer')
})

if (Number.parseInt(process.versions.node, 10) < nodeMajorMin) {
  await refuseAndExit(new Error(`Node ${nodeMajorMin} or newer is required, and this is Node ${process.versions.node}`))
}
module.enableCompileCache?.()
try {
  if (observes) {
    const { observe } = await import('./observe.ts')
    process.exit(say(await observe(argv[0] ?? '', argv.slice(1), isFolderGone)))
  }
  const { quickImports } = await import('./quick-imports.ts')
  quickImports()
  const { main } = await import('./main.ts')
  // Whatever is still open (an idle worker, the other end of a pipe) must not keep an agent waiting.
  process.exit(say(await main(argv, stdin, isFolderGone)))
} catch (cause) {
  await refuseAndExit(cause)
}
