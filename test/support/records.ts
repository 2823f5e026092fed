import { join } from 'node:path'
import type { DecisionRecord } from '../../src/record/record.ts'
import { newRecordId } from '../../src/record/record-id.ts'
import { usualRecord } from '../../src/model/record-settings.ts'
import { decisionsIn, type RecordBatch } from '../../src/record/append.ts'
import { limits } from '../../src/model/limits.ts'
import { openWriter } from '../../src/record/writer.ts'
import { folderWith } from './workspace.ts'

/** Creates the record of a decision. @param atMs when it was made */
export function recordWith(some: Partial<DecisionRecord> = {}, atMs = Date.now()): DecisionRecord {
  return {
    id: newRecordId(atMs),
    at: new Date(atMs).toISOString(),
    version: '1.0.0',
    via: 'client',
    agent: 'claude-code',
    session: 's1',
    project: '/home/me/web',
    event: 'PreToolUse',
    tool: 'shell',
    toolName: 'Bash',
    subject: 'npm test',
    decision: 'abstain',
    told: 'abstain',
    reason: '',
    determining: [],
    obligations: [],
    contextBytes: 0,
    contextTruncatedBytes: 0,
    durationMs: 1.5,
    slowest: null,
    rules: 3,
    evaluations: [],
    ...some,
  }
}

/** A refusal by one rule. */
export const refusedBy = (ruleId: string, some: Partial<DecisionRecord> = {}): Partial<DecisionRecord> => ({
  decision: 'deny',
  told: 'deny',
  reason: 'not here',
  determining: [ruleId],
  evaluations: [{ ruleId, durationMs: 0.2, effect: 'deny', reason: 'not here' }],
  ...some,
})

/** Appends rows to a database as a gate does: records, or texts that are none. */
export function append(
  file: string,
  rows: readonly (DecisionRecord | string)[],
  more: Partial<RecordBatch> = {},
  lost = 0,
) {
  const by = { name: `test-${Math.random()}`, startedAt: new Date().toISOString() }
  const writer = openWriter(file, by, limits.recordLockMs)
  const batch: RecordBatch = {
    rows: rows.map((row) =>
      typeof row === 'string'
        ? { id: newRecordId(Date.now()), record: row }
        : { id: row.id, record: JSON.stringify(row) },
    ),
    counts: [],
    times: [],
    ...more,
  }
  const result = writer.write(batch, { written: decisionsIn(batch), lost }, usualRecord)
  if (result.kind !== 'written') throw new Error(result.why)
  writer.end(undefined)
}

/** Creates a database with rows, in a folder of its own. @returns its file */
export function databaseWith(rows: readonly (DecisionRecord | string)[]): string {
  const file = join(folderWith(), 'decisions.db')
  append(file, rows)
  return file
}
