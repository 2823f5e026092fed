import type { Stats } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { isAbsolute, join, resolve, sep } from 'node:path'
import { dialectBySight } from '../../agents/index.ts'
import { agents as allAgents } from '../../agents/registry.ts'
import type { SessionFormat, SessionSite, SessionStore } from '../../agents/transcripts.ts'
import { makeDisk, reasonOf } from '../../files/disk.ts'
import type { AgentName, UnreadablePlace } from '../../model/event.ts'
import type { JsonObject } from '../../model/json.ts'
import { recordsOf } from './records.ts'

/** A session file that was found. */
export interface SessionFile {
  readonly kind: 'session'
  /** `undefined` if the file holds JSON lines of events, each of which says whose it is. */
  readonly agent: AgentName | undefined
  /** Absolute. */
  readonly path: string
  readonly bytes: number
  readonly modifiedMs: number
  readonly store: SessionStore | undefined
}

/** A session file, or a place in which there may be some and that cannot be read. */
export type SessionSource = SessionFile | UnreadablePlace

/** Selects the sessions. */
interface SessionSearch extends SessionSite {
  /** Default: all agents'. */
  readonly agents?: readonly AgentName[] | undefined
}

/** Finds the sessions that agents keep, by agent and then by path. */
export async function findSessions({ agents, ...site }: SessionSearch): Promise<readonly SessionSource[]> {
  const found: SessionSource[] = []
  for (const { agent, store } of await storesOf(agents)) {
    for (const folder of store.folders(site, folderNames).filter(isAbsolute)) {
      const search = { holds: (path: string) => store.files.test(posix(path)), depth: store.depth ?? Infinity }
      // oxlint-disable-next-line no-await-in-loop -- in the order of the folders
      for await (const entry of filesBelow(folder, search))
        found.push(entry.kind === 'unreadable' ? entry : sessionAt(entry, agent, store))
    }
  }
  return found
}

/** Lists the folders in which agents keep their sessions, whether they exist or not. */
export async function sessionFolders(site: SessionSite): Promise<readonly AgentFolder[]> {
  const stores = await storesOf(undefined)
  return stores.flatMap(({ agent, store }) =>
    store
      .folders(site, folderNames)
      .filter(isAbsolute)
      .map((folder) => ({ agent, folder })),
  )
}

/** A folder in which an agent keeps sessions. */
interface AgentFolder {
  readonly agent: AgentName
  /** Absolute. */
  readonly folder: string
}

/** Recognises the sessions at paths that a person named: files, or folders that hold some. */
export async function sessionsAt(paths: readonly string[]): Promise<readonly SessionSource[]> {
  const stores = await storesOf(undefined)
  const found: SessionSource[] = []
  for (const path of paths.map((one) => resolve(one))) {
    // oxlint-disable-next-line no-await-in-loop -- in the order of the paths
    found.push(...(await sessionsAtPath(path, stores)))
  }
  return found
}

async function sessionsAtPath(path: string, stores: readonly AgentStore[]): Promise<readonly SessionSource[]> {
  const stats = await seen(path)
  if (typeof stats === 'string') return [unreadable(path, stats)]
  if (!stats.isDirectory()) {
    const session = await recogniseFile({ kind: 'file', path, stats }, stores, true)
    return [session ?? unreadable(path, 'it is no session of an agent that hookgate knows, and holds no events')]
  }
  const found: SessionSource[] = []
  const holds = (file: string) => file.endsWith('.jsonl') || stores.some(({ store }) => store.files.test(posix(file)))
  for await (const entry of filesBelow(path, { holds, depth: Infinity })) {
    const one = entry.kind === 'unreadable' ? entry : await recogniseFile(entry, stores, false)
    if (one !== undefined) found.push(one)
  }
  return found.length > 0 ? found : [unreadable(path, 'there is no session of an agent in it')]
}

interface AgentStore {
  readonly agent: AgentName
  /** Folders that belong to this agent alone. */
  readonly own: readonly string[]
  readonly store: SessionStore
}

async function storesOf(only: readonly AgentName[] | undefined): Promise<readonly AgentStore[]> {
  const wanted = allAgents.filter(({ name }) => only === undefined || only.includes(name))
  const loaded = wanted.map(async ({ name, folders, sessions }) => {
    const stores = (await sessions?.())?.sessionStores ?? []
    return stores.map((store) => ({ agent: name, own: folders, store }))
  })
  return (await Promise.all(loaded)).flat()
}

