import { createHash, type Hash } from 'node:crypto'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { z } from 'zod'
import { agentNames } from '../../agents/registry.ts'
import { challengeBytes } from '../../files/proof.ts'
import { parseJsonOnce } from '../../model/json.ts'
import { limits } from '../../model/limits.ts'
import { jsonText, quoted } from '../../model/text.ts'
import {
  acceptedFrame,
  type ClientAnswer,
  frameHeadBytes,
  frameKinds,
  opening,
  refusedCode,
  replyFrames,
  requestHeadBytesMax,
} from '../frames.ts'
import { answerEvent } from './http/answer-event.ts'
import { eventsText } from './http/event-routes.ts'
import type { Connections } from './http/connections.ts'
import type { Listener } from './http/listener.ts'
import type { Rejection } from './http/metrics.ts'
import { type HttpProblem, problemText, requestMalformed } from './http/bad-requests.ts'
import { type Body, tooLarge, tooSlow } from './http/receive.ts'
import type { CommandApprovals } from './local-approvals.ts'

const Challenge = z.string().regex(new RegExp(`^[0-9a-f]{${challengeBytes * 2}}$`))

/** The head of a request. */
const Head = z.discriminatedUnion('to', [
  z.strictObject({
    to: z.literal('hook'),
    agent: z.enum(agentNames),
    version: z.string(),
    challenge: Challenge,
    /** Bytes of the body before the event: the sender's folder and environment; see `callerIn`. */
    callerBytes: z.int().nonnegative().max(limits.callerBytesMax),
  }),
  z.strictObject({
    to: z.enum(['status', 'drain', 'events', 'approvals', 'answer']),
    version: z.string(),
    challenge: Challenge,
  }),
])
type Head = Readonly<z.infer<typeof Head>>

/** What a command asks for, apart from a decision. */
export type CommandQuestion = Exclude<Head['to'], 'hook'>

/** What a gate's socket needs to answer frames. */
export interface FramedOptions {
  readonly key: string
  readonly connections: Connections
  readonly onActivity: (() => void) | undefined
  /** Answers what a command asks for. */
  readonly answerCommand: (to: CommandQuestion, body: Buffer) => Promise<string | HttpProblem>
  /** Ends the gate. Is called once its answer is sent: it closes that connection too. */
  readonly drain: () => void
}

/** Versions may differ between a command and the gate that it asks about or ends, but not between others. */
const forEveryVersion: ReadonlySet<Head['to']> = new Set(['status', 'drain'])

/** Has a server of HTTP hand over connections that begin with a frame. Must be called before the server listens. */
export function splitConnections(server: Server, headersMs: number, onFramed: (socket: Socket) => void): void {
  const toHttp = server.listeners('connection')
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    const silent = setTimeout(() => socket.destroy(), headersMs)
    socket.once('close', () => clearTimeout(silent))
    socket.on('error', () => {})
    socket.once('readable', () => {
      clearTimeout(silent)
      const first = readNow(socket)
      if (first === null) {
        socket.destroy()
        return
      }
      socket.unshift(first)
      if (first[0] === opening.charCodeAt(0)) onFramed(socket)
      else for (const listen of toHttp) listen.call(server, socket)
    })
  })
}

/** Returns what has arrived; `null` if there is nothing. */
function readNow(socket: Socket): Buffer | null {
  const chunk: unknown = socket.read()
  return Buffer.isBuffer(chunk) ? chunk : null
}

