import { SeverityNumber } from '@opentelemetry/api'
import { agentProofs } from '../../model/heartbeat.ts'
import { limits } from '../../model/limits.ts'
import type { EmittedLog } from './log-records.ts'
import type { AgentState, MachineState } from './machine-state.ts'

const listedAgents = (all: readonly AgentState[]) => all.map(({ agent }) => agent).join(', ')

/** Makes the log record of a heartbeat. */
export function heartbeatRecord(state: MachineState): EmittedLog {
  const { agents, agentsProblem, rules, ending } = state
  const wrong = agents.filter(({ proof }) => proof === 'broken' || proof === 'absent')
  const isWell = wrong.length === 0 && agentsProblem === undefined && rules.kind === 'loaded'
  const asking = agents.filter(({ proof }) => proof === 'proved')
  const sentences = [
    ...(ending === undefined ? [] : [`the gate ends: ${ending}`]),
    ...(rules.kind === 'loaded' ? [] : [`its rules do not load: ${rules.problem}`]),
    ...(wrong.length === 0 ? [] : [`does not ask hookgate: ${listedAgents(wrong)}`]),
    ...(agentsProblem === undefined ? [] : [`which agents ask is unknown: ${agentsProblem}`]),
    asking.length === 0 ? 'no agent is known to ask hookgate' : `asks hookgate: ${listedAgents(asking)}`,
  ]
  return {
    eventName: 'hookgate.heartbeat',
    at: new Date(state.at),
    severityNumber: isWell ? SeverityNumber.INFO : SeverityNumber.WARN,
    severityText: isWell ? 'INFO' : 'WARN',
    body: sentences.join('; '),
    attributes: attributesOf(state),
  }
}

function attributesOf({
  agents,
  agentsProblem,
  rules,
  bundle,
  record,
  ...beat
}: MachineState): EmittedLog['attributes'] {
  const activated = bundle?.activated
  const byProof = agentProofs.map(
    (proof) =>
      [`hookgate.agents.${proof}`, agents.filter((one) => one.proof === proof).map(({ agent }) => agent)] as const,
  )
  return {
    'hookgate.heartbeat.interval': limits.heartbeatMs / 1000,
    'hookgate.stopping': beat.ending,
    'hookgate.started': beat.startedAt,
    'process.runtime.name': 'nodejs',
    'process.runtime.version': beat.node,
    'hookgate.rules.count': rules.kind === 'loaded' ? rules.count : undefined,
    'hookgate.rules.digest': rules.kind === 'loaded' ? rules.digest : undefined,
    'hookgate.rules.problem': rules.kind === 'loaded' ? undefined : rules.problem,
    'hookgate.self_protection': rules.kind === 'loaded' ? rules.selfProtection : undefined,
    'hookgate.approvals.waiting': beat.waiting,
    ...Object.fromEntries(byProof),
    'hookgate.agents': JSON.stringify(agents.map(withMoment)),
    'hookgate.agents.problem': agentsProblem,
    'hookgate.bundle.channel': bundle?.channel,
    'hookgate.bundle.freshness': bundle?.freshness,
    'hookgate.bundle.problem': bundle?.problem,
    'hookgate.bundle.name': activated?.name,
    'hookgate.bundle.revision': activated?.revision,
    'hookgate.bundle.mode': activated?.mode,
    'hookgate.bundle.cohort': activated && (activated.isNewest ? 'newest' : 'previous'),
    'hookgate.record.head': record?.head,
    'hookgate.record.count': record?.count,
    'hookgate.record.removed': record?.removed,
  }
}

const withMoment = ({ agent, proof, lastEventMs }: AgentState) => ({
  agent,
  proof,
  ...(lastEventMs !== undefined && { lastEvent: new Date(lastEventMs).toISOString() }),
})
