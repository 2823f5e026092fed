import { request } from 'node:http'
import { limits } from '../model/limits.ts'

export interface Question {
  /** Default: GET, and POST where there is a body. */
  readonly method?: 'GET' | 'POST'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** From the first byte to the last. Default: `limits.gateAnswerMs`. */
  readonly timeoutMs?: number
}

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: Buffer
}

/**
 * Asks the gate behind a socket one question, on a connection of its own. Rejects with the error of the system where it
 * cannot be reached, or with `ETIMEDOUT`; whatever its status, a whole answer is an answer.
 */
export function askGate(socket: string, question: Question): Promise<Reply> {
  const {
    method = question.body === undefined ? 'GET' : 'POST',
    path,
    body,
    timeoutMs = limits.gateAnswerMs,
  } = question
  const { promise, resolve, reject } = Promise.withResolvers<Reply>()
  const asking = request({
    socketPath: socket,
    method,
    path,
    headers: {
      // What the app checks against other names; a socket has none.
      host: 'localhost',
      connection: 'close',
      ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
      ...question.headers,
    },
    agent: false,
  })
  const late = setTimeout(() => asking.destroy(timedOut(timeoutMs)), timeoutMs)
  asking.on('error', reject)
  asking.on('response', (response) => {
    const chunks: Buffer[] = []
    response.on('data', (chunk: Buffer) => chunks.push(chunk))
    response.on('error', reject)
    response.on('end', () =>
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
    )
  })
  asking.end(body)
  return promise.finally(() => clearTimeout(late))
}

const timedOut = (timeoutMs: number) =>
  Object.assign(new Error(`the gate did not answer within ${timeoutMs / 1000} s`), { code: 'ETIMEDOUT' })
