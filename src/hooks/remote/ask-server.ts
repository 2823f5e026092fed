import { readFileSync } from 'node:fs'
import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { headerValues, secretValue } from '../../files/header-values.ts'
import { errorText } from '../../model/errors.ts'
import type { Failure } from '../../model/failure.ts'
import { type JsonObject, parseJsonOnce } from '../../model/json.ts'
import type { Server } from '../../model/remote.ts'
import { jsonText, printable } from '../../model/text.ts'

/** Connections to one server: some agents at once, each with a call or two. */
const remoteConnectionsMax = 32

/** The JSON that a server answered with status 200, or why there is none. */
type ServerAnswer =
  | { readonly kind: 'answered'; readonly json: unknown }
  | { readonly kind: 'failed'; readonly failure: Failure; readonly isTooLarge?: boolean }

interface ServerQuestion {
  /** Below the server's base URL. */
  readonly path: string
  readonly body: JsonObject
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
}

/** A server that is asked, with its connections and its breaker. */
export interface AskedServer {
  ask(question: ServerQuestion): Promise<ServerAnswer>
  close(): void
}

type ServerEnvironment = Readonly<Record<string, string | undefined>>

/**
 * Opens a server to ask. Certificates are read again after each failure, since the usual one is that they have expired.
 *
 * INVARIANT: the deadline covers the whole question, from the look at the token to the last byte of the answer.
 */
export function openServer(server: Server, env: ServerEnvironment, breaker: Breaker = openBreaker()): AskedServer {
  let agent: HttpAgent | undefined
  /** Calls that still wait keep their connections. */
  const drop = () => {
    for (const socket of Object.values(agent?.freeSockets ?? {}).flat()) socket?.destroy()
    agent = undefined
  }
  return {
    async ask(question) {
      const waitMs = breaker.waitMs(performance.now())
      if (waitMs > 0) return failed(server, `is not asked for ${Math.ceil(waitMs / 1000)} s: it did not answer before`)
      try {
        agent ??= agentFor(server)
        const json = await jsonFrom(server, env, agent, question)
        breaker.succeeded()
        return { kind: 'answered', json }
      } catch (error) {
        if (question.signal?.aborted === true) return { kind: 'failed', failure: cancelled }
        const status = error instanceof WrongAnswer ? error.status : undefined
        if (status !== undefined && aboutTheCall.has(status)) {
          // The server answers: other calls are not to go without it.
          breaker.succeeded()
          return { ...failed(server, whyOf(error, question)), isTooLarge: status === 413 }
        }
        breaker.failed(performance.now())
        drop()
        return failed(server, whyOf(error, question))
      }
    },
    close() {
      agent?.destroy()
      agent = undefined
    },
  }
}

const cancelled: Failure = { code: 'cancelled', message: 'the agent does not wait for the answer any more' }

/** Statuses that say what is wrong with one call, and nothing of the server. */
const aboutTheCall: ReadonlySet<number> = new Set([400, 413, 422])

const failed = ({ url }: Server, why: string): ServerAnswer & { kind: 'failed' } => ({
  kind: 'failed',
  failure: { code: 'unreachable', message: printable(`${url} ${why}`) },
})

/** Says why there is no answer. INVARIANT: nothing of a header is in it. */
function whyOf(error: unknown, { timeoutMs }: ServerQuestion): string {
  if (error instanceof Error && error.name === 'TimeoutError') return `did not answer within ${timeoutMs} ms`
  if (error instanceof WrongAnswer) return error.message
  return `cannot be asked: ${errorText(error)}`
}

class WrongAnswer extends Error {
  readonly status: number | undefined

  constructor(message: string, status?: number) {
    super(message)
    this.status = status
  }
}

const contentOf = (file: string | undefined) => (file === undefined ? undefined : readFileSync(file))

