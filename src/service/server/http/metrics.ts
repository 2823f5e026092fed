import { readdirSync } from 'node:fs'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { AgentName, HookEvent } from '../../../model/event.ts'
import { HookgateError } from '../../../model/errors.ts'
import type { Verdict } from '../../../model/verdict.ts'

/** Why a request was rejected or abandoned without a decision. */
export type Rejection =
  | 'unauthorized'
  | 'foreign'
  | 'version'
  | 'otherRules'
  | 'malformed'
  | 'tooLarge'
  | 'tooSlow'
  | 'busy'
  | 'gone'

/**
 * The gate's metrics.
 *
 * INVARIANT: the values of every label are from a closed union: no input can create a new series.
 */
export interface Metrics {
  decided(event: HookEvent, verdict: Verdict, durationMs: number): void
  /** Counts events that the gate itself could not decide: rules that do not load, malformed events. */
  failed(agent: AgentName | undefined, error: unknown): void
  rejected(reason: Rejection): void
  /** Returns all metrics in the Prometheus text format. */
  text(): Promise<string>
  readonly contentType: string
}

/** @param inFlight returns the number of events being decided */
export function createMetrics(inFlight: () => number): Metrics {
  const registry = new Registry()
  const registers = [registry]
  const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    new Counter<Label>({ name, help, labelNames, registers })
  const decisions = counter('hookgate_decisions_total', 'Events that were decided.', ['agent', 'event', 'decision'])
  const ruleFailures = counter('hookgate_rule_failures_total', 'Hooks and policies that failed, by cause.', ['code'])
  const gateFailures = counter(
    'hookgate_gate_failures_total',
    'Events that the gate itself could not decide, and refused.',
    ['agent', 'code'],
  )
  const rejections = counter(
    'hookgate_rejected_requests_total',
    'Requests that were rejected before a decision, or abandoned by their client.',
    ['reason'],
  )
  const durations = new Histogram({
    name: 'hookgate_decision_duration_seconds',
    help: 'Time from receiving the whole event to answering it.',
    labelNames: ['agent'],
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  })
  addGauge(registry, 'hookgate_decisions_in_flight', 'Events being decided.', inFlight)
  addProcessMetrics(registry)

  return {
    decided({ agent, name }, { decision, evaluations }, durationMs) {
      decisions.inc({ agent, event: name, decision })
      durations.observe({ agent }, durationMs / 1000)
      for (const one of evaluations)
        if ('failure' in one && one.failure !== undefined) ruleFailures.inc({ code: one.failure.code })
    },
    failed(agent, error) {
      gateFailures.inc({ agent: agent ?? 'unknown', code: error instanceof HookgateError ? error.code : 'internal' })
    },
    rejected(reason) {
      rejections.inc({ reason })
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}

/** Adds a gauge that is read on each scrape; without a value while `read` returns `undefined`. */
function addGauge(registry: Registry, name: string, help: string, read: () => number | undefined): void {
  const gauge: Gauge = new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      const value = read()
      if (value !== undefined) gauge.set(value)
    },
  })
}

/**
 * Adds the standard Prometheus process metrics, read on each scrape. The library's own collector is not used: it
 * monitors the event loop with a timer that never stops, and an idle gate must cost no CPU.
 */
function addProcessMetrics(registry: Registry): void {
  const startedAtS = Math.round(Date.now() / 1000 - process.uptime())
  const add = (name: string, help: string, read: () => number | undefined) => addGauge(registry, name, help, read)
  add('process_start_time_seconds', 'When the process started, in seconds since the epoch.', () => startedAtS)
  add('process_resident_memory_bytes', 'Memory of the process, without its child processes.', () =>
    process.memoryUsage.rss(),
  )
  add('nodejs_heap_size_used_bytes', "Memory of JavaScript's objects.", () => process.memoryUsage().heapUsed)
  add('process_open_fds', 'Open file descriptors.', openDescriptors)
  let countedS = 0
  const cpu: Counter = new Counter({
    name: 'process_cpu_seconds_total',
    help: 'CPU time of the process, user and system.',
    registers: [registry],
    collect() {
      const { user, system } = process.cpuUsage()
      const nowS = (user + system) / 1e6
      cpu.inc(nowS - countedS)
      countedS = nowS
    },
  })
}

function openDescriptors(): number | undefined {
  try {
    return readdirSync('/proc/self/fd').length
  } catch {
    return undefined
  }
}
