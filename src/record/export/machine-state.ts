import type { PollState } from '../../bundle/machine/poll-state.ts'
import type { AskingProof, Heartbeat } from '../../model/heartbeat.ts'
import type { Redactor } from './redact.ts'
import type { RecordEnds } from './rows.ts'

/** An agent that is registered, or was: then the record has events of it. */
export interface AgentState {
  readonly agent: string
  readonly proof: AskingProof
  /** The moment of its last decision, ms since the epoch; absent if the record has none. */
  readonly lastEventMs?: number
}

/** A heartbeat with the record's head and the bundle, masked, as it is sent. */
export interface MachineState extends Pick<Heartbeat, 'at' | 'node' | 'startedAt' | 'waiting' | 'ending'> {
  readonly rules: Heartbeat['rules']
  /** Leaves out agents that were never registered and never sent an event. */
  readonly agents: readonly AgentState[]
  /** The reason why it is not known which agents ask. */
  readonly agentsProblem: string | undefined
  readonly bundle: PollState | undefined
  readonly record: RecordEnds | undefined
}

export function machineState(
  { agents, rules, ...beat }: Heartbeat,
  record: RecordEnds | undefined,
  bundle: PollState | undefined,
  redactor: Redactor,
): MachineState {
  const seen = agents.kind === 'seen' ? agents.all : []
  return {
    ...beat,
    rules: rules.kind === 'loaded' ? rules : { kind: 'wrong', problem: redactor.text(rules.problem) },
    agents: seen.flatMap(({ agent, proof }) => {
      const lastEventMs = record?.lastEventMs.get(agent)
      if (proof === 'absent' && lastEventMs === undefined) return []
      return [{ agent, proof, ...(lastEventMs !== undefined && { lastEventMs }) }]
    }),
    agentsProblem: agents.kind === 'unknown' ? redactor.text(agents.problem) : undefined,
    bundle: bundle?.problem === undefined ? bundle : { ...bundle, problem: redactor.text(bundle.problem) },
    record,
  }
}