function agentFor({ url, ca, cert, key }: Server): HttpAgent {
  const kept = { keepAlive: true, maxSockets: remoteConnectionsMax, maxFreeSockets: remoteConnectionsMax }
  if (!url.startsWith('https:')) return new HttpAgent(kept)
  return new HttpsAgent({ ...kept, ca: contentOf(ca), cert: contentOf(cert), key: contentOf(key) })
}

async function jsonFrom(
  server: Server,
  env: ServerEnvironment,
  agent: HttpAgent,
  question: ServerQuestion,
): Promise<unknown> {
  const { timeoutMs, signal } = question
  const values = headerValues(server.headers, env)
  if (typeof values === 'string') throw new WrongAnswer(`cannot be asked: ${values}`)
  const token = server.token === undefined ? {} : { authorization: `Bearer ${secretValue(server.token, env)}` }
  const body = jsonText(question.body)
  const sent = {
    ...values,
    ...token,
    'content-type': 'application/json',
    accept: 'application/json',
    'content-length': `${Buffer.byteLength(body)}`,
  }
  const deadline = AbortSignal.timeout(Math.ceil(timeoutMs))
  const both = signal === undefined ? deadline : AbortSignal.any([deadline, signal])
  try {
    const response = await post(`${server.url}${question.path}`, sent, body, agent, both)
    const text = await responseText(response)
    const { statusCode = 0 } = response
    if (statusCode !== 200) throw new WrongAnswer(`answered ${statusCode}, and not 200`, statusCode)
    return parsed(text)
  } catch (error) {
    // A request that was aborted fails with an error of its own.
    throw deadline.aborted ? deadline.reason : error
  }
}

function parsed(text: string): unknown {
  try {
    return parseJsonOnce(text)
  } catch {
    throw new WrongAnswer('answered something that is not JSON')
  }
}

/** Posts a body. A redirect, which would take the token elsewhere, is not followed. */
function post(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  agent: HttpAgent,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const send = url.startsWith('https:') ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    const request = send(url, { method: 'POST', headers, agent, signal }, resolve)
    request.on('error', (error) => {
      // The server closed a kept connection just as it was used again, and has not seen the request.
      const isStale = request.reusedSocket && 'code' in error && error.code === 'ECONNRESET' && !signal.aborted
      // oxlint-disable-next-line promise/no-promise-in-callback -- the answer of the second try is this one's
      if (isStale) post(url, headers, body, agent, signal).then(resolve, reject)
      else reject(error)
    })
    request.end(body)
  })
}

async function responseText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- without an encoding, a stream brings Buffers
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > remoteAnswerBytesMax) {
      throw new WrongAnswer(`answered more than ${remoteAnswerBytesMax} bytes`)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
/** A server's answer. A verdict with the answers of a hundred rules is some tens of kilobytes. */
const remoteAnswerBytesMax = 1024 * 1024

/** The time for which a failing server is not asked. Then one call tries it again. */
const remotePauseMs = 10_000

/** Failures in a row after which a server is not asked for a while, so that calls do not wait for what is away. */
const remoteFailuresMax = 3

/** Keeps calls from waiting for a server that has not answered lately. */
interface Breaker {
  /** Returns the time until the server may be asked again, ms; 0 if it may be asked now. */
  waitMs(nowMs: number): number
  succeeded(): void
  failed(nowMs: number): void
}

/** Opens a breaker that lets nothing through for a while after some failures in a row, and then one request. */
export function openBreaker(failuresMax: number = remoteFailuresMax, pauseMs: number = remotePauseMs): Breaker {
  let failures = 0
  let closedAtMs = 0
  return {
    waitMs(nowMs) {
      if (failures < failuresMax) return 0
      if (nowMs < closedAtMs) return closedAtMs - nowMs
      // One request tries; the others wait for what becomes of it.
      closedAtMs = nowMs + pauseMs
      return 0
    },
    succeeded() {
      failures = 0
    },
    failed(nowMs) {
      failures += 1
      if (failures >= failuresMax) closedAtMs = nowMs + pauseMs
    },
  }
}
