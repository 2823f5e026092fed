import type { Attributes, Meter } from '@opentelemetry/api'
import type { Resource } from '@opentelemetry/resources'
import { MeterProvider, MetricReader, type ResourceMetrics } from '@opentelemetry/sdk-metrics'
import type { PollState } from '../../bundle/machine/poll-state.ts'
import { restricts } from '../../model/effect.ts'
import type { DecisionRecord } from '../record.ts'
import type { MachineState } from './resource.ts'
import type { SinkState } from './send-rows.ts'

/** Counts decisions, from the start of the exporter. */
export interface DecisionMetrics {
  add(record: DecisionRecord): void
  collect(): Promise<ResourceMetrics>
}

/** Figures that are counted elsewhere. */
export interface CountedElsewhere {
  /** The number of decisions that the record has lost. */
  readonly lostDecisions: () => number
  readonly states: () => readonly SinkState[]
  /** Returns the result of the last look for a bundle; `undefined` if no channel is followed. */
  readonly bundle: () => PollState | undefined
  /** Returns how this machine is; `undefined` before the first heartbeat. */
  readonly machine: () => MachineState | undefined
}

/** Bounds in seconds. A decision takes milliseconds, one with hooks tens or hundreds, and 30 s at most. */
const bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** A reader that reads on demand: the caller sends, and knows when it has arrived. */
class AskedReader extends MetricReader {
  protected override async onShutdown(): Promise<void> {}
  protected override async onForceFlush(): Promise<void> {}
}

export function openDecisionMetrics(
  resource: Resource,
  version: string,
  { lostDecisions, states, bundle, machine }: CountedElsewhere,
): DecisionMetrics {
  const reader = new AskedReader()
  const meter = new MeterProvider({ resource, readers: [reader] }).getMeter('hookgate', version)
  const decisions = meter.createCounter('hookgate.decisions', { unit: '{decision}', description: 'Decisions.' })
  const durations = meter.createHistogram('hookgate.decision.duration', {
    unit: 's',
    description: 'From the receipt of an event to its answer.',
    advice: { explicitBucketBoundaries: bounds },
  })
  const observed = meter.createCounter('hookgate.observed', {
    unit: '{decision}',
    description: 'Calls that a rule in observe mode would have refused, or asked about.',
  })
  const failures = meter.createCounter('hookgate.failures', {
    unit: '{failure}',
    description: 'Rules that failed, and events that hookgate could not decide.',
  })
  const lostBefore = lostDecisions()
  meter
    .createObservableCounter('hookgate.record.lost', {
      unit: '{decision}',
      description: 'Decisions that could not be recorded.',
    })
    .addCallback((result) => result.observe(Math.max(0, lostDecisions() - lostBefore)))
  addBundleGauges(meter, bundle)
  addMachineGauges(meter, machine)
  const droppedBefore = new Map(states().map((state) => [state.name, droppedBy(state)]))
  meter
    .createObservableCounter('hookgate.export.dropped', {
      unit: '{decision}',
      description:
        'Recorded decisions that were not sent: refused, or removed for their age before they could be sent.',
    })
    .addCallback((result) => {
      for (const state of states()) {
        const dropped = droppedBy(state) - (droppedBefore.get(state.name) ?? 0)
        result.observe(Math.max(0, dropped), { 'hookgate.export.destination': state.name })
      }
    })
  return {
    add({ agent = 'unknown', event = 'unknown', decision, durationMs, evaluations, error }) {
      decisions.add(1, { 'gen_ai.agent.name': agent, 'hookgate.event': event, 'hookgate.decision': decision })
      durations.record(durationMs / 1000, { 'gen_ai.agent.name': agent, 'hookgate.event': event })
      const would = evaluations.flatMap(({ observed: only, effect }) => (only && restricts(effect) ? [effect] : []))
      if (would.length > 0) {
        observed.add(1, { 'gen_ai.agent.name': agent, 'hookgate.decision': would.includes('deny') ? 'deny' : 'ask' })
      }
      for (const { failure } of evaluations) if (failure !== undefined) failures.add(1, { 'error.type': failure.code })
      if (error !== undefined) failures.add(1, { 'error.type': error.code })
    },
    async collect() {
      return (await reader.collect()).resourceMetrics
    },
  }
}