/** Answers the one request of a connection that begins with a frame. Never rejects. */
export async function answerFramed(socket: Socket, listener: Listener, options: FramedOptions): Promise<void> {
  const { metrics, admission } = listener.shared
  const exchange = options.connections.begin(socket)
  const abort = new AbortController()
  const pass = admission.open()
  const hash = createHash('sha256')
  const release = () => {
    pass.end()
    exchange.end()
  }
  socket.once('close', () => {
    release()
    if (!socket.writableFinished) abort.abort()
  })
  let isAccepted = false
  const reader = openReader(socket, hash, listener.limits.headersMs)
  const answer = (one: ClientAnswer) => {
    const frames = replyFrames(options.key, hash.digest('hex'), one)
    // Input that is left unread would reset the connection before the client has read the answer.
    reader.discardRest()
    socket.end(isAccepted ? frames : Buffer.concat([acceptedFrame, frames]), () => {
      release()
      setTimeout(() => socket.destroy(), limits.graceMs).unref()
    })
  }
  const refuse = (problem: HttpProblem, why: Rejection) => {
    metrics.rejected(why)
    listener.log.warn({ code: problem.code }, problem.message)
    answer({ stdout: Buffer.from(problemText(problem)), stderr: Buffer.alloc(0), exitCode: refusedCode })
  }
  try {
    const head = await headFrom(reader)
    if (head === 'gone') return void socket.destroy()
    if (head === 'late') return refuse(tooSlow(listener.limits.headersMs), 'tooSlow')
    if ('status' in head) return refuse(head, 'malformed')
    const ahead = head.to === 'hook' ? head.callerBytes : 0
    if (head.bodyBytes > listener.limits.bodyBytesMax + ahead) {
      return refuse(tooLarge(listener.limits.bodyBytesMax), 'tooLarge')
    }
    socket.write(acceptedFrame)
    isAccepted = true
    reader.limit(listener.limits.bodyMs)
    const body = await bodyFrom(reader, head.bodyBytes, pass)
    if (body.kind === 'gone') {
      metrics.rejected('gone')
      return void socket.destroy()
    }
    exchange.setReceived()
    reader.discardRest()
    // Checked only now, so that the refusal is to the whole request, and its client can believe it.
    if (head.version !== listener.version && !forEveryVersion.has(head.to)) {
      return refuse(otherVersion(head.version, listener.version), 'version')
    }
    options.onActivity?.()
    if (head.to !== 'hook') {
      if (body.kind !== 'whole') return refuse(tooSlow(listener.limits.bodyMs), 'tooSlow')
      const said = await options.answerCommand(head.to, body.bytes)
      if (typeof said !== 'string') return refuse(said, said.status === 401 ? 'unauthorized' : 'malformed')
      if (head.to === 'drain') socket.once('close', () => options.drain())
      return answer({ stdout: Buffer.from(said), stderr: Buffer.alloc(0), exitCode: 0 })
    }
    const origin = { agent: head.agent, callerBytes: ahead, channel: 'process', who: undefined } as const
    const decided = await answerEvent(listener, { body, pass, signal: abort.signal }, origin)
    if (decided === undefined) return void socket.destroy()
    if ('status' in decided) return refuse(decided, 'malformed')
    const { stdout, stderr, exitCode } = decided
    answer({ stdout: Buffer.from(stdout), stderr: Buffer.from(stderr), exitCode })
  } catch (error) {
    metrics.failed(undefined, error)
    listener.log.error({ err: error }, 'not answered because of a bug in hookgate')
    socket.destroy()
  }
}

/** Returns the head and the body's length, or why there is none. */
async function headFrom(
  reader: PieceReader,
): Promise<(Head & { readonly bodyBytes: number }) | HttpProblem | 'gone' | 'late'> {
  const first = await reader.exactly(opening.length)
  if (typeof first === 'string') return first
  if (first.toString('latin1') !== opening) return otherProtocol(first)
  const headBytes = await lengthOf(reader, 'head')
  if (typeof headBytes !== 'number') return headBytes
  if (headBytes > requestHeadBytesMax) return malformed(`its head is over ${requestHeadBytesMax} bytes`)
  const text = await reader.exactly(headBytes)
  if (typeof text === 'string') return text
  const head = parsedHead(text)
  if (head === undefined) return malformed('its head is none that this version knows')
  const bodyBytes = await lengthOf(reader, 'body')
  return typeof bodyBytes === 'number' ? { ...head, bodyBytes } : bodyBytes
}

function parsedHead(text: Buffer): Head | undefined {
  try {
    return Head.safeParse(parseJsonOnce(new TextDecoder('utf-8', { fatal: true }).decode(text))).data
  } catch {
    return undefined
  }
}

async function lengthOf(reader: PieceReader, kind: 'head' | 'body'): Promise<number | HttpProblem | 'gone' | 'late'> {
  const frame = await reader.exactly(frameHeadBytes)
  if (typeof frame === 'string') return frame
  const isKind = frame[0] === frameKinds[kind].charCodeAt(0)
  return isKind ? frame.readUInt32BE(1) : malformed(`there is another frame where its ${kind} should be`)
}

