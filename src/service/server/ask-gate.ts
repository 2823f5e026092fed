import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { limits } from '../../model/limits.ts'
import {
  challengeBytes,
  challengeHeader,
  digestOf,
  type ProvedExchange,
  proofHeader,
  proofOf,
} from '../../files/proof.ts'
import { readKey } from '../../files/state/keys.ts'
import type { GatePaths } from '../../files/state/places.ts'

export interface GateRequest {
  /** Default: POST if there is a body, otherwise GET. */
  readonly method?: 'GET' | 'POST'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** From the first byte to the last. Default: `limits.gateAnswerMs`. */
  readonly timeoutMs?: number
}

export interface GateReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: Buffer
}

/**
 * Sends one request to the gate behind a socket, on a new connection. Rejects with the system error if the gate cannot
 * be reached, with `ETIMEDOUT`, or with `EUNPROVED`; resolves with any complete response of the gate, whatever its
 * status.
 */
export function askGate(places: Pick<GatePaths, 'socket' | 'key'>, question: GateRequest): Promise<GateReply> {
  const {
    method = question.body === undefined ? 'GET' : 'POST',
    path,
    body = '',
    headers = {},
    timeoutMs = limits.gateAnswerMs,
  } = question
  const { promise, resolve, reject } = Promise.withResolvers<GateReply>()
  const challenge = randomBytes(challengeBytes).toString('hex')
  let key: string | undefined
  const sent = request({
    socketPath: places.socket,
    method,
    path,
    headers: {
      // Any name will do: the guard does not check `Host` on a socket, which has no name that could be rebound.
      host: 'localhost',
      connection: 'close',
      [challengeHeader]: challenge,
      ...(question.body !== undefined && {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      }),
      ...headers,
    },
    agent: false,
  })
  const isProved = ({ status, headers: answered, body: answer }: GateReply) => {
    if (key === undefined) return false
    const exchange: ProvedExchange = {
      challenge,
      method,
      path,
      version: headers['hookgate-version'] ?? '',
      callerBytes: headers['hookgate-caller-bytes'] ?? '',
      bodyDigest: digestOf(body),
      status,
      exitCode: String(answered['hookgate-exit-code'] ?? ''),
      stderrBytes: String(answered['hookgate-stderr-bytes'] ?? ''),
    }
    return answered[proofHeader] === proofOf(key, exchange, answer)
  }
  const late = setTimeout(() => sent.destroy(timedOut(timeoutMs)), timeoutMs)
  sent.on('error', reject)
  // Once connected: what listens after the gate of an older key cannot answer here.
  sent.on('socket', (socket) => socket.once('connect', () => (key = readKey(places))))
  sent.on('response', (response) => {
    const chunks: Buffer[] = []
    response.on('data', (chunk: Buffer) => chunks.push(chunk))
    response.on('error', reject)
    response.on('end', () => {
      const reply = { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }
      if (isProved(reply)) resolve(reply)
      else reject(notProved())
    })
  })
  sent.end(body)
  return promise.finally(() => clearTimeout(late))
}

const notProved = () => Object.assign(new Error('it does not prove that it is the gate'), { code: 'EUNPROVED' })
const timedOut = (timeoutMs: number) =>
  Object.assign(new Error(`the gate did not answer within ${timeoutMs / 1000} s`), { code: 'ETIMEDOUT' })
