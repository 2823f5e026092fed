#!/usr/bin/env node
import { writeSync } from 'node:fs'
import module from 'node:module'
import { buffer } from 'node:stream/consumers'
import { lastResort } from '../dialect/last-resort.ts'

// INVARIANT: nothing but node: modules and the last-resort tables is imported here, and nothing that an old Node could
// not link. An agent waits at the other end of `hookgate run`: whatever fails to load or breaks behind this file, it
// gets an answer that is no consent.

const nodeMajorMin = 24
/** How long a guard waits for an event that is still being written, to learn which one it is to refuse. */
const stdinGraceMs = 1000

const argv = process.argv.slice(2)
const agentWaits = argv[0] === 'run'
// Read while the rest loads.
const stdin = agentWaits || argv[0] === 'explain' ? readStdin() : Promise.resolve(new Uint8Array())

async function readStdin(): Promise<Uint8Array> {
  return process.stdin.isTTY ? new Uint8Array() : buffer(process.stdin)
}

/** `--agent NAME` or `--agent=NAME`, found without the parser that may have failed to load. */
function agentNamed(): string | undefined {
  const at = argv.findIndex((word) => word === '--agent' || word.startsWith('--agent='))
  return at < 0 ? undefined : (argv[at]?.split('=')[1] ?? argv[at + 1])
}

async function refuse(cause: unknown): Promise<never> {
  const why = cause instanceof Error ? cause.message : String(cause)
  if (!agentWaits) {
    writeSync(2, `hookgate: ${why}\n`)
    process.exit(1)
  }
  const nothing = new Uint8Array()
  const late = new Promise<Uint8Array>((resolve) => setTimeout(resolve, stdinGraceMs, nothing))
  const wire = await Promise.race([stdin.catch(() => nothing), late])
  const said = lastResort(agentNamed(), new TextDecoder().decode(wire), why)
  writeSync(2, said.stderr)
  writeSync(1, said.stdout)
  process.exit(said.exitCode)
}

process.on('uncaughtException', (error) => void refuse(error))
process.on('unhandledRejection', (error) => void refuse(error))

if (Number.parseInt(process.versions.node, 10) < nodeMajorMin) {
  await refuse(`it needs Node ${nodeMajorMin} or newer, and this is Node ${process.versions.node}`)
}
module.enableCompileCache?.()
try {
  const { main } = await import('./main.ts')
  await main(argv, stdin)
} catch (error) {
  await refuse(error)
}
