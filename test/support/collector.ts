import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A request that a collector got. */
export interface CollectedRequest {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly text: string
}

interface Value {
  readonly stringValue?: string
}
interface LogRecord {
  readonly severityText: string
  readonly eventName: string
  readonly attributes: readonly { readonly key: string; readonly value: Value }[]
}
interface Metric {
  readonly name: string
  readonly sum?: { readonly dataPoints: readonly Point[] }
  readonly histogram?: { readonly dataPoints: readonly Point[] }
}
interface Point {
  readonly asDouble?: number
  readonly count?: number
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
      const one = { path: request.url ?? '', headers: request.headers, text: Buffer.concat(chunks).toString() }
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
  const { port: listening } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${listening}`,
    port: listening,
    requests,
    close,
    answerWith(other: Reply) {
      answer = other
    },
    /** Returns the log records of the requests that were accepted. */
    logs: () => accepted.filter(({ path }) => path === '/v1/logs').flatMap(logsIn),
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

/** Returns an attribute that is text. */
export const attribute = (of: Pick<LogRecord, 'attributes'>, key: string) =>
  of.attributes.find((one) => one.key === key)?.value.stringValue
