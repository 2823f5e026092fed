#!/usr/bin/env node
import module from 'node:module'
import { buffer } from 'node:stream/consumers'
import { lastResort } from '../dialect/last-resort.ts'
import { writeWhole } from './write-whole.ts'

// INVARIANT: nothing but node: modules and the last-resort tables is loaded before this file is ready, and nothing that an
// old Node could not link. An agent waits at the other end of `hookgate run`: whatever fails to load or breaks behind this
// file, it gets one answer, and that is no consent.

const nodeMajorMin = 24
/** How long a guard waits for an event that is still being written, to learn which one it is to refuse. */
const stdinGraceMs = 1000

const argv = process.argv.slice(2)
const agentWaits = argv[0] === 'run'
let wire = new Uint8Array()
let answered = false

// Read while the rest loads.
const stdin = agentWaits || argv[0] === 'explain' ? readStdin() : Promise.resolve(wire)

async function readStdin(): Promise<Uint8Array> {
  if (!process.stdin.isTTY) wire = await buffer(process.stdin)
  return wire
}

/** `--agent NAME` or `--agent=NAME`, found without the parser that may have failed to load. */
function agentNamed(): string | undefined {
  const at = argv.findIndex((word) => word === '--agent' || word.startsWith('--agent='))
  return at < 0 ? undefined : (argv[at]?.split('=')[1] ?? argv[at + 1])
}

/** All of it, once. @returns the exit code */
function say({ stdout, stderr, exitCode }: { stdout: string; stderr: string; exitCode: number }): number {
  if (answered) return exitCode
  answered = true
  writeWhole(2, stderr)
  writeWhole(1, stdout)
  return exitCode
}

function refuse(why: string): number {
  if (!agentWaits) return say({ stdout: '', stderr: `hookgate: ${why}\n`, exitCode: 70 })
  return say(lastResort(agentNamed(), new TextDecoder().decode(wire), why))
}

async function refuseAndExit(cause: unknown): Promise<never> {
  const late = new Promise((resolve) => setTimeout(resolve, stdinGraceMs))
  await Promise.race([stdin.catch(() => {}), late])
  process.exit(refuse(cause instanceof Error ? cause.message : String(cause)))
}

process.on('uncaughtException', (cause) => void refuseAndExit(cause))
process.on('unhandledRejection', (cause) => void refuseAndExit(cause))
// Node leaves when nothing is left to wait for, even if the answer was never given.
process.on('exit', () => {
  if (!answered) process.exitCode = refuse('it came to its end without an answer')
})

if (Number.parseInt(process.versions.node, 10) < nodeMajorMin) {
  await refuseAndExit(new Error(`it needs Node ${nodeMajorMin} or newer, and this is Node ${process.versions.node}`))
}
module.enableCompileCache?.()
try {
  const { main } = await import('./main.ts')
  // Whatever is still open (an idle worker, the other end of a pipe) must not keep an agent waiting.
  process.exit(say(await main(argv, stdin)))
} catch (cause) {
  await refuseAndExit(cause)
}
