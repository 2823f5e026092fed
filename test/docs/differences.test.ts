import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root, textOf } from './pages.ts'

/** The items of the page's lists, each with its lines joined. */
const differences = textOf('docs/differences.md')
  .split(/^(?=- |#)/m)
  .filter((text) => text.startsWith('- '))
  .map((text) => text.replaceAll(/\s+/g, ' ').trim())

/** Escapes a title for a pattern. */
const escaped = (title: string) => title.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

it('each difference says what the agent does, what hookgate does, why, and which test shows it', () => {
  expect(differences.length).toBeGreaterThan(20)
  const form = /^- \*\*Agent\*\*: \S.* \*\*hookgate\*\*: \S.* \*\*Why\*\*: \S.* \*\*Test\*\*: \S/
  expect(differences.filter((text) => !form.test(text))).toEqual([])
})

it.each(differences)('the test that a difference names exists: %s', (text) => {
  const [, file = '', title = ''] = /\[(test\/[\w/.-]+)\]\(\.\.\/\1\): “([^”]+)”$/.exec(text) ?? []
  expect(existsSync(join(root, file)) && file.endsWith('.test.ts')).toBe(true)
  const quoted = new RegExp(`\\(\\s*(['"\`])${escaped(title)}\\1,`)
  expect(readFileSync(join(root, file), 'utf8')).toMatch(quoted)
})
