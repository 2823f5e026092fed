import { recordsIn, recordsOf } from './records.ts'
import { type SessionFile, type SessionSource, sessionsAt } from './session-files.ts'
import { hasFailed } from '../../agents/registry.ts'
import { allDialects, dialectBySight, dialectOf } from '../../agents/index.ts'
import { makeDisk } from '../../files/disk.ts'
import { errorText } from '../../model/errors.ts'
import { isUnreadable } from '../../model/disk.ts'
import { limits } from '../../model/limits.ts'
import { type Json, type JsonObject, textAt } from '../../model/json.ts'
import type { HookEvent, PastItem } from '../../model/event.ts'
import { findSessions } from './session-files.ts'
import { sha256Of } from '../../files/digest.ts'
export { findSessions, sessionsAt }
export type { SessionFile, SessionSource }

/** Options of reading sessions. */
interface SessionReadOptions {
  /** Is called with the number of bytes that have been read since the last call. */
  readonly onBytes?: (bytes: number) => void
}

/**
 * Reads the calls in session files, in order; of the files of one session, its sub-agents' among them, in the order of
 * their times. What cannot be read is an item of its own.
 *
 * @param sources what `findSessions` found, or paths of files and folders
 */
export async function* readSessions(
  sources: readonly (string | SessionSource)[],
  { onBytes }: SessionReadOptions = {},
): AsyncGenerator<PastItem> {
  const found: SessionSource[] = []
  for (const source of sources) {
    // oxlint-disable-next-line no-await-in-loop -- in the order of the paths
    found.push(...(typeof source === 'string' ? await sessionsAt([source]) : [source]))
  }
  for (const group of await bySession(found)) yield* inOrderOfTime(group.map((one) => itemsIn(one, onBytes)))
}

async function* itemsIn(source: SessionSource, onBytes?: (bytes: number) => void): AsyncGenerator<PastItem> {
  if (source.kind === 'unreadable') yield source
  else yield* callsIn(source, onBytes)
}

/** Groups files by the session of their first call: a sub-agent's is that of its parent. Each group stands where its first file does. */
async function bySession(sources: readonly SessionSource[]): Promise<readonly (readonly SessionSource[])[]> {
  const groups = new Map<string, SessionSource[]>()
  for (const [at, source] of sources.entries()) {
    // oxlint-disable-next-line no-await-in-loop -- one open file at a time
    const key = (await sessionIn(source)) ?? `${at}`
    const group = groups.get(key)
    if (group === undefined || group.length >= filesMergedMax) groups.set(group === undefined ? key : `${at}`, [source])
    else group.push(source)
  }
  return [...groups.values()]
}
/** Files that are open at once: few sessions have started more sub-agents, whose others come after them. */
const filesMergedMax = 100

async function sessionIn(source: SessionSource): Promise<string | undefined> {
  // A database has all sessions in it, in the order of their times.
  if (source.kind === 'unreadable' || source.store?.format.kind !== 'jsonLines') return undefined
  for await (const item of callsIn(source)) {
    const session = item.kind === 'call' ? textAt(item.call.wire, 'session_id') : undefined
    return session === undefined ? undefined : `${source.agent}\n${session}`
  }
  return undefined
}

/** Merges items by their times. One without a time comes right behind the one before it. */
async function* inOrderOfTime(readers: readonly AsyncGenerator<PastItem>[]): AsyncGenerator<PastItem> {
  try {
    const first = await Promise.all(readers.map((reader) => reader.next()))
    const heads = readers.map((reader, at) => ({ reader, head: first[at] }))
    for (;;) {
      const left = heads.flatMap((one) =>
        one.head === undefined || one.head.done === true ? [] : [{ one, item: one.head.value }],
      )
      const [earliest] = left.toSorted((a, b) => momentOf(a.item) - momentOf(b.item))
      if (earliest === undefined) return
      yield earliest.item
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      earliest.one.head = await earliest.one.reader.next()
    }
  } finally {
    await Promise.all(readers.map((reader) => reader.return(undefined)))
  }
}
const momentOf = (item: PastItem): number => (item.kind === 'unreadable' ? 0 : (item.call.atMs ?? 0))

