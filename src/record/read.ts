import { statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import { type ChainCheck, chainEnds, checkChain, hashAt } from './chain.ts'
import { openForReading, unreadable } from './database.ts'
import { type Durations, readDurations } from './durations.ts'
import { countedQuestions, type FiguresFilter, readFigures, type RecordFigures } from './figures.ts'
import { conditionOf, type DecisionFilter } from './filter.ts'
import { lostDecisions } from './answer-count.ts'
import { CallResult, DecisionRecord } from './record.ts'

/** A row of the record. */
export interface StoredDecision {
  /** 1, 2, 3, … in the order of writing. */
  readonly seq: number
  readonly record: DecisionRecord
  /** The result of the call, in a row about a call that has run. */
  readonly ran?: CallResult
}

/** Returns the JSON Schema of a printed row: its number, the fields of its record, its call's result. Others may be added. */
export function decisionJsonSchema(): object {
  return {
    title: 'hookgate decision',
    ...z.toJSONSchema(z.strictObject({ seq: z.int(), ...DecisionRecord.shape, ran: CallResult.optional() }), {
      target: 'draft-2020-12',
      override({ jsonSchema }) {
        delete jsonSchema.additionalProperties
      },
    }),
  }
}

/** The result of a row's call. */
export interface RanCall {
  readonly seq: number
  readonly ran: CallResult
}

export interface DecisionReader {
  /** Reads rows in the order of writing, one at a time. With `last`, the last so many of them. */
  rows(filter?: DecisionFilter, last?: number): Iterable<StoredDecision>
  /** Returns which calls the events after a row report as run: the number of each call's row, and what it came to. */
  ranSince(seq: number): readonly RanCall[]
  /** Finds a row by the beginning of its id (at least 6 characters), or by the id of its refusal. */
  find(id: string): StoredDecision | undefined
  /** The number of rows that could not be read so far: hookgate did not write them. */
  readonly unreadable: number
  check(): ChainCheck
  /** Returns the hash that a row has, or the last one that was removed for its age; `undefined` if there is none. */
  hashAt(seq: number): Uint8Array | undefined
  /** Returns the number of the last row; 0 if there is none. */
  head(): number
  /** Counts what was decided in each span of time. */
  figures(filter: FiguresFilter): RecordFigures
  /** Returns how long decisions and rules took. */
  durations(sinceMs: number): Durations
  /** Returns what there is to filter by. */
  choices(): RecordChoices
  /** Lists the sessions with the latest decisions, the latest first. */
  sessions(max: number): readonly RecordedSession[]
  /** Returns which rows match, and the answers in them: the latest so many, in the order of writing. */
  outline(filter: DecisionFilter, max: number): readonly OutlineRow[]
  /** Returns when each agent was recorded last. */
  lastOfAgents(): ReadonlyMap<string, string>
  /** Returns how many questions of agents were only counted, from the beginning of a day on. */
  countedQuestions(filter: { readonly sinceMs: number } & Pick<DecisionFilter, 'project'>): number
  /** Returns how many decisions are known to be lost. */
  lost(): number
  close(): void
}

const Row = z.strictObject({ seq: z.int(), record: z.string(), ran: z.string().nullable() })

/** The row's columns, with the result that the first event after the call reports. */
const columns = `seq, record, CASE event WHEN 'PreToolUse' THEN (
  SELECT result FROM decisions AS later
  WHERE later.session = decisions.session AND later.call = decisions.call AND later.result IS NOT NULL
    AND later.seq > decisions.seq ORDER BY later.seq LIMIT 1) END AS ran`

const RanRow = z.strictObject({ seq: z.int(), ran: z.string() })
const ranQuery = `SELECT max(calls.seq) AS seq, later.result AS ran FROM decisions AS later JOIN decisions AS calls
  ON calls.session = later.session AND calls.call = later.call AND calls.event = 'PreToolUse' AND calls.seq < later.seq
  WHERE later.seq > ? AND later.result IS NOT NULL GROUP BY later.seq`

const LastRow = z.strictObject({ agent: z.string(), at: z.string() })
/** Reads the index alone, and the record of each agent's last row: an agent that never asked costs nothing. */
const lastQuery = `SELECT decisions.agent, decisions.at FROM decisions
  JOIN (SELECT max(id) AS last FROM decisions WHERE agent IS NOT NULL GROUP BY agent) ON decisions.id = last`

/**
 * Opens the record for reading; `undefined` if nothing was recorded yet.
 *
 * @throws HookgateError `unavailable` if it cannot be read
 */
export function openReader(file: string): DecisionReader | undefined {
  const database = openForReading(file)
  if (database === undefined) return undefined
  let malformed = 0

  function attempt<T>(read: () => T): T {
    try {
      return read()
    } catch (cause) {
      throw unreadable(file, cause)
    }
  }

  function* stored(rows: Iterable<unknown>): Iterable<StoredDecision> {
    const iterator = rows[Symbol.iterator]()
    try {
      while (true) {
        const next = attempt(() => iterator.next())
        if (next.done === true) return
        const one = storedOf(next.value)
        if (one === undefined) malformed += 1
        else yield one
      }
    } finally {
      // A query that is left open keeps this reader at the rows of its beginning: it would see none that come later.
      iterator.return?.()
    }
  }

  return {
    rows(filter = {}, last) {
      const { condition, values } = conditionOf(filter)
      const order = last === undefined ? 'ORDER BY seq' : `ORDER BY seq DESC LIMIT ${Math.max(0, Math.floor(last))}`
      const query = `SELECT ${columns} FROM decisions WHERE ${condition} ${order}`
      const sorted = last === undefined ? query : `SELECT * FROM (${query}) ORDER BY seq`
      return stored(database.prepare(sorted).iterate(...values))
    },
    ranSince: (seq) =>
      attempt(() =>
        database
          .prepare(ranQuery)
          .all(seq)
          .flatMap((raw) => {
            const row = RanRow.safeParse({ ...raw }).data
            const ran = row && CallResult.safeParse(JSON.parse(row.ran)).data
            return row === undefined || ran === undefined ? [] : [{ seq: row.seq, ran }]
          }),
      ),
    find(id) {
      const [byRefusal] = stored(
        database.prepare(`SELECT ${columns} FROM decisions WHERE refusal = ? ORDER BY seq DESC LIMIT 1`).iterate(id),
      )
      if (byRefusal !== undefined || id.length < 6) return byRefusal
      const [byId] = stored(
        database.prepare(`SELECT ${columns} FROM decisions WHERE id >= ? AND id < ? LIMIT 1`).iterate(id, `${id}~`),
      )
      return byId
    },
    get unreadable() {
      return malformed
    },
    check: () => attempt(() => checkChain(database)),
    hashAt: (seq) => attempt(() => hashAt(database, seq)),
    head: () => attempt(() => chainEnds(database).head.seq),
    figures: (filter) => attempt(() => readFigures(database, filter)),
    durations: (sinceMs) => attempt(() => readDurations(database, sinceMs)),
    choices: () => attempt(() => readChoices(database)),
    sessions: (max) => attempt(() => readSessions(database, max)),
    outline: (filter, max) => attempt(() => readOutline(database, filter, max)),
    lastOfAgents: () =>
      attempt(() => {
        const rows = database.prepare(lastQuery).all()
        return new Map(
          rows.flatMap((raw) => LastRow.safeParse({ ...raw }).data ?? []).map(({ agent, at }) => [agent, at]),
        )
      }),
    countedQuestions: (filter) => attempt(() => countedQuestions(database, filter)),
    lost: () => attempt(() => lostDecisions(database, file)),
    close: () => database.close(),
  }
}

function storedOf(raw: unknown): StoredDecision | undefined {
  try {
    const row = Row.parse(typeof raw === 'object' && raw !== null ? { ...raw } : raw)
    const ran = row.ran === null ? undefined : CallResult.safeParse(JSON.parse(row.ran)).data
    return { seq: row.seq, record: DecisionRecord.parse(JSON.parse(row.record)), ...(ran && { ran }) }
  } catch {
    return undefined
  }
}

/**
 * Returns whether an agent has sent an event since a time, from the end of the record on.
 *
 * @throws HookgateError `unavailable` if it cannot be read
 */
export function hasEventSince(file: string, agent: string, sinceMs: number): boolean {
  const database = openForReading(file)
  if (database === undefined) return false
  try {
    const since = new Date(sinceMs).toISOString()
    for (const row of database.prepare('SELECT at, agent FROM decisions ORDER BY seq DESC').iterate()) {
      if (typeof row['at'] !== 'string' || row['at'] < since) return false
      if (row['agent'] === agent) return true
    }
    return false
  } catch (cause) {
    throw unreadable(file, cause)
  } finally {
    database.close()
  }
}

/** Newest rows whose agents and projects the page offers to choose from: they are read in 50 ms. */
const recordChoicesRowsMax = 20_000

/** Values to filter by: the names in the newest rows, those with the most decisions first. */
export interface RecordChoices {
  readonly agents: readonly string[]
  readonly projects: readonly string[]
  /** Ids of rules, in the order of the alphabet. */
  readonly rules: readonly string[]
}

/** Reads the index once, and the rules from the table of times: a record takes ten times as long. */
function readChoices(database: DatabaseSync): RecordChoices {
  const agents = new Map<string, number>()
  const projects = new Map<string, number>()
  const query = `SELECT agent, project, count(*) AS number
    FROM (SELECT agent, project FROM decisions ORDER BY id DESC LIMIT ?) GROUP BY 1, 2`
  for (const row of database.prepare(query).all(recordChoicesRowsMax)) {
    const { agent, project, number } = GroupRow.parse({ ...row })
    if (agent !== null) agents.set(agent, (agents.get(agent) ?? 0) + number)
    if (project !== null) projects.set(project, (projects.get(project) ?? 0) + number)
  }
  const rules = database.prepare("SELECT DISTINCT rule FROM times WHERE rule <> '' ORDER BY 1").all()
  return {
    agents: mostFirst(agents),
    projects: mostFirst(projects),
    rules: rules.map((row) => RuleRow.parse({ ...row }).rule),
  }
}

const GroupRow = z.strictObject({ agent: z.string().nullable(), project: z.string().nullable(), number: z.int() })
const RuleRow = z.strictObject({ rule: z.string() })

const mostFirst = (numbers: ReadonlyMap<string, number>): readonly string[] =>
  [...numbers].toSorted(([, a], [, b]) => b - a).map(([name]) => name)

/** A reader that goes on with another database if one takes the record's place. */
export interface LatestReader {
  /**
   * Returns the reader of the database that is there now, and whether it is another one than at the last look; no
   * reader if nothing was recorded yet.
   *
   * @throws HookgateError `unavailable` if it cannot be read
   */
  look(): { readonly reader: DecisionReader | undefined; readonly isOther: boolean }
  close(): void
}

export function openLatestReader(file: string): LatestReader {
  let reader: DecisionReader | undefined
  let inode: number | undefined
  return {
    look() {
      const now = statSync(file, { throwIfNoEntry: false })?.ino
      if (now === inode && reader !== undefined) return { reader, isOther: false }
      const isOther = reader !== undefined
      reader?.close()
      reader = undefined
      reader = openReader(file)
      inode = now
      return { reader, isOther }
    },
    close() {
      reader?.close()
      reader = undefined
    },
  }
}

/** A session of an agent, as far as its decisions are recorded. */
const RecordedSession = z.object({
  agent: z.string(),
  session: z.string(),
  /** The project of its latest decision. */
  project: z.string().nullable(),
  since: z.string(),
  latest: z.string(),
  decisions: z.int(),
  refused: z.int(),
  asked: z.int(),
})
type RecordedSession = Readonly<z.infer<typeof RecordedSession>>

/** SQLite takes the columns that are no sums from the row with the largest `seq`. */
const query = `SELECT agent, session, project, min(at) AS since, at AS latest, count(*) AS decisions,
    sum(outcome = 'deny') AS refused, sum(outcome IN ('ask', 'defer')) AS asked, max(seq) AS last
  FROM decisions WHERE listed AND agent IS NOT NULL AND session IS NOT NULL
  GROUP BY agent, session ORDER BY last DESC LIMIT ?`

/** Lists the sessions with the latest decisions, the latest first. */
const readSessions = (database: DatabaseSync, max: number): readonly RecordedSession[] =>
  database
    .prepare(query)
    .all(max)
    .flatMap((raw) => RecordedSession.safeParse({ ...raw }).data ?? [])

const OutlineRow = z.strictObject({ seq: z.int(), outcome: z.string() })
/** The number of a row, and the answer that the agent got. */
type OutlineRow = Readonly<z.infer<typeof OutlineRow>>

/** Returns which rows match, without what is in them: the latest so many, in the order of writing. */
function readOutline(database: DatabaseSync, filter: DecisionFilter, max: number): readonly OutlineRow[] {
  const { condition, values } = conditionOf(filter)
  return database
    .prepare(`SELECT seq, outcome FROM decisions WHERE ${condition} ORDER BY seq DESC LIMIT ?`)
    .all(...values, max)
    .flatMap((raw) => OutlineRow.safeParse({ ...raw }).data ?? [])
    .toReversed()
}
