import { expect, it } from 'vitest'
import { partOf, readOwnCorpus, readUnseenCorpus, textOf } from '../../bench/accuracy/own.ts'

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
  const seen = rows.filter((row) => partOf(row) === 'seen')
  expect(seen.length / rows.length).toBeGreaterThan(0.4)
  expect(seen.length / rows.length).toBeLessThan(0.6)
  expect(seen.every((row) => partOf({ ...row, why: 'another', label: 'everyday' }) === 'seen')).toBe(true)
})

it('the unseen calls are commands or calls of tools, no two of them alike, and none of the own corpus', () => {
  const unseen = readUnseenCorpus()
  expect(unseen.filter(({ cmd, tool }) => (cmd === undefined) === (tool === undefined))).toEqual([])
  expect(new Set([...rows, ...unseen].map(textOf)).size).toBe(rows.length + unseen.length)
})
