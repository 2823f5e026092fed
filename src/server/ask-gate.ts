import { request } from 'node:http'
import { limits } from '../model/limits.ts'

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
 * be reached, or with `ETIMEDOUT`; resolves with any complete response, whatever its status.
 */
export function askGate(socket: string, question: GateRequest): Promise<GateReply> {
  const {
    method = question.body === undefined ? 'GET' : 'POST',
    path,
    body,
    timeoutMs = limits.gateAnswerMs,
  } = question
  const { promise, resolve, reject } = Promise.withResolvers<GateReply>()
  const sent = request({
    socketPath: socket,
    method,
    path,
    headers: {
      // Any name will do: the guard does not check `Host` on a socket, which has no name that could be rebound.
      host: 'localhost',
      connection: 'close',
      ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
      ...question.headers,
    },
    agent: false,
  })
  const late = setTimeout(() => sent.destroy(timedOut(timeoutMs)), timeoutMs)
  sent.on('error', reject)
  sent.on('response', (response) => {
    const chunks: Buffer[] = []
    response.on('data', (chunk: Buffer) => chunks.push(chunk))
    response.on('error', reject)
    response.on('end', () =>
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
    )
  })
  sent.end(body)
  return promise.finally(() => clearTimeout(late))
}

const timedOut = (timeoutMs: number) =>
  Object.assign(new Error(`the gate did not answer within ${timeoutMs / 1000} s`), { code: 'ETIMEDOUT' })
