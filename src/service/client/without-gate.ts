import { spawn } from 'node:child_process'
import { closeSync, lstatSync, openSync, utimesSync } from 'node:fs'
import { environmentForNode } from '../../model/node-environment.ts'
import { type ClientAnswer, exitCodeMax } from '../frames.ts'
import { endings } from './endings.ts'

const graceMs = 500

interface DecisionCall {
  readonly node: string
  readonly bin: string
  readonly agent: string
  readonly event: Uint8Array
  readonly leftMs: number
  readonly bytesMax: number
}

/** Decides in a separate process, which inherits stderr. Returns `undefined` if that fails too. */
export function decideWithoutGate({
  node,
  bin,
  agent,
  event,
  leftMs,
  bytesMax,
}: DecisionCall): Promise<ClientAnswer | undefined> {
  return new Promise((resolve) => {
    const child = spawn(node, [bin, 'run', '--agent', agent, `--answered=${endings.answered}`], {
      env: environmentForNode(process.env),
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const chunks: Buffer[] = []
    let bytes = 0
    child.stdin.on('error', () => {}).end(event)
    child.stdout.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes > bytesMax) child.kill('SIGKILL')
    })
    setTimeout(() => child.kill('SIGTERM'), leftMs)
    setTimeout(() => child.kill('SIGKILL'), leftMs + graceMs)
    child.on('error', () => resolve(undefined))
    child.on('close', (code) => {
      const exitCode = (code ?? 0) - endings.answered
      const answers = exitCode >= 0 && exitCode <= exitCodeMax
      resolve(answers ? { stdout: Buffer.concat(chunks), stderr: Buffer.alloc(0), exitCode } : undefined)
    })
  })
}

interface GateStart {
  readonly node: string
  readonly bin: string
  /** File whose modification time records the last start. */
  readonly stamp: string
  readonly everyMs: number
}

/** Starts the gate in the background for the next event, at most once per `everyMs`. */
export function ensureGateRunning({ node, bin, stamp, everyMs }: GateStart): void {
  if (everyMs <= 0 || !isDue(stamp, everyMs)) return
  startApart(node, [bin, 'up', '--for-session'])
}

/** Starts a program of hookgate that outlives this process, which waits for nothing of it. */
export function startApart(node: string, words: readonly string[]): void {
  const child = spawn(node, words, { env: environmentForNode(process.env), stdio: 'ignore', detached: true })
  child.on('error', () => {})
  child.unref()
}

function isDue(stamp: string, everyMs: number): boolean {
  try {
    closeSync(openSync(stamp, 'wx', 0o600))
    return true
  } catch {
    try {
      if (Date.now() - lstatSync(stamp).mtimeMs < everyMs) return false
      const now = new Date()
      utimesSync(stamp, now, now)
      return true
    } catch {
      return false
    }
  }
}