const droppedBy = ({ refused, removed }: SinkState) => refused + removed

/** Reports which machine has which signed rules, how fresh they are, and why it has no newer ones. */
function addBundleGauges(meter: Meter, bundle: () => PollState | undefined): void {
  const observe = (value: (state: PollState) => number | undefined) => (result: GaugeResult) => {
    const state = bundle()
    const measured = state === undefined ? undefined : value(state)
    if (state !== undefined && measured !== undefined) result.observe(measured, attributesOf(state))
  }
  meter
    .createObservableGauge('hookgate.bundle.activated', {
      unit: 's',
      description: 'When the release in force was put into force, in seconds since the epoch; 0 if none is.',
    })
    .addCallback(observe(({ activated }) => (activated === undefined ? 0 : Date.parse(activated.at) / 1000)))
  meter
    .createObservableGauge('hookgate.bundle.age', {
      unit: 's',
      description: 'Time since what the server says has expired; negative while it holds.',
    })
    .addCallback(observe(({ freshUntilMs }) => freshUntilMs && (Date.now() - freshUntilMs) / 1000))
}

interface GaugeResult {
  observe(value: number, attributes: Attributes): void
}

function attributesOf({ channel, freshness, activated, problem }: PollState): Attributes {
  return {
    'hookgate.bundle.channel': channel,
    'hookgate.bundle.freshness': freshness,
    'hookgate.bundle.failing': problem !== undefined,
    ...(activated !== undefined && {
      'hookgate.bundle.name': activated.name,
      'hookgate.bundle.revision': activated.revision,
      'hookgate.bundle.mode': activated.mode,
      'hookgate.bundle.cohort': activated.isNewest ? 'newest' : 'previous',
    }),
  }
}

/** Reports how this machine is, as of the last heartbeat. No label has more values than there are agents or releases. */
function addMachineGauges(meter: Meter, machine: () => MachineState | undefined): void {
  const gauge = (
    name: string,
    unit: string,
    description: string,
    points: (state: MachineState) => readonly Point[],
  ) => {
    meter.createObservableGauge(name, { unit, description }).addCallback((result) => {
      const state = machine()
      for (const { value, attributes } of state === undefined ? [] : points(state)) result.observe(value, attributes)
    })
  }
  gauge(
    'hookgate.heartbeat.time',
    's',
    'When this machine last said how it is, in seconds since the epoch.',
    (state) => [
      { value: Date.parse(state.at) / 1000, attributes: { 'hookgate.stopping': state.ending !== undefined } },
    ],
  )
  gauge('hookgate.gate.info', '', 'The versions and rules of this machine; always 1.', ({ node, rules }) => [
    {
      value: 1,
      attributes: {
        'process.runtime.version': node,
        ...(rules.kind === 'loaded'
          ? { 'hookgate.rules.digest': rules.digest, 'hookgate.self_protection': rules.selfProtection }
          : { 'hookgate.rules.digest': 'none' }),
      },
    },
  ])
  gauge('hookgate.agent.state', '', 'Whether an agent asks hookgate; always 1.', ({ agents }) =>
    agents.map(({ agent, proof }) => ({
      value: 1,
      attributes: { 'gen_ai.agent.name': agent, 'hookgate.agent.proof': proof },
    })),
  )
  gauge('hookgate.agent.last_event', 's', 'When an agent last asked, in seconds since the epoch.', ({ agents }) =>
    agents.flatMap(({ agent, lastEventMs }) =>
      lastEventMs === undefined ? [] : [{ value: lastEventMs / 1000, attributes: { 'gen_ai.agent.name': agent } }],
    ),
  )
  gauge('hookgate.approvals.waiting', '{call}', 'Calls that wait for a person.', ({ waiting }) => [
    { value: waiting, attributes: {} },
  ])
  gauge('hookgate.record.head', '{decision}', 'The number of the last decision in the record.', ({ record }) =>
    record === undefined ? [] : [{ value: record.headSeq, attributes: {} }],
  )
}

interface Point {
  readonly value: number
  readonly attributes: Attributes
}
