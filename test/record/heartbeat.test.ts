import { mkdirSync, rmSync } from 'node:fs'
import { expect, it, vi } from 'vitest'
import { bundlesFolder, writePollState } from '../../src/bundle/machine/poll-state.ts'
import type { Heartbeat } from '../../src/model/heartbeat.ts'
import { openExporter } from '../../src/record/export/exporter.ts'
import { accept, attributesOf, replyWith, startCollector } from '../support/collector.ts'
import { exported, recordOf } from '../support/exported.ts'

const soon = { timeout: 120_000, interval: 20 }

const beatOf = (some: Partial<Heartbeat> = {}): Heartbeat => ({
  at: new Date().toISOString(),
  node: 'v24.0.0',
  startedAt: '2026-01-02T03:04:05.000Z',
  rules: { kind: 'loaded', count: 94, digest: '0123456789abcdef', selfProtection: true },
  waiting: 2,
  agents: {
    kind: 'seen',
    all: [
      { agent: 'claude-code', proof: 'proved' },
      { agent: 'cline', proof: 'broken' },
      { agent: 'codex', proof: 'absent' },
      { agent: 'droid', proof: 'absent' },
    ],
  },
  ...some,
})

it('says how the machine is: its agents, rules, record, versions and what waits, as a log record and as gauges', async () => {
  const collector = await startCollector()
  const record = exported()
  const atMs = Date.now() - 60_000
  await record.write(recordOf('a', { agent: 'codex' }, atMs), recordOf('b', { agent: 'claude-code' }))
  record.use({ otlp: { url: collector.url } })
  await record.isRunning()
  record.beat(beatOf())
  await vi.waitFor(() => expect(collector.heartbeats()).toHaveLength(1), soon)
  const [beat] = collector.heartbeats()
  expect(beat?.severityText).toBe('WARN')
  const attributes = attributesOf(beat ?? { attributes: [] })
  expect(attributes).toMatchObject({
    'hookgate.heartbeat.interval': 300,
    'hookgate.started': '2026-01-02T03:04:05.000Z',
    'process.runtime.version': 'v24.0.0',
    'hookgate.rules.count': 94,
    'hookgate.rules.digest': '0123456789abcdef',
    'hookgate.self_protection': true,
    'hookgate.approvals.waiting': 2,
    'hookgate.agents.proved': ['claude-code'],
    'hookgate.agents.broken': ['cline'],
    // It asked once, and is registered no more. Of droid nothing was ever heard.
    'hookgate.agents.absent': ['codex'],
    'hookgate.record.head': expect.stringMatching(/^2:[0-9a-f]{64}$/) as unknown,
    'hookgate.record.count': 2,
    'hookgate.record.removed': 0,
  })
  expect(JSON.parse(String(attributes['hookgate.agents']))).toContainEqual({
    agent: 'codex',
    proof: 'absent',
    lastEvent: new Date(atMs).toISOString(),
  })
  await vi.waitFor(() => expect(collector.metric('hookgate.agent.state')).toBeDefined(), soon)
  const states = collector.metric('hookgate.agent.state')?.gauge?.dataPoints.map(attributesOf)
  expect(states).toHaveLength(3)
  expect(states).toContainEqual({ 'gen_ai.agent.name': 'cline', 'hookgate.agent.proof': 'broken' })
  expect(collector.metric('hookgate.approvals.waiting')?.gauge?.dataPoints).toMatchObject([{ asDouble: 2 }])
  expect(collector.metric('hookgate.record.head')?.gauge?.dataPoints).toMatchObject([{ asDouble: 2 }])
})

it('says which signed rules the machine has, how fresh they are, and why it has no newer ones', async () => {
  const collector = await startCollector()
  const record = exported()
  const folder = bundlesFolder(record.folder)
  mkdirSync(folder, { mode: 0o700 })
  const release = { name: 'team', revision: 'r7', mode: 'observe', isNewest: false } as const
  const now = Date.now()
  const state = { channel: 'laptops', freshness: 'stale', freshUntilMs: now - 60_000, release, switched: [] } as const
  writePollState(folder, state, { problem: 'it answered 503', notes: [] }, now)
  await record.write('a')
  record.use({ otlp: { url: collector.url } })
  await record.isRunning()
  record.beat(beatOf())
  await vi.waitFor(() => expect(collector.heartbeats()).toHaveLength(1), soon)
  const common = {
    'hookgate.bundle.channel': 'laptops',
    'hookgate.bundle.freshness': 'stale',
    'hookgate.bundle.name': 'team',
    'hookgate.bundle.revision': 'r7',
    'hookgate.bundle.mode': 'observe',
    'hookgate.bundle.cohort': 'previous',
  }
  const [beat] = collector.heartbeats()
  const inLog = attributesOf(beat ?? { attributes: [] })
  expect(inLog).toMatchObject({ ...common, 'hookgate.bundle.problem': 'it answered 503' })
  await vi.waitFor(() => expect(collector.metric('hookgate.bundle.age')).toBeDefined(), soon)
  const [age] = collector.metric('hookgate.bundle.age')?.gauge?.dataPoints ?? []
  expect(age?.asDouble).toBeGreaterThanOrEqual(60)
  expect(attributesOf(age ?? { attributes: [] })).toEqual({ ...common, 'hookgate.bundle.failing': true })
  expect(collector.metric('hookgate.bundle.activated')?.gauge?.dataPoints).toMatchObject([
    { asDouble: Math.floor(now) / 1000 },
  ])
})

