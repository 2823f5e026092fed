import type { Attributes, Meter } from '@opentelemetry/api'
import type { PollState } from '../../bundle/machine/poll-state.ts'

/** Reports which machine has which signed rules, how fresh they are, and why it has no newer ones. */
export function addBundleGauges(meter: Meter, bundle: () => PollState | undefined): void {
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
