import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root, textOf } from './pages.ts'

const rows = textOf('docs/differences.md')
  .split('\n')
  .filter((line) => /^\| (?!the agent|-)/.test(line))

/** Escapes a title for a pattern. */
const escaped = (title: string) => title.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

it('each difference is one row with a reason and a test', () => {
  expect(rows.length).toBeGreaterThan(20)
  const cells = rows.map((row) => row.split(/ *(?<!\\)\| */).slice(1, -1))
  expect(cells.filter((row) => row.length !== 4 || row.some((cell) => cell === ''))).toEqual([])
})

it.each(rows)('the test that a difference names exists: %s', (row) => {
  const [, file = '', title = ''] = /\[(test\/[\w/.-]+)\]\(\.\.\/\1\): “([^”]+)” +\|$/.exec(row) ?? []
  expect(existsSync(join(root, file)) && file.endsWith('.test.ts')).toBe(true)
  const quoted = new RegExp(`\\(\\s*(['"\`])${escaped(title)}\\1,`)
  expect(readFileSync(join(root, file), 'utf8')).toMatch(quoted)
})
