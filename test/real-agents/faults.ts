import { launches } from './launch/index.ts'
import type { Setup } from './setups.ts'
import type { Inside } from './world.ts'

/** What becomes of calls after a fault, and what `hookgate status AGENT` says of it. */
export interface Outcome {
  readonly harmless: 'runs' | 'refused'
  /** A call that a rule refuses. */
  readonly danger: 'runs' | 'refused'
  /** `asks`: that the agent asks hookgate, with exit code 0. */
  readonly status: 'asks' | 'does not ask'
  /** What `status` has to name. */
  readonly says?: RegExp
  /** The model is told why the rule refuses, as if nothing had happened. */
  readonly givesReason?: true
  /** The run ends at the first refusal, and exits with 0 as if it had done its work. */
  readonly endsRun?: true
}

/** Something that breaks around an agent that is guarded. */
export interface Fault {
  readonly title: string
  /** Breaks it, between two calls of one conversation. */
  readonly strike?: (inside: Inside) => void | Promise<void>
  /** The agent starts in a project whose settings switch its hooks off. */
  readonly inProject?: 'switchesHooksOff'
  /** `undefined` where the fault cannot happen. */
  readonly outcome: (setup: Setup) => Outcome | undefined
}

const decided: Outcome = { harmless: 'runs', danger: 'refused', status: 'asks' }
const refused: Outcome = { harmless: 'refused', danger: 'refused', status: 'does not ask' }
const unguarded: Outcome = { harmless: 'runs', danger: 'runs', status: 'does not ask' }

const endOf = ({ agent }: Setup): Pick<Outcome, 'endsRun'> =>
  launches[agent].unansweredEnds === true ? { endsRun: true } : {}

/** Each is one row: an agent that is added is tried with all of them. */
export const faults: readonly Fault[] = [
  {
    title: 'the gate is killed',
    strike: (inside) => inside.killGates(),
    outcome: ({ ifGateDies }) => (ifGateDies === 'decides' ? decided : { ...refused, status: 'asks' }),
  },
  {
    title: 'the gate’s socket is another program’s, which lets all pass',
    strike: (inside) => inside.takeSocket(),
    outcome: ({ needsClient }) => (needsClient ? decided : undefined),
  },
  {
    title: 'the socket is another program’s, and the client is in Node',
    async strike(inside) {
      inside.useNodeClient()
      await inside.takeSocket()
    },
    outcome: ({ needsClient, hasOtherFolder }) => (needsClient && !hasOtherFolder ? decided : undefined),
  },
  {
    title: 'the installation is moved away, and the gate goes on',
    strike: (inside) => inside.moveInstallation(),
    outcome: () => ({ ...decided, status: 'does not ask', says: /hookgate enable/, givesReason: true }),
  },
  {
    title: 'the installation is moved away, and the gate is killed',
    async strike(inside) {
      inside.moveInstallation()
      await inside.killGates()
    },
    outcome: () => ({ ...refused, says: /hookgate enable/ }),
  },
  {
    title: 'the file is gone that the agent was told to run',
    strike: (inside) => inside.removeToolHook(),
    outcome: ({ needsClient, withoutFile }) => {
      if (!needsClient) return undefined
      return withoutFile === 'runs' ? unguarded : { ...refused, says: /hookgate enable/ }
    },
  },
  {
    title: 'that file is gone where another part of the agent reads it',
    strike: (inside) => inside.removeOtherHook(),
    outcome: ({ hasOtherFolder }) => (hasOtherFolder ? { ...decided, status: 'does not ask' } : undefined),
  },
  {
    title: 'the client is gone',
    strike: (inside) => inside.removeClients(),
    // By HTTP, a tool's event needs no client, and others do.
    outcome: (setup) =>
      setup.needsClient
        ? { ...refused, ...endOf(setup), says: /hookgate enable/ }
        : { ...decided, status: 'does not ask', says: /hookgate enable/ },
  },
  {
    title: 'the client is gone, and the gate is killed',
    async strike(inside) {
      inside.removeClients()
      await inside.killGates()
    },
    outcome: (setup) => ({ ...refused, ...endOf(setup), says: /hookgate enable/ }),
  },
  {
    title: 'the settings of the project switch hooks off',
    inProject: 'switchesHooksOff',
    outcome: ({ switchesOff }) =>
      switchesOff ? { ...unguarded, says: /^ {2}but .*settings\.json|config\.toml/m } : undefined,
  },
]
