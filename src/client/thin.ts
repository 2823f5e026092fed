import { lstatSync, writeSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname, parse } from 'node:path'
import { endings, type ClientAnswer, parseReply } from './reply.ts'

// The thin client for machines without a C compiler: a Node process. It takes the arguments of `callWords` and exits
// with one of `endings`.
//
// INVARIANT: one answer or none. Nothing is written before the whole answer has arrived.
// INVARIANT: to call a running gate, only node: modules and the parser of replies are loaded.

const [socketPath = '', agent = '', version = '', ...rest] = process.argv.slice(2)
const [aliveMs = 0, answerMs = 0, bytesMax = 0, upEveryS = 0] = rest.slice(0, 4).map(Number)
const [stamp = '', node = '', bin = ''] = rest.slice(4)
let event: Buffer = Buffer.alloc(0)
/** Copy of `limits.callerBytesMax`, which is not loaded. */
const callerBytesMax = 262_144
/** Copy of `limits.httpDiscardedBytesMax`. */
const discardedBytesMax = 67_108_864

function noAnswer(why: string, code: number = endings.noAnswer): never {
  process.stderr.write(`hookgate: ${why}\n`)
  const stopped = event.includes('"stop_hook_active":true') || event.includes('"stopHookActive":true')
  process.exit(stopped ? endings.stoppedBefore : code)
}

function say({ stdout, stderr, exitCode }: ClientAnswer): never {
  writeAll(1, stdout)
  writeAll(2, stderr)
  process.exit(endings.answered + exitCode)
}

function writeAll(descriptor: 1 | 2, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(descriptor, bytes, at)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) return
    }
  }
}

async function eventOfStdin(): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  let silence: NodeJS.Timeout | undefined
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- without an encoding, a stream brings Buffers
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes <= bytesMax) chunks.push(chunk)
    else silence = (silence ?? setTimeout(tooLarge, aliveMs)).refresh()
    if (bytes > bytesMax + discardedBytesMax) break
  }
  if (bytes > bytesMax) tooLarge()
  return Buffer.concat(chunks)

  // Stdin is read to its end: an agent that is still writing when the client exits may treat that as a failed hook.
  function tooLarge(): never {
    event = Buffer.concat(chunks)
    noAnswer('the event is too large', endings.tooLarge)
  }
}

/** INVARIANT: no other user can have created the socket. A short socket path lies below a world-writable folder. */
function isOurs(): boolean {
  // A named pipe is not in the file system.
  if (process.platform === 'win32') return true
  const folder = lstatSync(dirname(socketPath), { throwIfNoEntry: false })
  return (
    folder !== undefined && folder.isDirectory() && folder.uid === process.geteuid?.() && (folder.mode & 0o077) === 0
  )
}

/** Encodes the working directory and all variables, in which the gate decides as a separate process would. */
function callerHere(): Buffer | undefined {
  const variables = Object.entries(process.env).map(([name, value]) => `${name}=${value}\0`)
  const bytes = Buffer.from([`${workingFolder()}\0`, ...variables].join(''))
  return bytes.length <= callerBytesMax ? bytes : undefined
}

/** Returns the working directory, or the file system's root if it was removed. */
function workingFolder(): string {
  try {
    return process.cwd()
  } catch {
    return parse(process.execPath).root
  }
}

/**
 * Sends the event to the gate. Returns `undefined` if it does not answer.
 *
 * INVARIANT: a gate that does not send `100 Continue` within `aliveMs`, or pauses for as long in the middle of an
 * answer, has not answered. After `100 Continue` it may take as long as its hooks do.
 */
function askGate(caller: Buffer): Promise<ClientAnswer | undefined> {
  return new Promise((resolve) => {
    const socket = connect(socketPath)
    let reply = Buffer.alloc(0)
    let silence = setTimeout(giveUp, aliveMs)
    socket.on('error', () => {}).on('close', giveUp)
    socket.on('data', (chunk) => {
      reply = Buffer.concat([reply, chunk])
      const state = parseReply(reply, bytesMax)
      clearTimeout(silence)
      if (typeof state === 'object') resolve(state)
      else if (state === 'garbage') giveUp()
      else if (state === 'partial' || reply.length === 0) silence = setTimeout(giveUp, aliveMs)
    })
    socket.write(
      `POST /v1/hook/${agent} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nExpect: 100-continue\r\n` +
        `Content-Type: application/json\r\nHookgate-Version: ${version}\r\nHookgate-Caller-Bytes: ${caller.length}\r\n` +
        `Content-Length: ${caller.length + event.length}\r\n\r\n`,
    )
    socket.write(caller)
    socket.write(event)

    function giveUp(): void {
      clearTimeout(silence)
      socket.destroy()
      resolve(undefined)
    }
  })
}

process.on('uncaughtException', (error) => noAnswer(`the client failed: ${error.message}`))
process.on('unhandledRejection', () => noAnswer('the client failed'))
if (process.argv.length !== 12) noAnswer('the client was called with the wrong arguments')
const late = setTimeout(() => noAnswer('no answer came in time'), answerMs)
event = await eventOfStdin()
// A hook of the gate that calls the gate again would never end. Only separate processes count nested gates.
const isInnermost = process.env['HOOKGATE_DEPTH'] === undefined
const caller = isInnermost ? callerHere() : undefined
const answered = caller !== undefined && isOurs() ? await askGate(caller) : undefined
if (answered !== undefined) say(answered)
const { ensureGateRunning, decideWithoutGate } = await import('./without-gate.ts')
if (isInnermost) ensureGateRunning({ node, bin, stamp, everyMs: upEveryS * 1000 })
clearTimeout(late)
const decision = await decideWithoutGate({ node, bin, agent, event, leftMs: answerMs - performance.now(), bytesMax })
if (decision === undefined) noAnswer('neither the gate nor a separate process could be asked')
say(decision)
