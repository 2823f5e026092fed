import { JsonLogsSerializer, JsonMetricsSerializer } from '@opentelemetry/otlp-transformer'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { version } from '../../files/program-files.ts'
import type { ExportSettings } from '../../model/export-settings.ts'
import { limits } from '../../model/limits.ts'
import { type CountedElsewhere, type DecisionMetrics, openDecisionMetrics } from './decision-metrics.ts'
import { isListed } from '../filter.ts'
import { decisionRecord, heartbeatRecord, type LogRecords, openLogRecords } from './log-records.ts'
import type { MachineState } from './resource.ts'
import { type Poster, posterTo } from './post.ts'
import type { SendResult, ExportSink } from './send-rows.ts'
import { withoutEnd } from '../../model/text.ts'

/** How often metrics are sent. Four times as often as is usual, since a gate may end soon. */
const exportMetricsMs = 15_000

/** Bytes of one request: below what collectors and the proxies in front of them accept by default. */
const exportRequestBytesMax = 1024 * 1024

/** A collector: sinks for what the record has, and a way to send a heartbeat. */
export interface Collector {
  readonly sinks: readonly ExportSink[]
  beat(state: MachineState, signal: AbortSignal): Promise<SendResult>
}

/**
 * Sends log records and metrics to a collector, as OTLP over HTTP in JSON.
 *
 * The SDK makes and encodes them. Its own exporters are not used: they do not say when to try again, and drop what a
 * queue in memory has no room for.
 */
export function openCollector(
  otlp: NonNullable<ExportSettings['otlp']>,
  env: Readonly<Record<string, string>>,
  attributes: Readonly<Record<string, string>>,
  elsewhere: Omit<CountedElsewhere, 'machine'>,
): Collector {
  const { url, logs = true, metrics = true } = otlp
  const ownVersion = version()
  const resource = resourceFromAttributes({ ...attributes })
  const posterFor = (path: string) => posterTo(`${withoutEnd(url, '/')}${path}`, otlp, env)
  let machine: MachineState | undefined
  const made = openLogRecords(resource, ownVersion)
  const toLogs = posterFor('/v1/logs')
  const counted = metrics
    ? metricsSink(
        posterFor('/v1/metrics'),
        openDecisionMetrics(resource, ownVersion, { ...elsewhere, machine: () => machine }),
      )
    : undefined
  return {
    sinks: [...(logs ? [logsSink(toLogs, made)] : []), ...(counted ? [counted] : [])],
    async beat(state, signal) {
      machine = state
      const bytes = JsonLogsSerializer.serializeRequest(made.of([heartbeatRecord(state)]))
      const inLogs = logs ? await toLogs.post(new Uint8Array(bytes ?? []), signal) : nothingToSend
      const inMetrics = (await counted?.send([], signal)) ?? nothingToSend
      return inLogs.kind === 'sent' ? inMetrics : inLogs
    },
  }
}

const nothingToSend: SendResult = { kind: 'sent', refused: 0 }

function logsSink(to: Poster, made: LogRecords): ExportSink {
  return {
    name: 'logs',
    everyMs: limits.exportPollMs,
    async send(rows, signal): Promise<SendResult> {
      const body = JsonLogsSerializer.serializeRequest(made.of(rows.map(decisionRecord)))
      const bytes = new Uint8Array(body ?? [])
      if (bytes.length > exportRequestBytesMax && rows.length > 1) {
        return { kind: 'refused', why: 'they are too many for one request' }
      }
      return to.post(bytes, signal)
    },
  }
}

function metricsSink(to: Poster, metrics: DecisionMetrics): ExportSink {
  /** Records that are counted, although their sending failed. */
  const counted = new Set<string>()
  return {
    name: 'metrics',
    everyMs: exportMetricsMs,
    async send(rows, signal): Promise<SendResult> {
      for (const { record } of rows) {
        if (!counted.has(record.id) && isListed(record)) metrics.add(record)
        counted.add(record.id)
      }
      const body = JsonMetricsSerializer.serializeRequest(await metrics.collect())
      const result = await to.post(new Uint8Array(body ?? []), signal)
      if (result.kind === 'sent' && rows.length > 0) counted.clear()
      // The sums are what they are, whatever the rows.
      return result.kind === 'refused' ? { kind: 'retry', why: result.why } : result
    },
  }
}
