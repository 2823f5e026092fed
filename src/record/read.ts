import { z } from 'zod'
import { type ChainCheck, chainEnds, checkChain, hashAt } from './chain.ts'
import { readChoices, type RecordChoices } from './choices.ts'
import { openForReading, unreadable } from './database.ts'
import { conditionOf, type DecisionFilter } from './filter.ts'
import { type DecisionHistory, type HistoryFilter, readHistory } from './history.ts'
import { lostDecisions } from './losses.ts'
import { DecisionRecord } from './record.ts'
import { countedQuestions, type DecisionStats, readStats, type StatsFilter } from './stats.ts'

/** A row of the record. */
export interface StoredDecision {
  /** 1, 2, 3, … in the order of writing. */
  readonly seq: number
  readonly record: DecisionRecord
}

/** Returns the JSON Schema of a row as it is printed: its number, and the fields of its record. Others may be added. */
export function decisionJsonSchema(): object {
  return {
    title: 'hookgate decision',
    ...z.toJSONSchema(z.strictObject({ seq: z.int(), ...DecisionRecord.shape }), {
      target: 'draft-2020-12',
      override({ jsonSchema }) {
        delete jsonSchema.additionalProperties
      },
    }),
  }
}

export interface DecisionReader {
  /** Reads rows in the order of writing, one at a time. With `last`, the last so many of them. */
  rows(filter?: DecisionFilter, last?: number): Iterable<StoredDecision>
  /** Finds a row by the beginning of its id (at least 6 characters), or by the id of its refusal. */
  find(id: string): StoredDecision | undefined
  /** How many rows could not be read so far: they are not what hookgate writes. */
  readonly unreadable: number
  check(): ChainCheck
  /** Returns the hash that a row has, or the last one that was removed for its age; `undefined` if there is none. */
  hashAt(seq: number): Uint8Array | undefined
  /** Returns the number of the last row; 0 if there is none. */
  head(): number
  stats(filter: StatsFilter): DecisionStats
  /** Returns what there is to filter by. */
  choices(): RecordChoices
  /** Returns what was decided in each span of time. */
  history(filter: HistoryFilter): DecisionHistory
  /** Returns how many questions of agents were only counted, from the beginning of a day on. */
  countedQuestions(filter: Pick<StatsFilter, 'sinceMs' | 'project'>): number
  /** Returns how many decisions are known to be lost. */
  lost(): number
  close(): void
}

const Row = z.strictObject({ seq: z.int(), record: z.string() })

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
    while (true) {
      const next = attempt(() => iterator.next())
      if (next.done === true) return
      const one = storedOf(next.value)
      if (one === undefined) malformed += 1
      else yield one
    }
  }

  return {
    rows(filter = {}, last) {
      const { condition, values } = conditionOf(filter)
      const order = last === undefined ? 'ORDER BY seq' : `ORDER BY seq DESC LIMIT ${Math.max(0, Math.floor(last))}`
      const query = `SELECT seq, record FROM decisions WHERE ${condition} ${order}`
      const sorted = last === undefined ? query : `SELECT * FROM (${query}) ORDER BY seq`
      return stored(database.prepare(sorted).iterate(...values))
    },
    find(id) {
      const [byRefusal] = stored(
        database.prepare('SELECT seq, record FROM decisions WHERE refusal = ? ORDER BY seq DESC LIMIT 1').iterate(id),
      )
      if (byRefusal !== undefined || id.length < 6) return byRefusal
      const [byId] = stored(
        database.prepare('SELECT seq, record FROM decisions WHERE id >= ? AND id < ? LIMIT 1').iterate(id, `${id}~`),
      )
      return byId
    },
    get unreadable() {
      return malformed
    },
    check: () => attempt(() => checkChain(database)),
    hashAt: (seq) => attempt(() => hashAt(database, seq)),
    head: () => attempt(() => chainEnds(database).head.seq),
    stats: (filter) => attempt(() => readStats(database, filter)),
    choices: () => attempt(() => readChoices(database)),
    history: (filter) => attempt(() => readHistory(database, filter)),
    countedQuestions: (filter) => attempt(() => countedQuestions(database, filter)),
    lost: () => attempt(() => lostDecisions(database, file)),
    close: () => database.close(),
  }
}

function storedOf(raw: unknown): StoredDecision | undefined {
  try {
    const row = Row.parse(typeof raw === 'object' && raw !== null ? { ...raw } : raw)
    return { seq: row.seq, record: DecisionRecord.parse(JSON.parse(row.record)) }
  } catch {
    return undefined
  }
}