/**
 * Recognises a file by its place below an agent's own folder, or by its first records.
 *
 * @param isNamed a person named this very file: it may have any name, and hold events
 */
async function recogniseFile(
  file: FoundFile,
  stores: readonly AgentStore[],
  isNamed: boolean,
): Promise<SessionFile | undefined> {
  const path = posix(file.path)
  const placed = stores.filter(({ store }) => store.files.test(path))
  const own = placed.find(
    ({ own: folders, store }) => !store.owns || folders.some((name) => path.includes(`/${name}/`)),
  )
  if (own !== undefined) return sessionAt(file, own.agent, own.store)
  const lines = await firstRecords(file.path, { kind: 'jsonLines' })
  const owner = ownerOf(lines, 'jsonLines', stores)
  if (owner !== undefined) return sessionAt(file, owner.agent, owner.store)
  const [first] = lines
  if (isNamed && first !== undefined && (await isEvent(first))) return sessionAt(file, undefined, undefined)
  if (!isNamed && placed.length === 0) return undefined
  const whole = ownerOf(await firstRecords(file.path, { kind: 'json' }), 'json', stores)
  return whole && sessionAt(file, whole.agent, whole.store)
}

const ownerOf = (records: readonly JsonObject[], kind: SessionFormat['kind'], stores: readonly AgentStore[]) =>
  stores.find(({ store }) => store.format.kind === kind && records.some((record) => store.owns?.(record)))

const isEvent = (record: JsonObject) =>
  dialectBySight(record).then(
    () => true,
    () => false,
  )

async function firstRecords(path: string, format: SessionFormat): Promise<readonly JsonObject[]> {
  const records: JsonObject[] = []
  let looked = 0
  for await (const one of recordsOf(path, format)) {
    if (one.kind === 'record') records.push(one.record)
    if (++looked === sessionHeadRecords) break
  }
  return records
}
/** First records of a file by which its agent is recognised: some agents begin with records that many might write. */
const sessionHeadRecords = 50

interface FoundFile {
  readonly kind: 'file'
  readonly path: string
  readonly stats: Stats
}

/** Selects files of a folder. */
interface FileSearch {
  /** Returns true for a file that is wanted. */
  readonly holds: (path: string) => boolean
  /** How many levels of folders below it are searched. */
  readonly depth: number
}

/** Walks a folder, in the order of names. Each folder is visited once, however links lead to it. */
async function* filesBelow(
  folder: string,
  { holds, depth }: FileSearch,
  visited = new Set<string>(),
): AsyncGenerator<FoundFile | UnreadablePlace> {
  const stats = await seen(folder)
  if (typeof stats === 'string') {
    if (stats !== absent) yield unreadable(folder, stats)
    return
  }
  const id = `${stats.dev}:${stats.ino}`
  if (visited.has(id)) return
  visited.add(id)
  const entries = await readdir(folder, { withFileTypes: true }).catch(reasonOf)
  if (typeof entries === 'string') {
    yield unreadable(folder, entries)
    return
  }
  for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    const path = join(folder, entry.name)
    if (!holds(path) && !entry.isDirectory() && !entry.isSymbolicLink()) continue
    // oxlint-disable-next-line no-await-in-loop -- in the order of names
    const there = await seen(path)
    if (typeof there !== 'string' && there.isDirectory()) {
      if (depth > 0) yield* filesBelow(path, { holds, depth: depth - 1 }, visited)
    } else if (holds(path))
      yield typeof there === 'string' ? unreadable(path, there) : { kind: 'file', path, stats: there }
  }
}

const folderNames = (folder: string) => makeDisk().names(folder)

/** Returns an entry after following links, or the reason why there is none. */
const seen = (path: string): Promise<Stats | string> => stat(path).catch(reasonOf)
const absent = 'it does not exist'

const sessionAt = ({ path, stats }: FoundFile, agent: AgentName | undefined, store: SessionStore | undefined) =>
  ({ kind: 'session', agent, path, bytes: stats.size, modifiedMs: stats.mtimeMs, store }) satisfies SessionFile
const unreadable = (file: string, why: string): UnreadablePlace => ({ kind: 'unreadable', file, line: undefined, why })
const posix = (path: string) => path.replaceAll(sep, '/')
