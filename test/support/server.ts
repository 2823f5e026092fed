import { request } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { createGate, type Gate, type GateOptions } from '../../src/gate/gate.ts'
import { limits } from '../../src/model/limits.ts'
import { createApp, type AppOptions } from '../../src/service/server/app.ts'
import { createShared, type Shared } from '../../src/service/server/http/listener.ts'
import { folderWith } from './workspace.ts'

export const token = 'a-token-of-this-test'

export interface Listening {
  readonly kind: 'tcp' | 'unix'
  readonly to: { readonly host: string; readonly port: number } | { readonly path: string }
  readonly port: number
  readonly gate: Gate
  readonly shared: Shared
  readonly log: () => string
  close(): Promise<unknown>
}

interface Setting extends Partial<Omit<AppOptions, 'gate'>> {
  readonly kind?: 'tcp' | 'unix'
  readonly gate?: GateOptions
}

/** Starts a gate that listens on a real socket until the test ends. */
export async function listening({ kind = 'tcp', gate: gateOptions, ...options }: Setting = {}): Promise<Listening> {
  const gate = createGate({ discover: false, placement: 'caller', ...gateOptions })
  const shared = options.shared ?? createShared()
  const out = new PassThrough()
  let logged = ''
  out.setEncoding('utf8').on('data', (text: string) => (logged += text))
  const app = createApp({
    version: '1.2.3',
    token: kind === 'tcp' ? token : undefined,
    log: pino({ level: 'trace' }, out),
    ...options,
    gate,
    shared,
  })
  const path = join(folderWith(), 'gate.sock')
  const backlog = limits.httpConnectionsMax
  await app.listen(kind === 'tcp' ? { host: '127.0.0.1', port: 0, backlog } : { path, backlog })
  const port = kind === 'tcp' ? (app.server.address() as AddressInfo).port : 0
  let closed: Promise<unknown> | undefined
  const close = () => (closed ??= Promise.all([app.close(), gate.close()]))
  onTestFinished(async () => {
    app.server.closeAllConnections()
    await close()
  })
  return {
    kind,
    to: kind === 'tcp' ? { host: '127.0.0.1', port } : { path },
    port,
    gate,
    shared,
    log: () => logged,
    close,
  }
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
  readonly json: () => unknown
}

interface RequestOptions {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly body?: string | Uint8Array | object
  readonly signal?: AbortSignal
}

/** Sends one request on a new connection, by default with the token and the right `Host`. */
export function ask(
  listener: Listening,
  path: string,
  { method, headers, body, signal }: RequestOptions = {},
): Promise<Answer> {
  const bytes = typeof body === 'string' || body instanceof Uint8Array ? body : body && JSON.stringify(body)
  const to = 'path' in listener.to ? { socketPath: listener.to.path } : listener.to
  const given = { authorization: `Bearer ${token}`, ...headers }
  const sent = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  return new Promise((resolve, reject) => {
    const asking = request(
      { ...to, path, method: method ?? (body === undefined ? 'GET' : 'POST'), headers: sent, agent: false, signal },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (part: string) => (text += part))
        response.on('error', reject)
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: text,
            json: () => JSON.parse(text) as unknown,
          }),
        )
      },
    )
    asking.on('error', reject)
    asking.end(bytes)
  })
}

/** A raw connection, and all that it has received. */
export interface Wire {
  readonly socket: Socket
  readonly received: () => string
  /** Resolves once the gate has closed it. */
  readonly closed: Promise<string>
}

export async function wireTo({ to }: Listening): Promise<Wire> {
  const socket = connect(to)
  let received = ''
  let failure: Error | undefined
  socket.setEncoding('latin1').on('data', (text: string) => (received += text))
  socket.on('error', (error) => (failure = error))
  onTestFinished(() => void socket.destroy())
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(received)))
  await Promise.race([
    new Promise((resolve) => socket.once('connect', resolve)),
    closed.then(() => {
      throw failure ?? new Error('there is no connection')
    }),
  ])
  return { socket, received: () => received, closed }
}

/** Sends raw bytes, and waits until the gate has closed the connection. */
export async function sayRaw(listener: Listening, bytes: string | Uint8Array): Promise<string> {
  const { socket, closed } = await wireTo(listener)
  socket.write(bytes)
  return closed
}

/** Builds the head of an authorised request, without its final empty line. */
export function headOf({ kind, port }: Listening, line: string, ...headers: readonly string[]): string {
  const host = kind === 'tcp' ? `127.0.0.1:${port}` : 'localhost'
  return [`${line} HTTP/1.1`, `host: ${host}`, `authorization: Bearer ${token}`, ...headers, ''].join('\r\n')
}
