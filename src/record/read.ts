import type { DatabaseSync } from 'node:sqlite'
import { existsSync } from 'node:fs'
import { z } from 'zod'
import type { Decision } from '../model/effect.ts'
import { type ChainCheck, checkChain } from './chain.ts'
import { openForReading, unreadable } from './database.ts'
import { DecisionRecord, idAt } from './record.ts'

/** A row of the record. */
export interface StoredDecision {
  /** 1, 2, 3, … in the order of writing. */
  readonly seq: number
  readonly record: DecisionRecord
}

/** What a row must have. All fields that are set must match; of a list, one value. */
export interface DecisionFilter {
  /** From this moment, ms since the epoch. */
  readonly sinceMs?: number | undefined
  /** Before this moment. */
  readonly untilMs?: number | undefined
  /** Rows after this one. */
  readonly afterSeq?: number | undefined
  readonly agent?: string | undefined
  readonly session?: string | undefined
  /** The project's folder, or a folder above it. Absolute. */
  readonly project?: string | undefined
  /** A rule's id or a part of it, among those that spoke or failed. */
  readonly rule?: string | undefined
  readonly decisions?: readonly Decision[] | undefined
  /** A tool's kind, or the agent's name for it. */
  readonly tool?: string | undefined
  /** Text in the subject or the reason, in any case of letters. */
  readonly text?: string | undefined
}

export interface DecisionReader {
  /** Reads rows in the order of writing, one at a time. With `last`, the last so many of them. */
  rows(filter?: DecisionFilter, last?: number): Iterable<StoredDecision>
  /** Finds a row by the beginning of its id (at least 6 characters), or by the id of its refusal. */
  find(id: string): StoredDecision | undefined
  /** How many rows could not be read so far: they are not what hookgate writes. */
  readonly unreadable: number
  check(): ChainCheck
  /** For statistics, which are one query each. Read-only. */
  readonly database: DatabaseSync
  close(): void
}

const Row = z.strictObject({ seq: z.int(), record: z.string() })

/**
 * Opens the record for reading; `undefined` if nothing was recorded yet.
 *
 * @throws HookgateError `unavailable` if it cannot be read
 */
export function openReader(file: string): DecisionReader | undefined {
  if (!existsSync(file)) return undefined
  const database = openForReading(file)
  let malformed = 0

  function* stored(rows: Iterable<unknown>): Iterable<StoredDecision> {
    const iterator = rows[Symbol.iterator]()
    while (true) {
      let next: IteratorResult<unknown>
      try {
        next = iterator.next()
      } catch (cause) {
        throw unreadable(file, cause)
      }
      if (next.done === true) return
      const one = storedOf(next.value)
      if (one === undefined) malformed += 1
      else yield one
    }
  }

  return {
    database,
    rows(filter = {}, last) {
      const { where, values } = conditions(filter)
      const order = last === undefined ? 'ORDER BY seq' : `ORDER BY seq DESC LIMIT ${Math.max(0, Math.floor(last))}`
      const query = `SELECT seq, record FROM decisions ${where} ${order}`
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
    check: () => checkChain(database),
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

function conditions(filter: DecisionFilter): { readonly where: string; readonly values: (string | number)[] } {
  const { sinceMs, untilMs, afterSeq, agent, session, project, rule, decisions, tool, text } = filter
  const all: (readonly [string, ...(string | number)[]])[] = []
  if (sinceMs !== undefined) all.push(['id >= ?', idAt(sinceMs)])
  if (untilMs !== undefined) all.push(['id < ?', idAt(untilMs)])
  if (afterSeq !== undefined) all.push(['seq > ?', afterSeq])
  if (agent !== undefined) all.push(['agent = ?', agent])
  if (session !== undefined) all.push(['session = ?', session])
  if (project !== undefined) {
    const below = project.endsWith('/') ? project : `${project}/`
    all.push(['(project = ? OR substr(project, 1, ?) = ?)', project, below.length, below])
  }
  if (decisions !== undefined) all.push([`decision IN (${decisions.map(() => '?').join(', ')})`, ...decisions])
  if (tool !== undefined) all.push(["(tool = ? OR record ->> '$.toolName' = ?)", tool, tool])
  if (text !== undefined) all.push([`(${['subject', 'reason'].map(contains).join(' OR ')})`, text, text])
  if (rule !== undefined) {
    const ids = "SELECT 1 FROM json_each(record, '$.evaluations') WHERE instr(value ->> '$.ruleId', ?) > 0"
    all.push([`EXISTS (${ids})`, rule])
  }
  const where = all.length === 0 ? '' : `WHERE ${all.map(([condition]) => condition).join(' AND ')}`
  return { where, values: all.flatMap(([, ...values]) => values) }
}

const contains = (column: string) => `instr(lower(coalesce(${column}, '')), lower(?)) > 0`
