import { encodeCall, encodeOwnCall, type NeutralCall } from '../../agents/neutral-call.ts'
import { descriptorOf } from '../../agents/registry.ts'
import { homeFolder } from '../../files/home-folder.ts'
import { HookgateError } from '../../model/errors.ts'
import type { PastCall, PastItem } from '../../model/event.ts'
import { toolCarries } from '../../model/tool-kinds.ts'
import type { DecisionFilter } from '../../record/filter.ts'
import { type DecisionReader, openReader, type StoredDecision } from '../../record/read.ts'
import type { DecisionRecord } from '../../record/record.ts'
import { isAtOrBelow } from '../../words/machine-paths.ts'
import type { ReplayQuestion, ReplaySite } from './question.ts'
import type { ReadSoFar } from './report.ts'
import {
  findSessions,
  readEventLines,
  readSessions,
  type SessionFile,
  sessionsAt,
  type SessionSource,
} from './sessions.ts'

/** The past calls that are to be decided. */
interface ReplayInput {
  readonly items: AsyncIterable<PastItem>
  /** Is kept up to date while the items are read. */
  readonly read: ReadSoFar
}

/** Opens the calls of a question. @throws HookgateError `usage` if there is nothing, or no session at a named path */
export async function openInput(question: ReplayQuestion, site: ReplaySite): Promise<ReplayInput> {
  if (question.from === 'stdin') {
    const items = readEventLines(streamOf(site), { agent: question.agents?.[0], file: 'stdin' })
    return { items, read: { bytes: 0, bytesTotal: 0 } }
  }
  if (question.from === 'record') return { items: itemsOfRecord(question, site), read: { bytes: 0, bytesTotal: 0 } }
  const sources =
    question.sources.length > 0 ? await namedSources(question.sources) : await foundSources(question, site)
  const recent = sources.filter((one) => one.kind === 'unreadable' || mayHold(one, question.sinceMs))
  const bytesTotal = recent.reduce((total, one) => total + (one.kind === 'unreadable' ? 0 : one.bytes), 0)
  const read = { bytes: 0, bytesTotal }
  return { items: readSessions(recent, { onBytes: (bytes: number) => (read.bytes += bytes) }), read }
}

/** @throws HookgateError `usage` if nothing was recorded */
function itemsOfRecord({ project, sinceMs, untilMs }: ReplayQuestion, { places }: ReplaySite): AsyncIterable<PastItem> {
  const file = places.decisions
  const reader = openReader(file)
  if (reader === undefined) {
    throw new HookgateError('usage', 'nothing is recorded', {
      place: { file },
      remedy: 'replay the sessions of agents instead, without --from record',
    })
  }
  return recordedCalls(reader, file, {
    project,
    ...(sinceMs > Number.NEGATIVE_INFINITY && { sinceMs }),
    ...(untilMs < Number.POSITIVE_INFINITY && { untilMs: untilMs + 1 }),
  })
}

/** The file of a session is changed by each of its calls; of a database, only the file of its log is. */
const mayHold = ({ modifiedMs, store }: SessionFile, sinceMs: number) =>
  modifiedMs >= sinceMs || store?.format.kind === 'sqlite'

async function* streamOf({ openStdin }: ReplaySite): AsyncGenerator<Uint8Array> {
  if (openStdin !== undefined) yield* openStdin()
}

async function namedSources(paths: readonly string[]): Promise<readonly SessionSource[]> {
  const sources = await sessionsAt(paths)
  // A person named it: without it, the answer would be about something else.
  const wrong = sources.find((one) => one.kind === 'unreadable')
  if (wrong === undefined) return sources
  throw new HookgateError('usage', wrong.why, {
    place: { file: wrong.file },
    remedy: 'name session files of agents, folders that hold some, or `-` for JSON lines of events on stdin',
  })
}

async function foundSources({ agents }: ReplayQuestion, { env }: ReplaySite): Promise<readonly SessionSource[]> {
  const sources = await findSessions({ agents, home: homeFolder(env['HOME']), env, platform: process.platform })
  if (sources.length > 0) return sources
  const whose = agents === undefined ? 'any agent' : agents.join(' or ')
  throw new HookgateError('usage', `no sessions of ${whose} were found`, {
    remedy:
      'run it where an agent has worked, or give `hookgate replay` session files, or events as JSON lines with `-`',
  })
}

/** Returns the test that a call has to pass to be decided. */
export function acceptedBy({ agents, sinceMs, untilMs, project }: ReplayQuestion): (call: PastCall) => boolean {
  const isLimited = sinceMs > Number.NEGATIVE_INFINITY || untilMs < Number.POSITIVE_INFINITY
  return ({ agent, atMs, cwd }) => {
    if (agents !== undefined && !agents.some((name) => name === agent)) return false
    // When a call without a time was made is not known, so it may be one of another time.
    if (isLimited && (atMs === undefined || atMs < sinceMs || atMs > untilMs)) return false
    return project === undefined || isAtOrBelow(cwd, project)
  }
}

/**
 * Makes calls of the decisions in the record, in order. A decision of which the record holds too little to decide it
 * again is reported in its place.
 *
 * @param file names the record in reports
 */
async function* recordedCalls(
  reader: Pick<DecisionReader, 'rows' | 'unreadable'>,
  file: string,
  filter: DecisionFilter,
): AsyncGenerator<PastItem> {
  for (const { seq, record } of reader.rows(filter)) {
    // Leaves out other events, which are no calls, and permission requests, which repeat one.
    if (record.event !== 'PreToolUse') continue
    // oxlint-disable-next-line no-await-in-loop -- in the order of the record
    yield await itemOf({ seq, record }, file)
  }
  const { unreadable } = reader
  if (unreadable > 0) yield { kind: 'unreadable', file, line: undefined, why: `${unreadable} rows are not hookgate’s` }
}

async function itemOf({ seq, record }: StoredDecision, file: string): Promise<PastItem> {
  const unreadable = (why: string): PastItem => ({ kind: 'unreadable', file, line: seq, why: `not replayable: ${why}` })
  const { agent, project, cwd = project, session = '', at } = record
  if (agent === undefined || cwd === undefined || descriptorOf(agent) === undefined)
    return unreadable('whose it was is not known')
  const call = record.input === undefined ? callOf(record) : undefined
  if (typeof call === 'string') return unreadable(call)
  if (record.inputAltered === true) return unreadable(altered)
  const { toolName = '', input = {} } = record
  const wire = await (call === undefined
    ? encodeOwnCall(agent, toolName, input, cwd, session)
    : encodeCall(agent, call, cwd, session))
  if (wire === undefined) return unreadable('its agent asks about no such call any more')
  return { kind: 'call', call: { agent, wire, atMs: Date.parse(at), cwd, file, line: seq } }
}

const altered = 'a secret in it was masked, or it was cut'

/** Returns the call as far as it is recorded, or the reason why that is not enough. */
function callOf({ tool, subject, subjectAltered }: DecisionRecord): NeutralCall | string {
  if (subjectAltered === true) return altered
  if (subject === undefined) return 'its input is not recorded'
  const { subject: field, also } = tool === undefined ? toolCarries.other : toolCarries[tool]
  // The record does not hold the pattern of a search.
  if (tool === undefined || field === 'input' || also === 'pattern') return 'its input is not recorded'
  return { kind: tool, [field]: subject, ...(also === 'content' && { content: '' }) }
}