async function* callsIn(
  { agent, path, store }: SessionFile,
  onBytes?: (bytes: number) => void,
): AsyncGenerator<PastItem> {
  if (agent === undefined || store === undefined) {
    yield* eventsIn(recordsOf(path, { kind: 'jsonLines' }, onBytes), { file: path })
    return
  }
  const read = store.read({ path, text: smallFileText, sha256: sha256Of })
  let isPlaceless = false
  for await (const item of recordsOf(path, store.format, onBytes)) {
    if (item.kind === 'unreadable') {
      yield item
      continue
    }
    const { record, line } = item
    const calls = attempted(() => read(record))
    if (typeof calls === 'string') {
      yield { kind: 'unreadable', file: path, line, why: calls }
      continue
    }
    for (const { wire, atMs, cwd, became, said } of calls) {
      const call = cwd === undefined ? undefined : { agent, wire, atMs, cwd, file: path, line }
      if (call !== undefined)
        yield became === undefined ? { kind: 'call', call } : { kind: 'result', call, became, said }
      else if (!isPlaceless) {
        isPlaceless = true
        yield { kind: 'unreadable', file: path, line, why: 'nothing says in which folder the agent worked' }
      }
    }
  }
}

/** Returns the message of a failure in place of throwing it: one record must not end the reading of all others. */
function attempted<T>(work: () => T): T | string {
  try {
    return work()
  } catch (error) {
    return errorText(error)
  }
}

/** Reads a small file beside a session. */
function smallFileText(path: string): string | undefined {
  const bytes = makeDisk().read(path, limits.settingsBytesMax)
  return isUnreadable(bytes) ? undefined : Buffer.from(bytes).toString()
}

/** Options of reading events from JSON lines. */
interface EventLines {
  /** The agent whose events they are. Default: each event's shape says it. */
  readonly agent?: string | undefined
  /** Names the stream in reports. */
  readonly file: string
}

/** Reads JSON lines of events, as agents send them to hooks: calls, and what became of them. Others are passed over. */
export function readEventLines(chunks: AsyncIterable<Uint8Array>, options: EventLines): AsyncGenerator<PastItem> {
  return eventsIn(recordsIn(chunks, options.file), options)
}

async function* eventsIn(records: ReturnType<typeof recordsIn>, { agent, file }: EventLines): AsyncGenerator<PastItem> {
  await allDialects()
  for await (const item of records) {
    if (item.kind === 'unreadable') yield item
    else {
      const { record: wire, line } = item
      const event = await decodeWire(wire, agent)
      if (typeof event === 'string') yield { kind: 'unreadable', file, line, why: event }
      else {
        const atMs = event.atMs === unknownMs ? undefined : event.atMs
        const call = { agent: event.agent, wire, atMs, cwd: event.session.cwd, file, line }
        if (event.name === 'PreToolUse') yield { kind: 'call', call }
        else if (event.name === 'PostToolUse' || event.name === 'PostToolUseFailure')
          yield { kind: 'result', call, became: hasFailed(event) ? 'failed' : 'done', said: saidIn(event) }
      }
    }
  }
}

const saidIn = ({ result }: HookEvent): Json | undefined => result?.output ?? result?.error

/** Returns the event, or the reason why there is none. */
async function decodeWire(wire: JsonObject, agent: string | undefined) {
  const dialect = await (agent === undefined ? dialectBySight(wire) : dialectOf(agent)).catch(errorText)
  if (typeof dialect === 'string') return dialect
  return attempted(() => dialect.decodeEvent(wire, { nowMs: unknownMs, env: {}, cwd: process.cwd() }))
}
/** The time of receipt that stands for "unknown". */
const unknownMs = 0