it('is sent where nothing is decided, without logs too, and by a gate whose rules do not load', async () => {
  const collector = await startCollector()
  const record = exported()
  record.use({ otlp: { url: collector.url, logs: false } })
  await record.isRunning()
  record.beat(beatOf({ rules: { kind: 'wrong', problem: 'hooks.json:1:1: no JSON' } }))
  await vi.waitFor(() => expect(collector.metric('hookgate.gate.info')).toBeDefined(), soon)
  expect(collector.metric('hookgate.gate.info')?.gauge?.dataPoints.map(attributesOf)).toEqual([
    { 'process.runtime.version': 'v24.0.0', 'hookgate.rules.digest': 'none' },
  ])
  expect(collector.requests.every(({ path }) => path === '/v1/metrics')).toBe(true)
})

it('that did not arrive is sent again, or the newer one in its place; the log says it once', async () => {
  const collector = await startCollector(replyWith(503))
  const record = exported()
  record.use({ otlp: { url: collector.url, metrics: false } })
  await record.isRunning()
  record.beat(beatOf({ waiting: 1 }))
  await vi.waitFor(() => expect(record.warnings).toEqual([expect.stringContaining('heartbeats do not arrive')]), soon)
  record.beat(beatOf({ waiting: 7 }))
  await vi.waitFor(() => expect(collector.requests.length).toBeGreaterThanOrEqual(2), soon)
  collector.answerWith(accept)
  await vi.waitFor(() => expect(collector.heartbeats()).toHaveLength(1), soon)
  expect(attributesOf(collector.heartbeats()[0] ?? { attributes: [] })['hookgate.approvals.waiting']).toBe(7)
  expect(record.warnings).toHaveLength(1)
})

it('is the last thing that an ending gate sends, and says why it ends', async () => {
  const collector = await startCollector()
  const record = exported()
  record.use({ otlp: { url: collector.url, metrics: false } })
  await record.isRunning()
  record.beat(beatOf({ ending: 'no requests for 1800 s' }))
  await record.close()
  expect(collector.heartbeats().map((one) => attributesOf(one)['hookgate.stopping'])).toEqual([
    'no requests for 1800 s',
  ])
})

it('quotes no path and no name that is not to be sent', async () => {
  const collector = await startCollector()
  const record = exported()
  record.use({ otlp: { url: collector.url }, fields: { path: 'drop' } })
  await record.isRunning()
  record.beat(
    beatOf({
      rules: { kind: 'wrong', problem: '/home/me/secret-plan/hooks.json:1:1: no JSON' },
      agents: { kind: 'unknown', problem: 'ENOENT: /home/me/secret-plan' },
    }),
  )
  await vi.waitFor(() => expect(collector.metric('hookgate.gate.info')).toBeDefined(), soon)
  expect(collector.heartbeats()).toHaveLength(1)
  expect(collector.requests.map(({ text }) => text).join('')).not.toContain('secret-plan')
})

it('shows by its head that the record was cut off', async () => {
  const collector = await startCollector()
  const record = exported()
  await record.write('a', 'b', 'c')
  record.use({ otlp: { url: collector.url, metrics: false } })
  await record.isRunning()
  record.beat(beatOf())
  await vi.waitFor(() => expect(collector.heartbeats()).toHaveLength(1), soon)
  for (const end of ['', '-wal', '-shm']) rmSync(`${record.file}${end}`, { force: true })
  await record.write('d')
  record.beat(beatOf())
  await vi.waitFor(() => expect(collector.heartbeats()).toHaveLength(2), soon)
  const heads = collector.heartbeats().map((one) => String(attributesOf(one)['hookgate.record.head']))
  expect(heads.map((head) => head.split(':')[0])).toEqual(['3', '1'])
})

it('goes nowhere without a collector', () => {
  const exporter = openExporter('/nowhere/decisions.db', {}, { warn: () => {}, info: () => {} })
  expect(exporter.takesHeartbeats()).toBe(false)
  exporter.use({ file: '/nowhere/lines.jsonl' })
  expect(exporter.takesHeartbeats()).toBe(false)
})
