import { type } from 'node:os'
import { posix, win32 } from 'node:path'
import type { Severity } from '../../model/effect.ts'
import type { ToolKind } from '../../model/event.ts'
import { mcpParts } from '../../model/tool-kinds.ts'
import { toolWithCall } from '../../words/call-words.ts'
import type { StoredDecision } from '../read.ts'
import type { DecisionRecord } from '../record.ts'

/** The version of the schema that events follow. */
const ocsfVersion = '1.9.0'

/** The machine and account of a record, which its rows do not repeat. */
interface OcsfOrigin {
  readonly hostname: string
  /** The machine's id, as an export sends it. */
  readonly device: string
  readonly user: string | undefined
  /** Returns the name of an agent as people write it. */
  readonly titleOf: (agent: string) => string
}

/**
 * Returns an event of the Open Cybersecurity Schema Framework: a refusal is a Detection Finding, anything else the
 * activity that the call is.
 */
export function ocsfEvent({ seq, record, ran }: StoredDecision, origin: OcsfOrigin): Readonly<Record<string, unknown>> {
  const activity = activityOf(record)
  const isRefused = (record.told ?? record.decision) === 'deny'
  const shared = {
    time: Date.parse(record.at),
    ...severityOf(record, isRefused),
    ...agentOutcome(record),
    message: messageOf(record),
    metadata: metadataOf(record, seq),
    device: deviceOf(origin),
    actor: actorOf(record, origin),
    ...policyOf(record),
    ...(ran?.durationMs !== undefined && { duration: Math.round(ran.durationMs) }),
    unmapped: unmappedOf(record),
  }
  return isRefused
    ? { ...findingOf(record, activity, origin), ...shared }
    : { ...classOf(activity), ...statusOf(ran), ...shared, ...activity.objects, ...endpointOf(activity, origin) }
}

function classOf({ of, activity_id, activity_name }: Activity) {
  return { ...of, activity_id, activity_name, type_uid: of.class_uid * 100 + activity_id }
}

function findingOf(record: DecisionRecord, activity: Activity, origin: OcsfOrigin) {
  const { id, reason, determining, severity, at } = record
  const [rule] = determining
  const time = Date.parse(at)
  return {
    class_uid: 2004,
    class_name: 'Detection Finding',
    category_uid: 2,
    category_name: 'Findings',
    activity_id: 1,
    activity_name: 'Create',
    type_uid: 200401,
    status_id: 1,
    status: 'New',
    is_alert: severity === 'high' || severity === 'critical',
    finding_info: {
      uid: id,
      title: rule === undefined ? 'hookgate could not decide' : `${rule} refused a call`,
      ...(reason !== '' && { desc: reason }),
      created_time: time,
      types: [activity.of.class_name],
      ...(rule !== undefined && { analytic: { uid: rule, name: rule, type_id: 1, type: 'Rule' } }),
    },
    evidences: [{ ...activity.objects, device: deviceOf(origin) }],
  }
}

/** Network events, and those of interfaces, name where they come from. */
const endpointOf = ({ of }: Activity, { hostname, device }: OcsfOrigin) =>
  of.category_uid === 1 ? {} : { src_endpoint: { hostname, uid: device } }

const severities: Readonly<Record<Severity, readonly [number, string]>> = {
  low: [2, 'Low'],
  medium: [3, 'Medium'],
  high: [4, 'High'],
  critical: [5, 'Critical'],
}

function severityOf({ severity }: DecisionRecord, isRefused: boolean) {
  const [severity_id, name] =
    severity === undefined ? (isRefused ? severities.medium : informational) : severities[severity]
  return { severity_id, severity: name }
}
const informational = [1, 'Informational'] as const

const outcome = (action: readonly [number, string], disposition: readonly [number, string]) => ({
  action_id: action[0],
  action: action[1],
  disposition_id: disposition[0],
  disposition: disposition[1],
})

