import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readSync,
  writeSync,
} from 'node:fs'
import { connect } from 'node:net'
import { dirname, join, parse } from 'node:path'
import { challengeBytes, digestOf, keyBytes, proofOf } from '../../files/proof.ts'
import { type ClientAnswer, exitCodeMax, parseReply, type ProvableAnswer, requestHead } from '../frames.ts'
import { endings } from './endings.ts'

// The thin client for machines without a C compiler: a Node process. It takes the arguments of `callWords` and exits
// with one of `endings`.
//
// It is built as CommonJS, which loads some milliseconds faster, and so awaits nothing at its top level.
//
// INVARIANT: one answer or none. Nothing is written before the whole answer has arrived.
// INVARIANT: to call a running gate, only node: modules, the frames and the proof are loaded.

const [socketPath = '', agent = '', version = '', ...rest] = process.argv.slice(2)
const [aliveMs = 0, answerMs = 0, bytesMax = 0, upEveryS = 0] = rest.slice(0, 4).map(Number)
const [stateFolder = '', node = '', bin = ''] = rest.slice(4)
let event: Buffer = Buffer.alloc(0)
/** Copy of `limits.callerBytesMax`, which is not loaded. */
const callerBytesMax = 262_144
/** Copy of `limits.httpDiscardedBytesMax`. */
const discardedBytesMax = 67_108_864

function noAnswer(why?: string, code: number = endings.noAnswer): never {
  if (why !== undefined) process.stderr.write(`hookgate: ${why}\n`)
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

/** Ends with the agent: else a call would go on waiting for a person whose answer nobody reads. */
function endWithAgent(above: string): void {
  if (above !== '' && processesAbove() !== above) noAnswer('the agent has ended')
}
/** How often is looked for the agent, ms: a person reads no faster. */
const lookMs = 1000

const parentOf = (pid: string) => /\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.[1] ?? ''

/** Returns the processes that wait for this one, up to the agent; `''` where the system does not say. */
function processesAbove(): string {
  try {
    const first = parentOf(`${process.ppid}`)
    // The hook's file starts this process, or `timeout` in between.
    return `${process.ppid} ${first} ${parentOf(first)}`
  } catch {
    return process.platform === 'linux' ? 'none' : ''
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

/** Returns the key by which the gate proves itself; `undefined` if there is none that is the user's alone. */
function gateKey(): string | undefined {
  const key = Buffer.alloc(keyBytes * 2 + 1)
  let file: number | undefined
  try {
    file = openSync(join(stateFolder, 'gate.key'), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const stats = fstatSync(file)
    const isPrivate = process.platform === 'win32' || (stats.uid === process.geteuid?.() && (stats.mode & 0o077) === 0)
    const isWhole = stats.isFile() && readSync(file, key) === keyBytes * 2
    return isPrivate && isWhole ? key.toString('latin1', 0, keyBytes * 2) : undefined
  } catch {
    return undefined
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/** Returns random bits of the system, without `node:crypto` where that is possible. */
function newChallenge(): string {
  const bytes = Buffer.alloc(challengeBytes)
  try {
    const random = openSync('/dev/urandom', 'r')
    if (readSync(random, bytes) === challengeBytes) return bytes.toString('hex')
  } catch {
    // Windows has no such file.
  }
  return process.getBuiltinModule('node:crypto').randomBytes(challengeBytes).toString('hex')
}

/**
 * Sends the event to the gate. Returns `undefined` if it does not answer.
 *
 * INVARIANT: a gate that does not accept the request within `aliveMs`, or pauses for as long in the middle of an answer,
 * has not answered. Once it has accepted, it may take as long as its hooks do.
 * INVARIANT: an answer without the proof of the gate whose key this is was not given.
 */
function askGate(caller: Buffer): Promise<ClientAnswer | undefined> {
  return new Promise((resolve) => {
    const head = { to: 'hook', agent, version, challenge: newChallenge(), callerBytes: caller.length }
    const request = requestHead(head, caller.length + event.length)
    const socket = connect(socketPath)
    let key: string | undefined
    let digest = ''
    let reply = Buffer.alloc(0)
    let silence = setTimeout(giveUp, aliveMs)
    socket.on('error', () => {}).on('close', giveUp)
    socket.on('data', (chunk) => {
      reply = Buffer.concat([reply, chunk])
      const state = parseReply(reply, bytesMax)
      clearTimeout(silence)
      if (typeof state === 'object' && isProved(state)) resolve(state)
      else if (typeof state === 'object' || state === 'garbage') giveUp()
      else if (state === 'partial' || reply.length === 0) silence = setTimeout(giveUp, aliveMs)
    })
    socket.on('connect', () => {
      // Once connected: what listens after the gate of an older key cannot answer here.
      key = gateKey()
      if (key === undefined) return giveUp()
      socket.write(request)
      socket.write(caller)
      socket.write(event)
      // While the gate decides: this loads `node:crypto`, which takes milliseconds.
      digest = digestOf(request, caller, event)
    })

    /** Returns true if only the gate whose key this is can have sent the answer, to this very request. */
    function isProved(answer: ProvableAnswer): boolean {
      return key !== undefined && answer.exitCode <= exitCodeMax && answer.proof === proofOf(key, digest, answer)
    }

    function giveUp(): void {
      clearTimeout(silence)
      socket.destroy()
      resolve(undefined)
    }
  })
}

async function main(): Promise<void> {
  if (process.argv.length !== 12) noAnswer('the client was called with the wrong arguments')
  const late = setTimeout(() => noAnswer('no answer came in time'), answerMs)
  event = await eventOfStdin()
  setInterval(endWithAgent, lookMs, processesAbove())
  // A hook of the gate that calls the gate again would never end. Only separate processes count nested gates.
  const isInnermost = process.env['HOOKGATE_DEPTH'] === undefined
  const caller = isInnermost ? callerHere() : undefined
  const answered = caller !== undefined && isOurs() ? await askGate(caller) : undefined
  if (answered !== undefined) say(answered)
  const { ensureGateRunning, decideWithoutGate } = await import('./without-gate.ts')
  const stamp = join(stateFolder, 'last-start')
  if (isInnermost) ensureGateRunning({ node, bin, stamp, everyMs: upEveryS * 1000 })
  clearTimeout(late)
  // The hook's file says which is gone, and how to mend it.
  if (!existsSync(node) || !existsSync(bin)) noAnswer()
  const decision = await decideWithoutGate({ node, bin, agent, event, leftMs: answerMs - performance.now(), bytesMax })
  if (decision === undefined) noAnswer('neither the gate nor a separate process could be asked')
  say(decision)
}

process.on('uncaughtException', (error) => noAnswer(`the client failed: ${error.message}`))
process.on('unhandledRejection', () => noAnswer('the client failed'))
void main()
