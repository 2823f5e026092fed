import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rowHash } from '../../src/record/chain.ts'
import { batchAt, chainOf, databaseAt, noDecisions, writerOf } from '../support/decisions.ts'

const nowMs = Date.UTC(2026, 8, 21)

/** Writes 20 rows by two writers, and then changes something. */
function tampered(sql: string): ReturnType<typeof chainOf> {
  const file = noDecisions()
  const writers = [writerOf(file), writerOf(file)]
  for (let batch = 0; batch < 4; batch += 1) writers[batch % 2]?.write(batchAt(nowMs + batch, 5))
  expect(chainOf(file)).toMatchObject({ kind: 'whole', rows: 20, head: { seq: 20 } })
  databaseAt(file).exec(sql)
  return chainOf(file)
}

const swap = `
  CREATE TEMP TABLE two AS SELECT * FROM decisions WHERE seq IN (7, 8);
  UPDATE decisions SET id = (SELECT id FROM two WHERE seq = 15 - decisions.seq),
    record = (SELECT record FROM two WHERE seq = 15 - decisions.seq),
    hash = (SELECT hash FROM two WHERE seq = 15 - decisions.seq) WHERE seq IN (7, 8)`

describe('the chain of decisions', () => {
  it.each([
    [
      'a changed record',
      "UPDATE decisions SET record = json_set(record, '$.decision', 'allow') WHERE seq = 7",
      7,
      'changed',
    ],
    ['one changed space', "UPDATE decisions SET record = record || ' ' WHERE seq = 7", 7, 'changed'],
    ['a changed id', "UPDATE decisions SET id = 'x' WHERE seq = 7", 7, 'changed'],
    ['a changed hash', 'UPDATE decisions SET hash = zeroblob(32) WHERE seq = 7', 7, 'changed'],
    ['a removed row', 'DELETE FROM decisions WHERE seq = 7', 7, 'missing'],
    ['a removed first row', 'DELETE FROM decisions WHERE seq = 1', 1, 'missing'],
    ['removed rows at the end, with the head kept', 'DELETE FROM decisions WHERE seq > 15', 16, 'missing'],
    ['all rows removed, with the head kept', 'DELETE FROM decisions', 1, 'missing'],
    [
      'rows renumbered to close a gap',
      'DELETE FROM decisions WHERE seq = 7; UPDATE decisions SET seq = -seq WHERE seq > 7; UPDATE decisions SET seq = -seq - 1 WHERE seq < 0',
      7,
      'changed',
    ],
    ['two rows swapped', swap, 7, 'changed'],
    [
      'a row put before the first',
      'INSERT INTO decisions SELECT 0, id, record, hash FROM decisions WHERE seq = 1',
      0,
      'missing',
    ],
    [
      'a row put after the last',
      'INSERT INTO decisions SELECT 21, id, record, hash FROM decisions WHERE seq = 1',
      21,
      'surplus',
    ],
    [
      'a head that was moved back with its rows kept',
      'UPDATE chain SET head_seq = 15, head_hash = (SELECT hash FROM decisions WHERE seq = 15)',
      16,
      'surplus',
    ],
    ['a changed head', 'UPDATE chain SET head_hash = zeroblob(32)', 20, 'head'],
    ['a changed base', "UPDATE chain SET base_hash = x'00ff'", 1, 'changed'],
  ])('shows %s, and names the first row that is wrong', (_, sql, seq, what) => {
    expect(tampered(sql)).toMatchObject({ kind: 'broken', seq, what })
  })

  it('is one chain over all writers and whatever they write, and each single changed row is found', () => {
    const batches = fc.array(fc.record({ by: fc.nat(2), rows: fc.nat(4), text: fc.string({ unit: 'binary' }) }), {
      minLength: 1,
      maxLength: 12,
    })
    fc.assert(
      fc.property(batches, fc.nat(), (given, at) => {
        const file = noDecisions()
        const writers = [writerOf(file), writerOf(file), writerOf(file)]
        for (const { by, rows, text } of given)
          writers[by]?.write(batchAt(nowMs, rows, { subject: text, session: text }))
        for (const writer of writers) writer.end()
        const rows = given.reduce((sum, one) => sum + one.rows, 0)
        expect(chainOf(file)).toMatchObject({ kind: 'whole', rows })
        if (rows === 0) return
        const seq = (at % rows) + 1
        databaseAt(file)
          .prepare("UPDATE decisions SET record = json_set(record, '$.reason', 'x') WHERE seq = ?")
          .run(seq)
        expect(chainOf(file)).toMatchObject({ kind: 'broken', seq, what: 'changed' })
      }),
      { numRuns: 15 },
    )
  })

  it('hashes as the documentation says, so that others can check it', () => {
    const text = Buffer.concat([Buffer.alloc(32), Buffer.from('1\nid\n{}')])
    const hash = process.getBuiltinModule('node:crypto').createHash('sha256').update(text).digest()
    expect(Buffer.from(rowHash(Buffer.alloc(32), 1, 'id', '{}')).equals(hash)).toBe(true)
  })
})