/** The outcome for the agent: a question that it cannot ask is a refusal. */
function agentOutcome({ decision, told = decision, approval, evaluations }: DecisionRecord) {
  if (told === 'deny') return outcome(denied, [2, 'Blocked'])
  if (told === 'ask' || told === 'defer') return outcome([0, 'Unknown'], [23, 'Challenge'])
  if (approval?.outcome === 'approved') return outcome(allowed, [8, 'Approved'])
  if (evaluations.some(({ observed }) => observed)) return outcome(allowed, [17, 'Logged'])
  return told === 'allow' ? outcome(allowed, [1, 'Allowed']) : outcome(allowed, [16, 'No Action'])
}
const allowed = [1, 'Allowed'] as const
const denied = [2, 'Denied'] as const

/** Says how the call ended, if the agent reported it. */
function statusOf(ran: StoredDecision['ran']) {
  if (ran === undefined) return { status_id: 0, status: 'Unknown' }
  const detail = ran.error === undefined ? {} : { status_detail: ran.error }
  return ran.succeeded ? { status_id: 1, status: 'Success' } : { status_id: 2, status: 'Failure', ...detail }
}

function messageOf(record: DecisionRecord): string {
  const { decision, told = decision, agent, reason } = record
  const what = toolWithCall(record)
  return `${told} for ${agent ?? 'an unknown agent'}: ${what}${reason === '' ? '' : ` (${reason})`}`
}

const metadataOf = ({ id, at, version, session, event }: DecisionRecord, seq: number) => ({
  version: ocsfVersion,
  product: { name: 'hookgate', vendor_name: 'hookgate', version },
  profiles: ['host', 'security_control'],
  uid: id,
  sequence: seq,
  log_name: 'decisions',
  original_time: at,
  ...(event !== undefined && { event_code: event }),
  ...(session !== undefined && { correlation_uid: session }),
})

const deviceOf = ({ hostname, device }: OcsfOrigin) => ({
  hostname,
  uid: device,
  type_id: 0,
  type: 'Unknown',
  os: { name: type(), ...(systems[process.platform] ?? { type_id: 99, type: process.platform }) },
})

const systems: Readonly<Record<string, { readonly type_id: number; readonly type: string }>> = {
  win32: { type_id: 100, type: 'Windows' },
  linux: { type_id: 200, type: 'Linux' },
  darwin: { type_id: 300, type: 'macOS' },
}

const actorOf = ({ agent, session, agentId }: DecisionRecord, { user, titleOf }: OcsfOrigin) => ({
  app_name: agent === undefined ? 'unknown agent' : titleOf(agent),
  app_uid: agentId ?? agent ?? 'unknown',
  ...(session !== undefined && { session: { uid: session } }),
  ...(user !== undefined && { user: { name: user, type_id: 1, type: 'User' } }),
})

function policyOf({ determining, rulesDigest }: DecisionRecord) {
  const [rule] = determining
  return rule === undefined
    ? {}
    : { policy: { name: rule, uid: rule, ...(rulesDigest !== undefined && { version: rulesDigest }) } }
}

/** Parts of a record that the schema has no attribute for. */
const unmappedOf = ({ decision, told, refusal, project, cwd, via, ...one }: DecisionRecord) => ({
  decision,
  via,
  determining: one.determining,
  rules: one.rules,
  decision_ms: one.durationMs,
  ...(told !== undefined && { told }),
  ...(refusal !== undefined && { refusal }),
  ...(project !== undefined && { project }),
  ...(cwd !== undefined && { cwd }),
  ...(one.error && { error: one.error }),
  ...(one.evaluations.length > 0 && { evaluations: one.evaluations }),
})

/** The classes of OCSF in which a call is reported. */
const classes = {
  process: { class_uid: 1007, class_name: 'Process Activity', category_uid: 1, category_name: 'System Activity' },
  file: { class_uid: 1001, class_name: 'File System Activity', category_uid: 1, category_name: 'System Activity' },
  http: { class_uid: 4002, class_name: 'HTTP Activity', category_uid: 4, category_name: 'Network Activity' },
  api: { class_uid: 6003, class_name: 'API Activity', category_uid: 6, category_name: 'Application Activity' },
} as const

