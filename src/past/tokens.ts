import { constants, existsSync, readdirSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { whyFailed } from '../files/disk.ts'
import { isJsonObject, type JsonObject, nestsDeeperThan, parsedJson } from '../model/json.ts'
import { limits } from '../model/limits.ts'
import { pastLimits } from '../model/past-limits.ts'
import type { TokenCount, TokenUse } from '../model/tokens.ts'
import { turn } from '../files/turns.ts'
import { type DatabaseSource, spentIn } from './database-tokens.ts'
import type { StepStore } from './store.ts'

/** The session files of one session, and how their records say what was spent. */
export interface TokenSource {
  readonly agent: string
  readonly session: string
  /** The session's own file, absolute: it must be there. */
  readonly file: string
  /** The folder with those of its sub-agents, which need not be there. */
  readonly folder: string | undefined
  readonly mark: string
  readonly of: (record: JsonObject) => readonly TokenUse[]
}

/**
 * What was read of a session file. `read` is the sum of what is now in the file up to `offset`, and `sum` the most that it
 * ever was: a file that is cut or replaced takes nothing back.
 */
const FileState = z.object({
  file: z.string(),
  inode: z.number(),
  offset: z.int().min(0),
  read: z.number().min(0),
  sum: z.number().min(0),
  /** The last total, of files that say totals. */
  total: z.number().min(0),
  /** What was spent in each of the latest hours since the epoch. */
  hours: z.array(z.tuple([z.number(), z.number()])),
  /** The latest messages, and what was counted of each. */
  recent: z.array(z.tuple([z.string(), z.number()])),
})
type FileState = z.infer<typeof FileState>

const hourMs = 3_600_000
const hoursOfDay = 24

/**
 * Counts the tokens that were spent before a call. Only what is new in the session's files is read; where each was left is
 * kept with the steps.
 *
 * @param atMs when the call happens: what is recorded as later is not counted, so that a past call can be decided again
 * @throws Error that says why they cannot be counted
 */
export async function countTokens(store: StepStore, source: TokenSource, atMs: number): Promise<TokenCount> {
  let left: number = pastLimits.tokenBytesMax
  const prefix = prefixOf(source.agent, source.session)
  for (const file of [source.file, ...filesIn(source.folder)]) {
    const key = `${prefix}${file}`
    const before = FileState.safeParse(store.savedFold(key)?.state).data
    // oxlint-disable-next-line no-await-in-loop -- they share what may be read
    const { state, isWhole, bytes } = await readOn(before ?? newState(file), source, atMs, left)
    left -= bytes
    if (state.offset !== before?.offset) store.saveFold(key, { seq: 0, state })
    if (!isWhole)
      throw new Error(
        `${file} has grown by more than ${pastLimits.tokenBytesMax / 1024 ** 2} MiB: the next call reads on`,
      )
  }
  return countedTokens(store, source, atMs)
}

/**
 * Counts the tokens that were spent before a call, of an agent that keeps its sessions in a database. What is taken out of
 * it takes nothing back.
 *
 * @throws Error that says why they cannot be counted
 */
export async function countTokensIn(store: StepStore, source: DatabaseSource, atMs: number): Promise<TokenCount> {
  const key = `${prefixOf(source.agent, source.session)}${source.folder}`
  const before = FileState.safeParse(store.savedFold(key)?.state).data ?? newState(source.folder)
  const spent = await spentIn(source, atMs)
  const read = sum(spent.map(([, tokens]) => tokens))
  const known = new Map(before.hours)
  for (const [hour, tokens] of spent) known.set(hour, Math.max(tokens, known.get(hour) ?? 0))
  const hours = [...known].toSorted(([a], [b]) => a - b).slice(-hoursOfDay - 1)
  if (read > before.sum) store.saveFold(key, { seq: 0, state: { ...before, read, sum: read, hours } })
  return countedTokens(store, source, atMs)
}

/** Returns the tokens that were counted up to the latest call, without a look into session files. */
export function countedTokens(
  store: Pick<StepStore, 'foldsUnder'>,
  { agent, session }: Pick<TokenSource, 'agent' | 'session'>,
  atMs: number,
): TokenCount {
  const hour = Math.floor(atMs / hourMs)
  const isOfDay = ([one]: readonly [number, number]) => one > hour - hoursOfDay && one <= hour
  const statesUnder = (start: string) => store.foldsUnder(start).flatMap((one) => FileState.safeParse(one).data ?? [])
  return {
    session: sum(statesUnder(prefixOf(agent, session)).map((state) => state.sum)),
    day: sum(statesUnder(prefixOfAll).flatMap(({ hours }) => hours.filter(isOfDay).map(([, spent]) => spent))),
  }
}
const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)

