import { spawn, spawnSync } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parser } from '@prometheus-io/lezer-promql'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { userName } from '../../src/files/home-folder.ts'
import { ExportEntry } from '../../src/model/export-settings.ts'
import { writePollState } from '../../src/bundle/machine/poll-state.ts'
import { attributesOf, type LogRecord, type Metric, resourceIn, startCollector } from '../support/collector.ts'
import { exported, recordOf } from '../support/exported.ts'
import { folderWith } from '../support/workspace.ts'
import { blocksOf, root } from './pages.ts'

const folder = join(root, 'examples/fleet')
const textOf = (name: string) => readFileSync(join(folder, name), 'utf8')
const yaml = (name: string): unknown => parse(textOf(name))

/** The names that the exporter really sends, as Prometheus and Loki have them. */
interface SentNames {
  readonly metrics: ReadonlySet<string>
  readonly labels: ReadonlySet<string>
  readonly fields: ReadonlySet<string>
  readonly logs: readonly LogRecord[]
  readonly all: readonly Metric[]
  readonly resource: Readonly<Record<string, string | undefined>>
}

const underscored = (name: string) => name.replaceAll(/[^A-Za-z0-9]+/g, '_')

/** Returns the names of a metric's series: OpenTelemetry's translation adds the unit, and says what is a sum. */
function seriesOf({ name, unit = '', sum, histogram }: Metric): readonly string[] {
  const units: Readonly<Record<string, string>> = { s: '_seconds', '1': '_ratio' }
  const base = `${underscored(name)}${unit.startsWith('{') ? '' : (units[unit] ?? '')}`
  if (histogram !== undefined) return ['_bucket', '_sum', '_count'].map((end) => `${base}${end}`)
  return [sum?.isMonotonic === true ? `${base}_total` : base]
}

const pointsOf = ({ gauge, sum, histogram }: Metric) => (gauge ?? sum ?? histogram)?.dataPoints ?? []

/** Has an exporter send everything that it can. */
async function namesSent(): Promise<SentNames> {
  const collector = await startCollector()
  const record = exported({ OTEL_RESOURCE_ATTRIBUTES: 'team=payments' })
  const bundles = join(record.folder, 'bundles')
  mkdirSync(bundles)
  chmodSync(bundles, 0o700)
  const release = { name: 'acme', revision: '1', mode: 'enforce', isNewest: true } as const
  const state = { channel: 'laptops', freshness: 'stale', freshUntilMs: 1, switched: [], release } as const
  writePollState(bundles, state, { problem: 'no route', notes: [] }, Date.now())
  record.use({ otlp: { url: collector.url }, from: 'start' })
  await record.isRunning()
  const observed = { ruleId: 'a', durationMs: 1, effect: 'deny', observed: true } as const
  const failed = { ruleId: 'b', durationMs: 1, failure: { code: 'badOutput', message: 'm' } } as const
  await record.write(
    recordOf('a', {
      decision: 'deny',
      told: 'deny',
      severity: 'critical',
      determining: ['x'],
      evaluations: [observed, failed],
      error: { code: 'internal', message: 'm' },
      refusal: 'abc234',
      call: 'c',
      slowest: { ruleId: 'x', durationMs: 1 },
    }),
  )
  record.beat({
    at: new Date().toISOString(),
    node: 'v24.0.0',
    startedAt: new Date().toISOString(),
    rules: { kind: 'loaded', count: 1, digest: 'd', selfProtection: true },
    waiting: 1,
    agents: {
      kind: 'seen',
      all: [
        { agent: 'codex', proof: 'proved' },
        { agent: 'cline', proof: 'broken' },
      ],
    },
  })
  await vi.waitFor(
    () => {
      const names = new Set(collector.metrics().map(({ name }) => name))
      expect([names.has('hookgate.observed'), names.has('hookgate.heartbeat.time')]).toEqual([true, true])
      expect(collector.logs()).toHaveLength(1)
      expect(collector.heartbeats()).toHaveLength(1)
    },
    { timeout: 120_000, interval: 50 },
  )
  const metrics = collector.metrics()
  // A user of a container may have no name, and sends none.
  const unnamed = userName() === undefined ? ['user.name'] : []
  const sentFirst = collector.requests[0] ?? { path: '', headers: {}, text: '{}' }
  const resource = [...Object.keys(resourceIn(sentFirst)), ...unnamed]
  const logs: readonly LogRecord[] = [...collector.logs(), ...collector.heartbeats()]
  const ofPoints = metrics.flatMap((metric) => pointsOf(metric).flatMap((point) => Object.keys(attributesOf(point))))
  return {
    metrics: new Set(metrics.flatMap(seriesOf)),
    labels: new Set([...ofPoints.map(underscored), ...promoted(resource), 'instance', 'job', 'le']),
    fields: new Set([...logs.flatMap((log) => Object.keys(attributesOf(log))), ...resource].map(underscored)),
    logs,
    all: metrics,
    resource: resourceIn(sentFirst),
  }
}