/** The class of an event for what its call would do, and the objects by which that class describes it. */
interface Activity {
  readonly of: (typeof classes)[keyof typeof classes]
  readonly activity_id: number
  readonly activity_name: string
  readonly objects: Readonly<Record<string, unknown>>
}

/** Returns the activity of a call by its kind of tool. What is no call is one of the agent's own interface. */
function activityOf(record: DecisionRecord): Activity {
  const { tool } = record
  switch (tool) {
    case 'shell':
      return { of: classes.process, ...launch, objects: { process: processOf(record) } }
    case 'read':
    case 'write':
    case 'edit':
    case 'search':
    case 'list':
      return { of: classes.file, ...fileActivities[tool], objects: { file: fileOf(record, tool) } }
    case 'fetch':
    case 'websearch':
    case 'browser':
      return { of: classes.http, ...httpActivities[tool], objects: { http_request: { url: urlOf(record) } } }
    case 'agent':
    case 'mcp':
    case 'other':
    case undefined:
      return { of: classes.api, activity_id: 99, activity_name: 'Call', objects: { api: apiOf(record) } }
  }
}

const launch = { activity_id: 1, activity_name: 'Launch' }
type FileTool = Extract<ToolKind, 'read' | 'write' | 'edit' | 'search' | 'list'>
const fileActivities: Readonly<Record<FileTool, Pick<Activity, 'activity_id' | 'activity_name'>>> = {
  write: { activity_id: 1, activity_name: 'Create' },
  read: { activity_id: 2, activity_name: 'Read' },
  edit: { activity_id: 3, activity_name: 'Update' },
  search: { activity_id: 99, activity_name: 'Search' },
  list: { activity_id: 99, activity_name: 'List' },
}
const httpActivities: Readonly<
  Record<Extract<ToolKind, 'fetch' | 'websearch' | 'browser'>, Pick<Activity, 'activity_id' | 'activity_name'>>
> = {
  fetch: { activity_id: 3, activity_name: 'Get' },
  websearch: { activity_id: 99, activity_name: 'Search' },
  browser: { activity_id: 99, activity_name: 'Browse' },
}

const processOf = ({ id, call, subject }: DecisionRecord) => ({
  // The process has not started, so only the call's id can name it.
  uid: call ?? id,
  ...(subject !== undefined && { cmd_line: subject }),
})

function fileOf({ subject, toolName }: DecisionRecord, tool: FileTool) {
  const name = subject === undefined ? '' : (subject.includes('\\') ? win32 : posix).basename(subject)
  const kind = { read: regularFile, write: regularFile, edit: regularFile, search: unknownFile, list: folder }[tool]
  return { name: name === '' ? (subject ?? toolName ?? 'unknown') : name, ...kind, ...(subject && { path: subject }) }
}
const unknownFile = { type_id: 0, type: 'Unknown' }
const regularFile = { type_id: 1, type: 'Regular File' }
const folder = { type_id: 2, type: 'Folder' }

function urlOf({ subject = '' }: DecisionRecord) {
  const { hostname = '', protocol = '', pathname = '', port = '' } = URL.parse(subject) ?? {}
  return {
    url_string: subject === '' ? 'unknown' : subject,
    ...(hostname !== '' && { hostname, scheme: protocol.replace(/:$/, ''), path: pathname }),
    ...(port !== '' && { port: Number(port) }),
  }
}

function apiOf({ toolName, event, tool, call, subject }: DecisionRecord) {
  const [server, operation] = mcpParts(toolName ?? '') ?? []
  return {
    operation: operation ?? toolName ?? event ?? 'unknown',
    ...(server !== undefined && { service: { name: server } }),
    ...(tool === undefined && toolName === undefined && { service: { name: 'agent' } }),
    ...(call !== undefined && { request: { uid: call, ...(subject && { data: { subject } }) } }),
  }
}
