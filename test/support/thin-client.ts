import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import {
  chooseClient,
  type Client,
  type ClientCall,
  type ClientKind,
  hookScript,
} from '../../src/service/client/index.ts'
import { proofOf } from '../../src/files/proof.ts'
import { limits } from '../../src/model/limits.ts'
import { parseReply } from '../../src/service/frames.ts'
import { requestIn } from '../../src/service/client/probe.ts'
import { leaveNativeClient } from './native-client.ts'
import { folderForAll, folderWith } from './workspace.ts'

/** Returns the clients that this machine supports, each probed and installed in the folder. */
export async function clientsIn(folder = folderForAll()): Promise<readonly Client[]> {
  leaveNativeClient(folder)
  const kinds: readonly ClientKind[] = ['native', 'node']
  const all = kinds.map((kind) => chooseClient({ folder, node: process.execPath, kinds: [kind] }))
  return (await Promise.allSettled(all)).flatMap((one) => (one.status === 'fulfilled' ? [one.value.client] : []))
}

/** The key of every gate that `listening` stands in for. */
export const testKey = '7e'.repeat(32)

/** Creates folders for a gate, its key, its socket and a hook file. `alone` is the shell script that decides without a gate. */
export function callIn(alone = 'exit 9'): ClientCall {
  const folder = folderWith({})
  chmodSync(folder, 0o700)
  writeFileSync(join(folder, 'alone'), alone)
  writeFileSync(join(folder, 'gate.key'), testKey, { mode: 0o600 })
  return {
    agent: 'cline',
    event: 'PreToolUse',
    folder,
    socket: join(folder, 'gate.sock'),
    version: '1.2.3',
    node: '/bin/sh',
    bin: join(folder, 'alone'),
    aliveMs: 1000,
    answerMs: 20_000,
    startsGate: false,
  }
}

/** A script in place of the program that decides without a gate, with an output and exit code of its own. */
export const standaloneScript = `printf 'alone:'; cat; exit 118`

export interface Ended {
  readonly stdout: Buffer
  readonly stderr: Buffer
  readonly exitCode: number | null
}

interface Surroundings {
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** Shell code to run before the hook. */
  readonly before?: string
  /** Leaves stdin open after the event. */
  readonly open?: boolean
  /** Called once the whole event has been read. */
  readonly onWritten?: () => void
}

/** Runs a hook's file as an agent does. */
export function runHook(
  client: Client,
  call: ClientCall,
  event: string | Uint8Array,
  { env = {}, cwd = '/', before, open = false, onWritten }: Surroundings = {},
): Promise<Ended> {
  const file = hookFile(client, call)
  const [program, ...words] = before === undefined ? [file] : ['/bin/sh', '-c', `${before} && exec "$0"`, file]
  const child = spawn(program ?? file, words, { env, cwd, stdio: 'pipe' })
  const outs: Buffer[] = []
  const errs: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => outs.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => errs.push(chunk))
  child.stdin
    .on('error', () => {})
    .write(event, (error) => {
      if (!error) onWritten?.()
    })
  if (!open) child.stdin.end()
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (exitCode) => {
      child.stdin.destroy()
      resolve({ stdout: Buffer.concat(outs), stderr: Buffer.concat(errs), exitCode })
    })
  })
}

/** Writes a new file, since a shell reads its script while it runs. */
function hookFile(client: Client, call: ClientCall): string {
  const script = hookScript(client, call)
  const file = join(call.folder, `hook-${createHash('sha256').update(script).digest('hex')}`)
  if (!existsSync(file)) writeFileSync(file, script, { mode: 0o700 })
  return file
}

export interface ReceivedRequests {
  /** The bytes received on each connection. */
  readonly requests: readonly Buffer[]
}

/**
 * Listens in place of a gate. `onData` is called with the request so far, whenever more arrives. */
export async function listening(
  socket: string,
  onData: (connection: Socket, request: Buffer) => void,
  onConnect: (connection: Socket) => void = () => {},
): Promise<ReceivedRequests> {
  const requests: Buffer[] = []
  const connections = new Set<Socket>()
  const server = createServer((connection) => {
    const at = requests.push(Buffer.alloc(0)) - 1
    connections.add(connection)
    connection.on('error', () => {})
    onConnect(connection)
    connection.on('data', (chunk) => {
      const request = Buffer.concat([requests[at] ?? Buffer.alloc(0), chunk])
      requests[at] = request
      onData(connection, request)
    })
  })
  await new Promise<void>((resolve) => server.listen(socket, resolve))
  onTestFinished(() => {
    for (const connection of connections) connection.destroy()
    server.close()
  })
  return { requests }
}

/** Extracts the event from a request; `undefined` while that is incomplete. */
export function bodyOf(request: Buffer): Buffer | undefined {
  const whole = requestIn(request)
  return whole?.body.subarray(Number(/"callerBytes":(\d+)/.exec(whole.head)?.[1] ?? 0))
}

/** Stands in a reply for the proof, which depends on the request. */
export const noProof = '0'.repeat(64)

/** Puts the proof of a gate into its reply. Bytes that are no complete reply stay as they are. */
export function proved(request: Buffer, reply: Uint8Array, key = testKey): Buffer {
  const bytes = Buffer.from(reply)
  const at = bytes.lastIndexOf(noProof)
  const answer = parseReply(bytes, limits.eventBytesMax)
  const asked = requestIn(request)
  if (at < 0 || typeof answer === 'string' || asked === undefined) return bytes
  bytes.write(proofOf(key, asked.digest, answer), at)
  return bytes
}

/** Builds a frame whose length may lie. */
export const frameOf = (kind: string, content: string | Uint8Array, length = content.length): Buffer => {
  const head = Buffer.from(`${kind}\0\0\0\0`)
  head.writeUInt32BE(length, 1)
  return Buffer.concat([head, Buffer.from(content)])
}

/** Builds a gate's reply, without its proof. */
export function replyOf(
  stdout: string | Uint8Array,
  stderr: string | Uint8Array = '',
  exitCode: number | string = 0,
): Buffer {
  const [out, err] = [Buffer.from(stdout), Buffer.from(stderr)]
  return Buffer.concat([accepted, frameOf('o', out), frameOf('e', err), frameOf('x', `${exitCode}${noProof}`)])
}

/** What a gate sends as soon as it has a request's head. */
export const accepted = frameOf('a', '')
