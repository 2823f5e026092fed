import { type Logger, SeverityNumber } from '@opentelemetry/api'
import type { Resource } from '@opentelemetry/resources'
import { LoggerProvider, type LogRecordProcessor, type ReadableLogRecord } from '@opentelemetry/sdk-logs'
import { agentProofs } from '../../model/heartbeat.ts'
import { limits } from '../../model/limits.ts'
import { toolWithCall } from '../../words/call-words.ts'
import type { DecisionRecord } from '../record.ts'
import type { AgentState, MachineState } from './resource.ts'
import type { ExportRow } from './rows.ts'

/** A log record before it is made. What is `undefined`, or an empty list, is left out. */
interface EmittedLog {
  readonly eventName: 'hookgate.decision' | 'hookgate.heartbeat'
  readonly at: Date
  readonly severityNumber: SeverityNumber
  readonly severityText: string
  readonly body: string
  readonly attributes: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>
}

/** Makes log records. They are sent by the caller, who knows when they have arrived. */
export interface LogRecords {
  of(logs: readonly EmittedLog[]): ReadableLogRecord[]
}

/** @param version hookgate's own */
export function openLogRecords(resource: Resource, version: string): LogRecords {
  let made: ReadableLogRecord[] = []
  const collecting: LogRecordProcessor = {
    onEmit: (record) => void made.push(record),
    forceFlush: async () => {},
    shutdown: async () => {},
  }
  const logger = new LoggerProvider({ resource, processors: [collecting] }).getLogger('hookgate', version)
  return {
    of(logs) {
      made = []
      for (const log of logs) emit(logger, log)
      return made
    },
  }
}

function emit(logger: Logger, { eventName, at, severityNumber, severityText, body, attributes }: EmittedLog): void {
  logger.emit({
    eventName,
    timestamp: at,
    observedTimestamp: new Date(),
    severityNumber,
    severityText,
    body,
    attributes: Object.fromEntries(
      Object.entries(attributes).flatMap(([name, value]) =>
        value === undefined || (Array.isArray(value) && value.length === 0) ? [] : [[name, value]],
      ),
    ),
  })
}

/** Makes the log record of a decision. */
export function decisionRecord({ record, head }: ExportRow): EmittedLog {
  const { agent = 'unknown agent', decision } = record
  const what = toolWithCall(record)
  return {
    eventName: 'hookgate.decision',
    at: new Date(record.at),
    ...severityOf(record),
    body: `${decision} for ${agent}: ${what}${record.reason === '' ? '' : ` (${record.reason})`}`,
    attributes: { ...attributesOf(record), 'hookgate.record.head': head },
  }
}

/** Refused calls and failed rules are what an operator looks for; only what hookgate could not decide is an error. */
function severityOf({ decision, evaluations, error }: DecisionRecord) {
  if (error !== undefined) return { severityNumber: SeverityNumber.ERROR, severityText: 'ERROR' }
  const hasFailed = evaluations.some(({ failure }) => failure !== undefined)
  if (decision === 'deny' || hasFailed) return { severityNumber: SeverityNumber.WARN, severityText: 'WARN' }
  return decision === 'ask'
    ? { severityNumber: SeverityNumber.INFO2, severityText: 'INFO2' }
    : { severityNumber: SeverityNumber.INFO, severityText: 'INFO' }
}

/** The names before `hookgate.` are those of the semantic conventions. */
function attributesOf(record: DecisionRecord): EmittedLog['attributes'] {
  const { evaluations, slowest, error } = record
  return {
    'log.record.uid': record.id,
    'session.id': record.session,
    'gen_ai.conversation.id': record.session,
    'gen_ai.agent.name': record.agent,
    'gen_ai.agent.id': record.agentId,
    'gen_ai.tool.name': record.toolName,
    'gen_ai.tool.call.id': record.call,
    'error.type': error?.code,
    'error.message': error?.message,
    'hookgate.event': record.event,
    'hookgate.tool.kind': record.tool,
    'hookgate.subject': record.subject,
    'hookgate.subject.altered': record.subjectAltered,
    'hookgate.rewritten.subject': record.rewritten?.subject,
    'hookgate.rewritten.by': record.rewritten?.by,
    'hookgate.project': record.project,
    'hookgate.cwd': record.cwd,
    'hookgate.decision': record.decision,
    'hookgate.told': record.told,
    'hookgate.refusal.id': record.refusal,
    'hookgate.reason': record.reason === '' ? undefined : record.reason,
    'hookgate.severity': record.severity,
    'hookgate.rules.determining': record.determining,
    'hookgate.rules.failed': evaluations.flatMap(({ ruleId, failure }) => (failure === undefined ? [] : [ruleId])),
    'hookgate.rules.observed': evaluations.flatMap(({ ruleId, observed }) => (observed === true ? [ruleId] : [])),
    'hookgate.rules.count': record.rules,
    'hookgate.rules.digest': record.rulesDigest,
    'hookgate.obligations': record.obligations,
    'hookgate.context.bytes': record.contextBytes,
    'hookgate.duration': record.durationMs / 1000,
    'hookgate.slowest.rule': slowest?.ruleId,
    'hookgate.slowest.duration': slowest === null ? undefined : slowest.durationMs / 1000,
    'hookgate.evaluations': evaluations.length === 0 ? undefined : JSON.stringify(evaluations),
    'hookgate.via': record.via,
    'hookgate.who': record.who,
    'hookgate.on_behalf_of': record.onBehalfOf,
    'hookgate.version': record.version,
  }
}

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
    attributes: heartbeatAttributes(state),
  }
}

function heartbeatAttributes({
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
