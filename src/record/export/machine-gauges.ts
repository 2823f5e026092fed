import type { Attributes, Meter } from '@opentelemetry/api'
import type { MachineState } from './machine-state.ts'

/** Reports how this machine is, as of the last heartbeat. No label has more values than there are agents or releases. */
export function addMachineGauges(meter: Meter, machine: () => MachineState | undefined): void {
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
