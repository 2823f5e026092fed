import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer, type Server } from 'node:net'
import type { Client, ClientCall } from './client.ts'
import { hookScript } from './hook-script.ts'
import { endings } from './endings.ts'
import { digestOf } from '../../files/proof.ts'
import { acceptedFrame, type ClientAnswer, frameHeadBytes, opening, replyFrames } from '../frames.ts'

/** Timeout of each run of a thin client's probe: measured some milliseconds, and with Node a tenth of a second. */
const clientProbeMs = 10_000

/** All 256 byte values, NUL included and no newline at the end, repeated to many times the capacity of a pipe. */
const everyByte = Buffer.from(Array.from({ length: 256 }, (_, at) => 255 - at))
const event = Buffer.concat(Array.from({ length: 1600 }, () => everyByte))
const told = { stdout: event.subarray(0, 199_700), stderr: event.subarray(199_700, 200_000), exitCode: 2 }
const trialKey = 'a'.repeat(64)

/** Variables that must not affect a client: each makes some shell or Node run, load, or print something. */
const hostile = {
  // Below a device: no system has these files.
  PATH: '/dev/null/none',
  LC_ALL: 'xx_XX.none',
  ENV: '/dev/null/none',
  BASH_ENV: '/dev/null/none',
  'BASH_FUNC_echo%%': '() { exit 0; }',
  SHELLOPTS: 'noexec',
  NODE_OPTIONS: '--require=/dev/null/none.js',
  NODE_V8_COVERAGE: '/proc/nonexistent',
  NODE_COMPILE_CACHE: '/proc/nonexistent',
  NODE_CHANNEL_FD: 'none',
}

/**
 * Runs a client against a server that stands in for the gate, with an event of all byte values and hostile variables;
 * then without a gate, where the client has to start `hookgate run`; then with neither.
 *
 * @returns what the client does wrong; `undefined` where it passes
 */
export async function probe(client: Client): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'hookgate-'))
  try {
    const call = callIn(folder)
    return (
      (await wrongWithGate(client, call)) ?? (await wrongAlone(client, call)) ?? (await wrongWithNeither(client, call))
    )
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function callIn(folder: string): ClientCall {
  return {
    agent: 'cline',
    event: 'PreToolUse',
    folder,
    socket: join(folder, 'probe.sock'),
    version: '0.0.0-probe',
    node: '/bin/sh',
    bin: join(folder, 'alone'),
    answerMs: clientProbeMs,
    startsGate: false,
  }
}

async function wrongWithGate(client: Client, call: ClientCall): Promise<string | undefined> {
  writeFileSync(join(call.folder, 'gate.key'), trialKey, { mode: 0o600 })
  let received: Buffer = Buffer.alloc(0)
  let caller: readonly string[] = []
  const server = standInGate(trialKey, ({ head, body }) => {
    const ahead = Number(/"callerBytes":(\d+)/.exec(head)?.[1])
    caller = body.toString('utf8', 0, ahead).split('\0')
    received = body.subarray(ahead)
    return told
  })
  await new Promise<void>((resolve, reject) => server.on('error', reject).listen(call.socket, resolve))
  const ended = await runHook(client, call).finally(() => server.close())
  if (!received.equals(event)) return 'the gate does not receive the event as it was sent'
  const hasCaller = caller[0] === '/' && caller.includes(`PATH=${hostile.PATH}`)
  if (!hasCaller) return 'the gate does not receive the folder and environment'
  if (!ended.stdout.equals(told.stdout)) return 'its stdout is not what the gate answered'
  // Some shells print a warning about a missing locale before the hook's first command runs.
  if (!ended.stderr.subarray(-told.stderr.length).equals(told.stderr)) return 'its stderr is not what the gate answered'
  return ended.code === told.exitCode
    ? undefined
    : `its exit code is ${ended.code}, and the gate's was ${told.exitCode}`
}

async function wrongAlone(client: Client, call: ClientCall): Promise<string | undefined> {
  writeFileSync(
    call.bin,
    `[ "$*" = "run --agent cline --answered=${endings.answered}" ] && [ -z "$NODE_OPTIONS$NODE_V8_COVERAGE" ] && /bin/cat && exit ${endings.answered}\n`,
  )
  const ended = await runHook(client, call)
  return ended.code === 0 && ended.stdout.equals(event) ? undefined : 'without a gate it does not start `hookgate run`'
}

async function wrongWithNeither(client: Client, call: ClientCall): Promise<string | undefined> {
  const ended = await runHook(client, { ...call, node: '/dev/null/none' })
  const refused = ended.code === 0 && ended.stdout.toString().startsWith('{"cancel":true,')
  return refused ? undefined : 'with neither gate nor `hookgate run` it does not refuse'
}

/** Runs the hook's file with the shell of its first line. */
async function runHook(client: Client, call: ClientCall) {
  const file = join(call.folder, 'hook')
  writeFileSync(file, hookScript(client, call))
  // The file is not executed directly: the folder for temporary files may be mounted `noexec`.
  const [shell = '', ...words] = client.shell
  const options = { env: hostile, cwd: '/', timeout: clientProbeMs, killSignal: 'SIGKILL' } as const
  const child = spawn(shell, [...words, file], options)
  const outs: Buffer[] = []
  const errs: Buffer[] = []
  child.stdin.on('error', () => {}).end(event)
  child.stdout.on('data', (chunk: Buffer) => outs.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => errs.push(chunk))
  const code = await new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve))
  return { stdout: Buffer.concat(outs), stderr: Buffer.concat(errs), code }
}

/** A request as something that stands in for a gate receives it. */
export interface ReceivedRequest {
  /** As JSON. */
  readonly head: string
  readonly body: Buffer
  /** Of all its bytes. */
  readonly digest: string
}

/** Takes a request apart that has arrived; `undefined` while it is not whole. */
export function requestIn(bytes: Buffer): ReceivedRequest | undefined {
  const lengthAt = (at: number) => (bytes.length < at + frameHeadBytes ? Infinity : bytes.readUInt32BE(at + 1))
  const headAt = opening.length + frameHeadBytes
  const bodyAt = headAt + lengthAt(opening.length) + frameHeadBytes
  const end = bodyAt + lengthAt(bodyAt - frameHeadBytes)
  if (!(bytes.length >= end)) return undefined
  const head = bytes.toString('utf8', headAt, bodyAt - frameHeadBytes)
  return { head, body: bytes.subarray(bodyAt, end), digest: digestOf(bytes.subarray(0, end)) }
}

/**
 * Creates a server that stands in for the gate whose key this is. It trusts its clients, and so is nothing for an agent:
 * only trials of clients use it.
 */
export function standInGate(key: string, answer: (request: ReceivedRequest) => ClientAnswer): Server {
  return createServer((connection) => {
    let bytes = Buffer.alloc(0)
    connection.on('error', () => {})
    connection.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk])
      const request = requestIn(bytes)
      if (request === undefined) return
      connection.end(Buffer.concat([acceptedFrame, replyFrames(key, request.digest, answer(request))]))
    })
  })
}