/** Reads the body. If there is no room for it, the rest is read and not kept, so that the refusal is to all of it. */
async function bodyFrom(reader: PieceReader, bytes: number, pass: { hold(bytes: number): boolean }): Promise<Body> {
  const chunks: Buffer[] = []
  let hasRoom = true
  for (let left = bytes; left > 0;) {
    // oxlint-disable-next-line no-await-in-loop -- one chunk after the other
    const chunk = await reader.some(left)
    if (chunk === 'gone') return { kind: 'gone' }
    if (chunk === 'late') return { kind: 'tooSlow', head: Buffer.concat(chunks) }
    left -= chunk.length
    hasRoom &&= pass.hold(chunk.length)
    if (hasRoom) chunks.push(chunk)
  }
  return hasRoom ? { kind: 'whole', bytes: Buffer.concat(chunks) } : { kind: 'noRoom', head: Buffer.concat(chunks) }
}

/** Reads a connection piece by piece, within a time. */
interface PieceReader {
  /** Returns at least one byte and at most `max`; `gone` if the client ends, `late` if the time is over. */
  some(max: number): Promise<Buffer | 'gone' | 'late'>
  exactly(count: number): Promise<Buffer | 'gone' | 'late'>
  /** Sets the time for what comes next. */
  limit(ms: number): void
  /** Reads on only to notice that the client ends, which ends the connection. */
  discardRest(): void
}

function openReader(socket: Socket, hash: Hash, ms: number): PieceReader {
  let isLate = false
  let wake: (() => void) | undefined
  const onChange = () => wake?.()
  const onLate = () => {
    isLate = true
    wake?.()
  }
  let timer = setTimeout(onLate, ms)
  socket.on('readable', onChange).on('end', onChange).on('close', onChange)
  socket.once('close', () => clearTimeout(timer))

  async function some(max: number): Promise<Buffer | 'gone' | 'late'> {
    for (;;) {
      if (isLate) return 'late'
      const chunk = socket.destroyed ? null : readNow(socket)
      if (chunk !== null) {
        if (chunk.length > max) socket.unshift(chunk.subarray(max))
        const taken = chunk.subarray(0, max)
        hash.update(taken)
        return taken
      }
      if (socket.destroyed || socket.readableEnded) return 'gone'
      // oxlint-disable-next-line no-await-in-loop -- waiting is the point
      await new Promise<void>((resolve) => (wake = resolve))
    }
  }

  return {
    some,
    async exactly(count) {
      const chunks: Buffer[] = []
      for (let left = count; left > 0;) {
        // oxlint-disable-next-line no-await-in-loop -- one chunk after the other
        const chunk = await some(left)
        if (typeof chunk === 'string') return chunk
        chunks.push(chunk)
        left -= chunk.length
      }
      return Buffer.concat(chunks)
    },
    limit(next) {
      clearTimeout(timer)
      timer = setTimeout(onLate, next)
    },
    discardRest() {
      clearTimeout(timer)
      socket.off('readable', onChange).off('end', onChange)
      socket.once('end', () => {
        if (!socket.writableEnded) socket.destroy()
      })
      socket.resume()
    },
  }
}

const malformed = (what: string) =>
  requestMalformed(`the request is malformed: ${what}`, 'use a client of this version')

const mismatch = (message: string): HttpProblem => ({
  status: 409,
  code: 'versionMismatch',
  message,
  remedy: 'run `hookgate up`, which replaces a gate of another version',
})

const otherProtocol = (first: Buffer) =>
  mismatch(`the gate speaks ${quoted(opening.trim())} and the client ${quoted(first.toString('latin1').trim())}`)

const otherVersion = (theirs: string, version: string) =>
  mismatch(`the gate is version ${version} and the client ${quoted(theirs)}`)

/** Answers what commands ask for. */
export function commandAnswers(
  listener: Listener,
  { status, approvals }: { readonly status: () => Promise<unknown>; readonly approvals: CommandApprovals | undefined },
): FramedOptions['answerCommand'] {
  const { events } = listener.shared
  return async (to, body) => {
    switch (to) {
      case 'status':
        return jsonText(await status())
      case 'drain':
        return '{}'
      case 'events':
        return eventsText(events, 0)
      case 'approvals':
        return jsonText({ requests: approvals?.open() ?? [] })
      case 'answer': {
        const result = approvals?.answer(body.toString('utf8')) ?? malformed('there are no approvals')
        return 'status' in result ? result : jsonText(result)
      }
    }
  }
}
