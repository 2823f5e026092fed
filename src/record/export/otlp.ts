import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { JsonLogsSerializer, JsonMetricsSerializer } from '@opentelemetry/otlp-transformer'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { version } from '../../files/version.ts'
import type { ExportSettings } from '../../model/export-settings.ts'
import { limits } from '../../model/limits.ts'
import { type CountedElsewhere, type DecisionMetrics, openDecisionMetrics } from './decision-metrics.ts'
import { isListed } from '../notable.ts'
import { type LogRecords, openLogRecords } from './log-records.ts'
import { type Poster, posterTo } from './post.ts'
import type { SendResult, ExportSink } from './send-rows.ts'
import { withoutEnd } from '../../model/text-ends.ts'

/**
 * Sends log records and metrics to a collector, as OTLP over HTTP in JSON.
 *
 * The SDK makes and encodes them. Its own exporters are not used: they do not say when to try again, and drop what a
 * queue in memory has no room for.
 */
export function otlpSinks(
  { url, headers = {}, logs = true, metrics = true }: NonNullable<ExportSettings['otlp']>,
  env: Readonly<Record<string, string>>,
  elsewhere: CountedElsewhere,
): readonly ExportSink[] {
  const ownVersion = version()
  const resource = resourceFromAttributes({
    'service.name': 'hookgate',
    'service.version': ownVersion,
    'service.instance.id': randomUUID(),
    'host.name': hostname(),
    'process.pid': process.pid,
  })
  const posterFor = (path: string) => posterTo(`${withoutEnd(url, '/')}${path}`, headers, env)
  return [
    ...(logs ? [logsSink(posterFor('/v1/logs'), openLogRecords(resource, ownVersion))] : []),
    ...(metrics ? [metricsSink(posterFor('/v1/metrics'), openDecisionMetrics(resource, ownVersion, elsewhere))] : []),
  ]
}

function logsSink(to: Poster, made: LogRecords): ExportSink {
  return {
    name: 'logs',
    everyMs: limits.exportPollMs,
    async send(rows, signal): Promise<SendResult> {
      const body = JsonLogsSerializer.serializeRequest(made.of(rows.map(({ record }) => record)))
      const bytes = new Uint8Array(body ?? [])
      if (bytes.length > limits.exportRequestBytesMax && rows.length > 1) {
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
    everyMs: limits.exportMetricsMs,
    async send(rows, signal): Promise<SendResult> {
      for (const { record } of rows) {
        if (!counted.has(record.id) && isListed(record)) metrics.add(record)
        counted.add(record.id)
      }
      const body = JsonMetricsSerializer.serializeRequest(await metrics.collect())
      const result = await to.post(new Uint8Array(body ?? []), signal)
      if (result.kind === 'sent') counted.clear()
      // The sums are what they are, whatever the rows.
      return result.kind === 'refused' ? { kind: 'retry', why: result.why } : result
    },
  }
}