/** What is counted and goes on. What is lost or fails does not, so that the alerts about it stay silent. */
const isGrowing = (series: string) =>
  /_(?:total|bucket|sum|count)$/.test(series) && !/lost|dropped|failures/.test(series)

/**
 * Writes metrics as Prometheus reads them, with the labels that it would give them if it took OTLP.
 *
 * @param times how often all has happened by now
 */
function scrapedText({ all, resource }: Pick<SentNames, 'all' | 'resource'>, times: number): string {
  const own: readonly (readonly [label: string, value: unknown])[] = [
    ['instance', resource['service.instance.id']],
    ['job', resource['service.name']],
    ...promotedNames().map((name) => [underscored(name), resource[name]] as const),
  ]
  const line = (name: string, labels: object, value: number) => {
    const given = Object.entries(labels).filter(([, text]) => text !== undefined)
    return `${name}{${given.map(([key, text]) => `${key}=${JSON.stringify(String(text))}`).join(',')}} ${isGrowing(name) ? value * times : value}\n`
  }
  return all
    .flatMap((metric) => {
      const [first = '', sum = '', count = ''] = seriesOf(metric)
      return pointsOf(metric).flatMap((point) => {
        const attributes = Object.entries(attributesOf(point)).map(([key, value]) => [underscored(key), value] as const)
        const labels = Object.fromEntries<unknown>([...own, ...attributes])
        if (metric.histogram === undefined) return line(first, labels, point.asDouble ?? Number(point.asInt ?? 0))
        const { explicitBounds = [], bucketCounts = [] } = point
        let below = 0
        const buckets = bucketCounts.map((inBucket, at) => {
          below += Number(inBucket)
          return line(first, { ...labels, le: explicitBounds[at] ?? '+Inf' }, below)
        })
        const ends = [line(sum, labels, point.sum ?? 0), line(count, labels, point.count ?? 0)]
        return buckets.concat(ends)
      })
    })
    .join('')
}

/** Returns the attributes of a resource that the configuration of Prometheus makes labels. */
const promotedNames = () =>
  z
    .looseObject({ otlp: z.looseObject({ promote_resource_attributes: z.array(z.string()) }) })
    .parse(yaml('prometheus.yaml')).otlp.promote_resource_attributes

/** Returns the labels that Prometheus takes from the resource: those of its configuration that are sent. */
function promoted(resource: readonly string[]): readonly string[] {
  const names = promotedNames()
  expect(names.filter((name) => !resource.includes(name))).toEqual([])
  return names.map(underscored)
}

const Rules = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: z.string(),
      rules: z.array(
        z.strictObject({
          alert: z.string().regex(/^Hookgate\w+$/),
          expr: z.string(),
          for: z
            .string()
            .regex(/^\d+[mhd]$/)
            .optional(),
          labels: z.strictObject({ severity: z.enum(['info', 'warning', 'critical']) }),
          annotations: z.strictObject({ summary: z.string() }),
        }),
      ),
    }),
  ),
})
const rulesIn = (name: string) => Rules.parse(yaml(name)).groups.flatMap(({ rules }) => rules)

