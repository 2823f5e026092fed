import type { Evaluation } from '../model/evaluation.ts'
import { dayOf } from '../words/moment.ts'
import type { RecordSettings } from '../model/record-settings.ts'
import { type DecisionCount, decisionsIn, type RecordBatch, type RecordRow, type TimeCount } from './append.ts'
import { isListed, isNotable } from './filter.ts'
import type { DecisionRecord } from './record.ts'
import { bucketOf } from './durations.ts'

/** Decisions that wait to be written. */
interface WaitingRows {
  add(record: DecisionRecord, evaluations: readonly Evaluation[], level: RecordSettings['level']): void
  /** The number of decisions, those that are only counted included. */
  number(): number
  /** True if there is no room for more. */
  isFull(): boolean
  /** True if they fill a batch. */
  isBatch(): boolean
  /** Takes the next batch. What was only counted is always with the first. */
  take(): RecordBatch
}

export function openWaitingRows(): WaitingRows {
  const tally = openTally()
  let rows: RecordRow[] = []
  let characters = 0
  let waiting = 0
  return {
    add(record, evaluations, level) {
      if (level === 'all' || isNotable(record)) {
        const text = JSON.stringify(record)
        rows.push({ id: record.id, record: text })
        characters += text.length
      } else {
        tally.count(record)
      }
      waiting += 1
      const day = dayOf(Date.parse(record.at))
      if (isListed(record)) tally.time(day, '', record.durationMs)
      for (const { ruleId, durationMs } of evaluations) if (durationMs > 0) tally.time(day, ruleId, durationMs)
    },
    number: () => waiting,
    isFull: () => waiting >= recordsWaitingMax || characters >= recordsWaitingCharactersMax,
    isBatch: () => rows.length >= recordBatchMax || characters >= recordBatchCharactersMax,
    take() {
      let size = 0
      let end = 0
      for (const { record } of rows) {
        size += record.length
        if (end > 0 && (end >= recordBatchMax || size > recordBatchCharactersMax)) break
        end += 1
      }
      const batch = { rows: rows.slice(0, end), ...tally.take() }
      rows = rows.slice(end)
      for (const { record } of batch.rows) characters -= record.length
      waiting -= decisionsIn(batch)
      return batch
    },
  }
}
/** Records in one transaction. A larger one gains nothing. */
export const recordBatchMax = 256
/** Records that wait to be written, if the disk is slow or locked: a minute at a rate that no person's agents reach. */
export const recordsWaitingMax = 20_000
/** Characters of the records in one transaction, and of those that wait: a record has one or two thousand. */
const recordBatchCharactersMax = 2 * 1024 * 1024
const recordsWaitingCharactersMax = 32 * 1024 * 1024

/** Counts decisions that are not recorded one by one, and how long rules take. */
interface Tally {
  count(record: DecisionRecord): void
  time(day: string, rule: string, ms: number): void
  /** Returns what was counted since the last call. */
  take(): { readonly counts: readonly DecisionCount[]; readonly times: readonly TimeCount[] }
}

function openTally(): Tally {
  let counts = new Map<string, DecisionCount>()
  let times = new Map<string, TimeCount>()
  return {
    count({ at, agent = '', project = '', event = '', tool = '', decision }) {
      const one = { day: dayOf(Date.parse(at)), agent, project, event, tool, decision }
      const key = Object.values(one).join('\0')
      counts.set(key, { ...one, number: (counts.get(key)?.number ?? 0) + 1 })
    },
    time(day, rule, ms) {
      const bucket = bucketOf(ms)
      const key = `${day}\0${rule}\0${bucket}`
      times.set(key, { day, rule, bucket, number: (times.get(key)?.number ?? 0) + 1 })
    },
    take() {
      const taken = { counts: [...counts.values()], times: [...times.values()] }
      counts = new Map()
      times = new Map()
      return taken
    },
  }
}
