import { homeFolder } from '../../files/home-folder.ts'
import { HookgateError } from '../../model/errors.ts'
import type { PastCall, PastItem } from '../../model/past-call.ts'
import {
  findSessions,
  readEventLines,
  readSessions,
  type SessionFile,
  sessionsAt,
  type SessionSource,
} from './sessions.ts'
import { openReader } from '../../record/read.ts'
import { recordedCalls } from './recorded-calls.ts'
import { isAtOrBelow } from '../../words/machine-paths.ts'
import type { ReplayQuestion, ReplaySite } from './question.ts'
import type { ReadSoFar } from './report.ts'

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
    remedy: 'name session files or folders, or pipe events as JSON lines into `hookgate replay -`',
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
