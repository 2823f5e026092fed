import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { cliPage } from './cli-page.ts'
import { commandFields, fieldsPage } from './fields-page.ts'
import { knownProgramsPage } from './known-programs-page.ts'
import { pages, root, textOf } from './pages.ts'

/** Computes the anchor that code hosts give a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')

function anchorsIn(file: string): readonly string[] {
  const text = readFileSync(file, 'utf8').replaceAll(/^```[\s\S]*?^```$/gm, '')
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading))
}

it.each(pages)('every link of %s leads to a file, and to a heading of it where it names one', (page) => {
  const links = [...textOf(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
  const broken = links
    .filter((link) => !/^https?:/.test(link))
    .filter((link) => {
      const [path = '', anchor] = link.split('#')
      const file = path === '' ? join(root, page) : join(root, dirname(page), path)
      return !existsSync(file) || (anchor !== undefined && !anchorsIn(file).includes(anchor))
    })
  expect(broken).toEqual([])
})

it('docs/cli.md matches the commands’ help: `npm run docs` regenerates it', async () => {
  expect(textOf('docs/cli.md')).toBe(await cliPage())
})

it('docs/known-programs.md matches the tables: `npm run docs` regenerates it', () => {
  expect(textOf('docs/known-programs.md')).toBe(knownProgramsPage())
})

it('docs/fields.md has each field of a command with its meaning, and matches the types: `npm run docs` regenerates it', () => {
  expect(commandFields().length).toBeGreaterThan(40)
  expect(commandFields().filter(({ what }) => what === '')).toEqual([])
  expect(textOf('docs/fields.md')).toBe(fieldsPage())
})

it.each([...pages, 'CHANGELOG.md'])('no line of %s is too long for an editor', (page) => {
  const long = textOf(page)
    .split('\n')
    .filter((line) => line.length > 200)
  expect(long, 'wrap it, or shorten the cells of the table').toEqual([])
})

it('the README is short enough to read completely', () => {
  const text = textOf('README.md')
  const words = text.split(/\s+/).filter((word) => /\w/.test(word)).length
  // A README that grows moves something into docs/.
  expect(text.split('\n').length).toBeLessThanOrEqual(151)
  expect(words).toBeLessThanOrEqual(1200)
})
