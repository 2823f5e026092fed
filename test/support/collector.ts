import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { onTestFinished } from 'vitest'

/** A request that a collector got. */
export interface CollectedRequest {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  /** Its body, unpacked. */
  readonly text: string
}

interface Value {
  readonly stringValue?: string
  readonly boolValue?: boolean
  readonly intValue?: number
  readonly doubleValue?: number
  readonly arrayValue?: { readonly values: readonly Value[] }
}
export interface LogRecord {
  readonly severityText: string
  readonly eventName: string
  readonly body: Value
  readonly attributes: readonly { readonly key: string; readonly value: Value }[]
}
export interface Metric {
  readonly name: string
  readonly unit?: string
  readonly gauge?: { readonly dataPoints: readonly Point[] }
  readonly sum?: { readonly dataPoints: readonly Point[]; readonly isMonotonic?: boolean }
  readonly histogram?: { readonly dataPoints: readonly Point[] }
}
interface Point {
  readonly asDouble?: number
  readonly asInt?: number | string
  readonly count?: number
  readonly sum?: number
  readonly explicitBounds?: readonly number[]
  readonly bucketCounts?: readonly (number | string)[]
  readonly attributes: readonly { readonly key: string; readonly value: Value }[]
}

type Reply = (response: ServerResponse, request: CollectedRequest) => void

/** Starts a collector of OTLP over HTTP in JSON. @param reply answers a request; by default, with 200 */
export async function startCollector(reply: Reply = accept, port = 0) {
  const requests: CollectedRequest[] = []
  const accepted: CollectedRequest[] = []
  let answer = reply
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const bytes = Buffer.concat(chunks)
      const text = (request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString()
      const one = { path: request.url ?? '', headers: request.headers, text }
      requests.push(one)
      response.on('finish', () => {
        if (response.statusCode === 200) accepted.push(one)
      })
      answer(response, one)
    })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const close = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections()
      server.close(() => resolve())
    })
  onTestFinished(() => (server.listening ? close() : undefined))
  const logs = () => accepted.filter(({ path }) => path === '/v1/logs').flatMap(logsIn)
  const { port: listening } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${listening}`,
    port: listening,
    requests,
    close,
    answerWith(other: Reply) {
      answer = other
    },
    /** Returns the decisions of the requests that were accepted. */
    logs: () => logs().filter(({ eventName }) => eventName === 'hookgate.decision'),
    /** Returns the heartbeats of the requests that were accepted. */
    heartbeats: () => logs().filter(({ eventName }) => eventName === 'hookgate.heartbeat'),
    /** Returns all metrics of the last request that was accepted. */
    metrics: () => metricsIn(accepted.findLast(({ path }) => path === '/v1/metrics')),
    /** Returns a metric of the last request that was accepted. */
    metric: (name: string) =>
      metricsIn(accepted.findLast(({ path }) => path === '/v1/metrics')).find((one) => one.name === name),
  }
}

export const accept: Reply = (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{}')

/** Answers with a status. */
export const replyWith =
  (status: number, headers: Readonly<Record<string, string>> = {}, text = ''): Reply =>
  (response) =>
    response.writeHead(status, headers).end(text)

/** Returns what the last request says about the machine that sent it. */
export function resourceIn({ text }: CollectedRequest): Readonly<Record<string, string | undefined>> {
  const { resourceLogs = [], resourceMetrics = [] } = JSON.parse(text) as Record<
    'resourceLogs' | 'resourceMetrics',
    readonly { resource: Pick<LogRecord, 'attributes'> }[] | undefined
  >
  const attributes = [...resourceLogs, ...resourceMetrics][0]?.resource.attributes ?? []
  return Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue]))
}

/** Returns the log records of one request. */
export function logsIn({ text }: CollectedRequest): readonly LogRecord[] {
  const { resourceLogs } = JSON.parse(text) as {
    resourceLogs: readonly { scopeLogs: readonly { logRecords: readonly LogRecord[] }[] }[]
  }
  return resourceLogs.flatMap(({ scopeLogs }) => scopeLogs.flatMap(({ logRecords }) => logRecords))
}

function metricsIn(request: CollectedRequest | undefined): readonly Metric[] {
  if (request === undefined) return []
  const { resourceMetrics } = JSON.parse(request.text) as {
    resourceMetrics: readonly { scopeMetrics: readonly { metrics: readonly Metric[] }[] }[]
  }
  return resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics))
}

/** Returns all attributes as plain values. */
export const attributesOf = (of: Pick<LogRecord, 'attributes'>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(of.attributes.map(({ key, value }) => [key, plain(value)]))

const plain = ({ arrayValue, ...one }: Value): unknown => arrayValue?.values.map(plain) ?? Object.values(one)[0]

/** Returns an attribute that is text. */
export const attribute = (of: Pick<LogRecord, 'attributes'>, key: string) =>
  of.attributes.find((one) => one.key === key)?.value.stringValue