const Dashboard = z.looseObject({
  uid: z.string(),
  title: z.string(),
  panels: z.array(
    z.looseObject({
      id: z.int(),
      title: z.string(),
      type: z.string(),
      gridPos: z.strictObject({ x: z.int(), y: z.int(), w: z.int(), h: z.int() }),
      targets: z.array(
        z.looseObject({
          refId: z.string(),
          expr: z.string(),
          legendFormat: z.string(),
          datasource: z.strictObject({ type: z.enum(['prometheus', 'loki']), uid: z.string() }),
        }),
      ),
    }),
  ),
})
const dashboard = () => Dashboard.parse(JSON.parse(textOf('grafana/dashboard.json')))
const queries = (type: 'prometheus' | 'loki') =>
  dashboard().panels.flatMap(({ targets }) => targets.filter(({ datasource }) => datasource.type === type))

/** Words of both query languages. */
const words = new Set(
  (
    'sum count max min topk rate increase time vector histogram_quantile last_over_time max_over_time min_over_time ' +
    'count_over_time by on ignoring group_left and or unless'
  ).split(' '),
)
/** Returns the names in a query: all words but those of the language, texts, numbers and spans of time. */
const namesIn = (expr: string) =>
  new Set(
    (expr.replaceAll(/"[^"]*"|\[\d+[mhd]\]/g, '').match(/[A-Za-z_]\w*/g) ?? []).filter((name) => !words.has(name)),
  )
/** Returns the labels that a text for people shows. */
const labelsIn = (text: string) => [...text.matchAll(/\$labels\.(\w+)|\{\{(\w+)\}\}/g)].map(([, a, b]) => a ?? b ?? '')

const isInstalled = (program: string) =>
  ['--version', '-version'].some((flag) => spawnSync(program, [flag], { stdio: 'ignore' }).status === 0)
const portOf = (server: Server) => {
  const address = server.address()
  return typeof address === 'object' ? address?.port : undefined
}
/** Returns an address of this machine at which nothing listens. */
async function freeAddress(): Promise<string> {
  const free = createServer()
  await new Promise<void>((resolve) => free.listen(0, '127.0.0.1', resolve))
  const address = `127.0.0.1:${portOf(free)}`
  await new Promise((resolve) => free.close(resolve))
  return address
}

/** Starts a program that ends with the test. */
function startedProgram(program: string, flags: readonly string[], cwd: string): void {
  const running = spawn(program, flags, { cwd, stdio: 'ignore' })
  const ended = new Promise((resolve) => running.on('exit', resolve))
  onTestFinished(async () => {
    running.kill('SIGKILL')
    await ended
  })
}

const alerts = join(folder, 'alerts-prometheus.yaml')
/** Debian's stores take no OTLP yet: they fetch the same series. */
const scraping = (target: string) => ({
  scrape_configs: [{ job_name: 'hookgate', honor_labels: true, static_configs: [{ targets: [target] }] }],
})
const everySecond = { scrape_interval: '1s' }

interface StartedStore {
  readonly queriesAt: string
  readonly alertsAt: string
}

/** What Debian has for metrics, started with the example's own alerts. */
const stores: Readonly<
  Record<string, { readonly programs: readonly string[]; readonly start: (target: string) => Promise<StartedStore> }>
> = {
  Prometheus: {
    programs: ['prometheus', 'promtool'],
    async start(target) {
      const { otlp: _otlp, ...ours } = z.looseObject({}).parse(yaml('prometheus.yaml'))
      const global = { ...everySecond, evaluation_interval: '1s' }
      const config = { ...ours, global, rule_files: [alerts], ...scraping(target) }
      const own = folderWith({ 'prometheus.yaml': JSON.stringify(config) })
      expect(spawnSync('promtool', ['check', 'rules', alerts]).status).toBe(0)
      const address = await freeAddress()
      const flags = [`--config.file=${own}/prometheus.yaml`, `--storage.tsdb.path=${own}/data`]
      startedProgram('prometheus', [...flags, `--web.listen-address=${address}`], own)
      return { queriesAt: address, alertsAt: address }
    },
  },
  VictoriaMetrics: {
    programs: ['victoria-metrics', 'vmalert'],
    async start(target) {
      const own = folderWith({ 'scrape.yaml': JSON.stringify({ global: everySecond, ...scraping(target) }) })
      const [queriesAt, alertsAt] = [await freeAddress(), await freeAddress()]
      const flags = [`-promscrape.config=${own}/scrape.yaml`, `-storageDataPath=${own}/data`]
      // A query sees what came until now, not until half a minute ago.
      const latest = ['-search.latencyOffset=0s', '-search.disableCache']
      startedProgram('victoria-metrics', [...flags, ...latest, `-httpListenAddr=${queriesAt}`], own)
      const from = [`-datasource.url=http://${queriesAt}`, `-notifier.url=http://${queriesAt}`]
      const judging = [`-rule=${alerts}`, '-evaluationInterval=1s', `-httpListenAddr=${alertsAt}`]
      startedProgram('vmalert', [...from, ...judging], own)
      return { queriesAt, alertsAt }
    },
  },
}

const Found = z.looseObject({
  status: z.literal('success'),
  data: z.looseObject({ result: z.array(z.unknown()) }),
})
const Evaluated = z.looseObject({
  data: z.looseObject({
    groups: z.array(
      z.looseObject({
        rules: z.array(z.looseObject({ name: z.string(), state: z.string(), health: z.string() })),
      }),
    ),
  }),
})

let sending: Promise<SentNames> | undefined
/** Exports once: what was opened for it is closed with the first test that asks. */
const namesOnce = () => (sending ??= namesSent())

/** Returns where Prometheus would not understand a query: offsets in the text. */
function errorsIn(expr: string): readonly number[] {
  const errors: number[] = []
  parser.parse(expr).iterate({ enter: ({ type, from }) => void (type.isError && errors.push(from)) })
  return errors
}

const isBalanced = (expr: string) =>
  ['()', '{}', '[]'].every(([open = '', close = '']) => expr.split(open).length === expr.split(close).length)

describe('the example of one view', () => {
  it('has a dashboard and alerts that use only what the exporter sends to Prometheus', async () => {
    const sent = await namesOnce()
    const rules = rulesIn('alerts-prometheus.yaml')
    expect(rules.length).toBeGreaterThan(8)
    // The page that says when a roll-out may go on has queries too.
    const onPage = blocksOf('docs/rollout.md').filter(({ text }) => text.includes('hookgate_'))
    expect(onPage).toHaveLength(2)
    const exprs = [
      ...[...rules, ...queries('prometheus')].map(({ expr }) => expr),
      ...onPage.flatMap(({ text }) => text.trim().split(/\n(?=\S)/)),
    ]
    const used = exprs.map((expr) => [
      expr,
      [...namesIn(expr)].filter((name) => !sent.metrics.has(name) && !sent.labels.has(name)),
    ])
    expect(used.filter(([, unknown]) => unknown?.length !== 0)).toEqual([])
    expect(exprs.map((expr) => [expr, ...errorsIn(expr)])).toEqual(exprs.map((expr) => [expr]))
    const shown = [
      ...rules.map(({ annotations }) => annotations.summary),
      ...queries('prometheus').map((one) => one.legendFormat),
    ]
    expect(shown.flatMap(labelsIn).filter((name) => !sent.labels.has(name))).toEqual([])
  })

  it('has a dashboard and alerts that use only what the exporter sends to Loki', async () => {
    const sent = await namesOnce()
    const rules = rulesIn('alerts-loki.yaml')
    const exprs = [...rules, ...queries('loki')].map(({ expr }) => expr)
    expect(exprs.flatMap((expr) => [...namesIn(expr)]).filter((name) => !sent.fields.has(name))).toEqual([])
    expect(exprs.filter((expr) => !isBalanced(expr))).toEqual([])
    expect(rules.flatMap((one) => labelsIn(one.annotations.summary)).filter((name) => !sent.fields.has(name))).toEqual(
      [],
    )
  })

  it('queries values that labels really have', () => {
    const all = [...rulesIn('alerts-prometheus.yaml'), ...queries('prometheus')].map(({ expr }) => expr).join('\n')
    const proofs = [...all.matchAll(/hookgate_agent_proof=~?"([^"]+)"/g)].flatMap(([, value = '']) => value.split('|'))
    expect(new Set(proofs)).toEqual(new Set(['proved', 'broken', 'unproved', 'absent']))
  })

  it('has no label with a value of its own for each call', async () => {
    const sent = await namesOnce()
    const many = ['hookgate_subject', 'session_id', 'log_record_uid', 'hookgate_project', 'hookgate_reason']
    expect(many.filter((name) => sent.labels.has(name))).toEqual([])
    expect(
      many.filter((name) => !sent.fields.has(name) && name !== 'hookgate_project' && name !== 'hookgate_reason'),
    ).toEqual([])
  })

  it('shows panels beside each other, each with a number of its own', () => {
    const { panels } = dashboard()
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    const overlapping = panels.flatMap((a) =>
      panels.filter(
        (b) =>
          b.id > a.id &&
          a.gridPos.x < b.gridPos.x + b.gridPos.w &&
          b.gridPos.x < a.gridPos.x + a.gridPos.w &&
          a.gridPos.y < b.gridPos.y + b.gridPos.h &&
          b.gridPos.y < a.gridPos.y + a.gridPos.h,
      ),
    )
    expect(overlapping).toEqual([])
    expect(panels.filter(({ gridPos }) => gridPos.x + gridPos.w > 24)).toEqual([])
  })

  it('mounts only files that exist, and all that there are', () => {
    const { services, volumes } = z
      .strictObject({
        services: z.record(
          z.string(),
          z.looseObject({
            image: z.string().regex(/:v?\d+\.\d+\.\d+$/),
            volumes: z.array(z.string()),
            ports: z.array(z.string()).optional(),
          }),
        ),
        volumes: z.record(z.string(), z.strictObject({})),
      })
      .parse(yaml('compose.yaml'))
    const mounted = Object.values(services).flatMap((service) =>
      service.volumes.map((volume) => volume.split(':')[0] ?? ''),
    )
    const files = mounted.filter((source) => source.startsWith('./'))
    expect(files.filter((file) => !existsSync(join(folder, file)))).toEqual([])
    expect(mounted.filter((source) => !source.startsWith('./') && !(source in volumes))).toEqual([])
    const all = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('.'))
    const others = ['README.md', 'compose.yaml', 'hooks.json']
    expect(new Set([...files.map((file) => file.slice(2)), ...others])).toEqual(new Set(all))
    const published = Object.values(services).flatMap(({ ports = [] }) => ports)
    expect(published.every((port) => port.startsWith('127.0.0.1:'))).toBe(true)
  })

  it('has a collector that receives what hookgate sends, and names the services as they are called', async () => {
    const collector = z
      .strictObject({
        receivers: z.strictObject({
          otlp: z.strictObject({ protocols: z.strictObject({ http: z.strictObject({ endpoint: z.string() }) }) }),
        }),
        processors: z.strictObject({
          batch: z.strictObject({}),
          'filter/heartbeats': z.strictObject({ logs: z.strictObject({ log_record: z.array(z.string()).length(1) }) }),
        }),
        exporters: z
          .object({
            'file/heartbeats': z.strictObject({
              path: z.string(),
              rotation: z.strictObject({ max_megabytes: z.int(), max_backups: z.int() }),
            }),
          })
          .catchall(z.strictObject({ endpoint: z.string(), tls: z.strictObject({ insecure: z.literal(true) }) })),
        service: z.strictObject({
          pipelines: z.record(
            z.enum(['logs', 'metrics', 'logs/heartbeats']),
            z.strictObject({
              receivers: z.array(z.string()),
              processors: z.array(z.string()),
              exporters: z.array(z.string()),
            }),
          ),
        }),
      })
      .parse(yaml('collector.yaml'))
    const { pipelines } = collector.service
    for (const { receivers, processors, exporters } of Object.values(pipelines)) {
      expect(receivers.filter((name) => !(name in collector.receivers))).toEqual([])
      expect(processors.filter((name) => !(name in collector.processors))).toEqual([])
      expect(exporters.filter((name) => !(name in collector.exporters))).toEqual([])
    }
    const services = Object.keys(
      z.looseObject({ services: z.record(z.string(), z.unknown()) }).parse(yaml('compose.yaml')).services,
    )
    const { 'file/heartbeats': kept, ...sentTo } = collector.exporters
    const hosts = Object.values(sentTo).map(({ endpoint }) => new URL(endpoint).hostname)
    expect(hosts.filter((host) => !services.includes(host))).toEqual([])
    // Where Prometheus and Loki take OTLP.
    expect(Object.values(sentTo).map(({ endpoint }) => new URL(endpoint).pathname)).toEqual(['/api/v1/otlp', '/otlp'])
    // What `hookgate machines` reads is kept in a volume, and has heartbeats only.
    expect(textOf('compose.yaml')).toContain(`heartbeats:${dirname(kept.path)}'`)
    const [condition = ''] = collector.processors['filter/heartbeats'].logs.log_record
    const marking = /^attributes\["([\w.]+)"\] == nil$/.exec(condition)?.[1] ?? ''
    const { logs } = await namesOnce()
    const marked = logs.map((log) => [log.eventName, marking in attributesOf(log)])
    expect(new Map(marked.map(([name, has]) => [name, has]))).toEqual(
      new Map([
        ['hookgate.decision', false],
        ['hookgate.heartbeat', true],
      ]),
    )
    const { datasources } = z
      .looseObject({ datasources: z.array(z.looseObject({ uid: z.string(), url: z.string() })) })
      .parse(yaml('grafana/datasources.yaml'))
    expect(datasources.filter(({ url }) => !services.includes(new URL(url).hostname))).toEqual([])
    const used = dashboard().panels.flatMap(({ targets }) => targets.map(({ datasource }) => datasource.uid))
    expect(new Set(used)).toEqual(new Set(datasources.map(({ uid }) => uid)))
    for (const name of ['loki.yaml', 'prometheus.yaml', 'grafana/dashboards.yaml'])
      expect(yaml(name)).toBeTypeOf('object')
  })

  for (const [store, { programs, start }] of Object.entries(stores)) {
    it.skipIf(!programs.every(isInstalled))(
      `is started as far as Debian has it: ${store} takes the metrics, answers the dashboard and raises the alerts (needs ${programs.join(' and ')})`,
      async () => {
        const sent = await namesOnce()
        let times = 0
        const metrics = createServer((_, response) => response.end(scrapedText(sent, (times += 1))))
        await new Promise<void>((resolve) => metrics.listen(0, '127.0.0.1', resolve))
        onTestFinished(() => void metrics.close())
        const { queriesAt, alertsAt } = await start(`127.0.0.1:${portOf(metrics)}`)
        const answer = async (at: string, path: string): Promise<unknown> =>
          (await fetch(`http://${at}/api/v1/${path}`)).json()
        const found = async (expr: string) => {
          const { data } = Found.parse(await answer(queriesAt, `query?query=${encodeURIComponent(expr)}`))
          return data.result.length
        }
        await vi.waitFor(async () => expect(await found('hookgate_heartbeat_time_seconds')).toBe(1), {
          timeout: 300_000,
          interval: 200,
        })
        // What counts changes needs two samples.
        await vi.waitFor(
          async () => {
            const shown = await Promise.all(
              queries('prometheus').map(async ({ expr }) => [expr, await found(expr)] as const),
            )
            expect(shown.filter(([, series]) => series === 0)).toEqual([])
          },
          { timeout: 300_000, interval: 500 },
        )
        await vi.waitFor(
          async () => {
            const { data } = Evaluated.parse(await answer(alertsAt, 'rules'))
            const rules = data.groups.flatMap((group) => group.rules)
            expect(rules.filter(({ health }) => health !== 'ok')).toEqual([])
            const raised = rules
              .filter(({ state }) => state !== 'inactive')
              .map(({ name, state }) => `${name} ${state}`)
            expect(raised.toSorted()).toEqual([
              'HookgateAgentDoesNotAsk pending',
              'HookgateBundleFails pending',
              'HookgateQuestionWaits firing',
              'HookgateRulesStale firing',
            ])
          },
          { timeout: 300_000, interval: 500 },
        )
      },
    )
  }

  it('has a managed rules file whose settings of the export are accepted, as are those that the pages show', () => {
    const Shown = z.looseObject({ export: ExportEntry })
    Shown.parse(JSON.parse(textOf('hooks.json')))
    const onPages = [...blocksOf('docs/export.md'), ...blocksOf('examples/fleet/README.md')]
    const shown = onPages.filter(({ language, text }) => language === 'json' && text.includes('"export"'))
    expect(shown.map(({ text }) => Shown.safeParse(JSON.parse(text)).success)).toEqual([true, true])
  })
})
