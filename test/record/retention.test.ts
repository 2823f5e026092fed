import { statSync } from 'node:fs'
import { expect, it } from 'vitest'
import { openForWriting } from '../../src/record/database.ts'
import { batchAt, chainOf, noDecisions, rowsIn, writerOf } from '../support/decisions.ts'
import { prune, recordedFiguresMax, recordPruneEveryBatches } from '../../src/record/writer.ts'

const dayMs = 86_400_000
const nowMs = Date.UTC(2026, 8, 21)

function pruned(file: string, keep: Parameters<typeof prune>[1]): void {
  const database = openForWriting(file, 100)
  prune(database, keep, nowMs)
  database.close()
}

it('removes what is older than the settings say; the chain begins after it, and goes on', () => {
  const file = noDecisions()
  const writer = writerOf(file)
  for (let day = 10; day >= 0; day -= 1) writer.write(batchAt(nowMs - day * dayMs - 1, 10))
  pruned(file, { days: 3, megabytes: 100 })
  expect(rowsIn(file)).toBe(30)
  expect(chainOf(file)).toMatchObject({ kind: 'whole', rows: 30, head: { seq: 110 } })
  writer.write(batchAt(nowMs, 5))
  expect(chainOf(file)).toMatchObject({ kind: 'whole', rows: 35, head: { seq: 115 } })
})

it('removes the oldest until the file is as small as the settings say, and the file shrinks', () => {
  const file = noDecisions()
  const writer = writerOf(file)
  for (let batch = 0; batch < 20; batch += 1) writer.write(batchAt(nowMs, 200, { subject: 'x'.repeat(1500) }))
  writer.end()
  expect(statSync(file).size).toBeGreaterThan(6e6)
  pruned(file, { days: 90, megabytes: 2 })
  expect(statSync(file).size).toBeLessThan(3.2e6)
  expect(rowsIn(file)).toBeGreaterThan(0)
  expect(chainOf(file)).toMatchObject({ kind: 'whole', head: { seq: 4000 } })
})

it('removes the oldest days of figures that are too many, and no decision for them', () => {
  const file = noDecisions()
  const writer = writerOf(file)
  writer.write(batchAt(nowMs, 100))
  writer.end()
  const database = openForWriting(file, 100)
  database.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${recordedFiguresMax})
    INSERT INTO times SELECT CASE WHEN i <= 1000 THEN '2026-09-20' ELSE '2026-09-19' END, 'rule ' || i, 0, 1 FROM n`)
  const figures = () => Number(database.prepare("SELECT count(*) AS n FROM times WHERE rule <> ''").get()?.['n'])
  database.exec("INSERT INTO times VALUES ('2026-09-20', 'one more', 0, 1)")
  prune(database, { days: 90, megabytes: 1 }, nowMs)
  expect(figures()).toBe(1001)
  database.close()
  expect(rowsIn(file)).toBe(100)
})

it('does not mend a chain that someone has broken among the rows that stay', () => {
  const file = noDecisions()
  const writer = writerOf(file)
  for (let day = 5; day >= 0; day -= 1) writer.write(batchAt(nowMs - day * dayMs - 1, 10))
  const database = openForWriting(file, 100)
  database.exec('DELETE FROM decisions WHERE seq = 45')
  database.close()
  pruned(file, { days: 3, megabytes: 100 })
  expect(chainOf(file)).toMatchObject({ kind: 'broken', seq: 45, what: 'missing' })
})

it('is looked after by each writer with its first batch, and again after some', () => {
  const file = noDecisions()
  const keep = { days: 30, megabytes: 100 }
  const writer = writerOf(file)
  const old = batchAt(Date.now() - 40 * dayMs, 1)
  writer.write(old, keep)
  expect(rowsIn(file)).toBe(0)
  for (let batch = 1; batch < recordPruneEveryBatches; batch += 1) writer.write(old, keep)
  expect(rowsIn(file)).toBe(recordPruneEveryBatches - 1)
  writer.write(old, keep)
  expect(rowsIn(file)).toBe(0)
})