/** No digest of a fold begins so. */
const prefixOfAll = 'tokens\n'
const prefixOf = (agent: string, session: string) => `${prefixOfAll}${agent}\n${session}\n`

function filesIn(folder: string | undefined): readonly string[] {
  if (folder === undefined || !existsSync(folder)) return []
  const names = readdirSync(folder).filter((name) => name.endsWith('.jsonl'))
  return names.map((name) => join(folder, name))
}

const newState = (file: string): FileState => ({
  file,
  inode: 0,
  offset: 0,
  read: 0,
  sum: 0,
  total: 0,
  hours: [],
  recent: [],
})

interface ReadOn {
  readonly state: FileState
  /** False if there is more in the file than may be read now. */
  readonly isWhole: boolean
  readonly bytes: number
}

/** Reads what is new in a file, as far as its lines are whole. */
async function readOn(before: FileState, source: TokenSource, atMs: number, bytesMax: number): Promise<ReadOn> {
  const { file } = before
  let handle: FileHandle
  try {
    // Non-blocking: opening a named pipe in a file's place would otherwise hang.
    handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  } catch (error) {
    throw new Error(`${file} cannot be read: ${whyFailed(error)}`, { cause: error })
  }
  try {
    const stat = await handle.stat()
    if (!stat.isFile()) throw new Error(`${file} is not a regular file`)
    const isAnother = stat.ino !== before.inode || stat.size < before.offset
    if (!isAnother && stat.size === before.offset) return { state: before, isWhole: true, bytes: 0 }
    const state = isAnother
      ? { ...before, inode: stat.ino, offset: 0, read: 0, total: 0, recent: [] }
      : { ...before, hours: [...before.hours], recent: [...before.recent] }
    const bytes = Buffer.alloc(Math.max(0, Math.min(stat.size - state.offset, bytesMax)))
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, state.offset)
    const isToEnd = state.offset + bytesRead >= stat.size
    const isAllBefore = await takeLines(state, bytes.subarray(0, bytesRead), source, atMs)
    return { state, isWhole: isToEnd || isAllBefore, bytes: bytesRead }
  } finally {
    await handle.close()
  }
}

/** Takes in the whole lines of a part of a file. Returns whether it has come to what was recorded after the call. */
async function takeLines(state: FileState, bytes: Buffer, source: TokenSource, atMs: number): Promise<boolean> {
  const nowMs = Date.now()
  let from = 0
  let sinceTurn = 0
  for (let end = bytes.indexOf('\n'); end >= 0; end = bytes.indexOf('\n', from)) {
    const line = bytes.subarray(from, end)
    for (const use of usesIn(line, source)) {
      // A time that is still to come is none: it must not stop the count.
      if (use.atMs !== undefined && use.atMs > atMs && use.atMs <= nowMs) return true
      take(state, use, atMs)
    }
    sinceTurn += line.length
    state.offset += line.length + 1
    from = end + 1
    // oxlint-disable-next-line no-await-in-loop -- so that other events have their turn
    if (sinceTurn > bytesPerTurn) sinceTurn = (await turn(), 0)
  }
  return false
}
/** Bytes that are looked through before other events have their turn: some milliseconds. */
const bytesPerTurn = 1024 * 1024

/** A line that cannot be parsed says nothing: it was cut off when the agent ended. */
function usesIn(line: Buffer, { mark, of }: TokenSource): readonly TokenUse[] {
  if (!line.includes(mark)) return []
  const record = parsedJson(line.toString())
  return isJsonObject(record) && !nestsDeeperThan(record, limits.jsonDepthMax) ? of(record) : []
}

function take(state: FileState, { tokens, id, isTotal, atMs }: TokenUse, callMs: number): void {
  const known = id === undefined ? undefined : state.recent.find(([one]) => one === id)
  const spent = Math.max(0, tokens - (isTotal === true ? state.total : (known?.[1] ?? 0)))
  if (isTotal === true) state.total = Math.max(state.total, tokens)
  if (known !== undefined) known[1] = Math.max(known[1], tokens)
  else if (id !== undefined) state.recent.push([id.slice(0, pastLimits.stepTextCharactersMax), tokens])
  if (state.recent.length > messagesKeptMax) state.recent.shift()
  state.read += spent
  if (state.read <= state.sum) return
  const hour = Math.floor(Math.min(atMs ?? callMs, callMs) / hourMs)
  const inHour = state.hours.find(([one]) => one === hour)
  if (inHour === undefined) state.hours.push([hour, state.read - state.sum])
  else inHour[1] += state.read - state.sum
  state.hours = state.hours.toSorted(([a], [b]) => a - b).slice(-hoursOfDay - 1)
  state.sum = state.read
}
/** Messages of which more may be said later: Gemini CLI writes those of some turns again. */
const messagesKeptMax = 100
