import { expect, it } from 'vitest'
import { halfOf, readOwnCorpus, textOf } from '../../bench/accuracy/own.ts'

const rows = readOwnCorpus()

it('the own corpus has at least 200 dangers and 300 everyday calls, none of them twice', () => {
  expect(rows.filter(({ label }) => label === 'danger').length).toBeGreaterThanOrEqual(200)
  expect(rows.filter(({ label }) => label === 'everyday').length).toBeGreaterThanOrEqual(300)
  expect(new Set(rows.map(textOf)).size).toBe(rows.length)
})

it('each call of it is a command or the call of a tool, never both', () => {
  expect(rows.filter(({ cmd, tool }) => (cmd === undefined) === (tool === undefined))).toEqual([])
})

it('its halves are of about the same size, and depend on the call alone', () => {
  const seen = rows.filter((row) => halfOf(row) === 'seen')
  expect(seen.length / rows.length).toBeGreaterThan(0.4)
  expect(seen.length / rows.length).toBeLessThan(0.6)
  expect(seen.every((row) => halfOf({ ...row, why: 'another', label: 'everyday' }) === 'seen')).toBe(true)
})
