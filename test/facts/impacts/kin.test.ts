import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { impactsIn } from '../../../src/facts/impacts/read-impacts.ts'
import { factsOf } from '../../support/shell-facts.ts'

/** Calls of well-known programs, each with calls of forks, successors and drop-ins in the indented lines below it. */
const pairs = readFileSync(join(import.meta.dirname, 'kin.txt'), 'utf8')
  .trimEnd()
  .split('\n')
  .reduce<{ original: string; all: (readonly [original: string, kin: string])[] }>(
    ({ original, all }, line) =>
      line.startsWith('  ') ? { original, all: [...all, [original, line.trim()] as const] } : { original: line, all },
    { original: '', all: [] },
  ).all

/** Returns what a command does to others, by kind, and which paths it changes, or reads outside of the project. */
function doneBy(command: string): ReadonlySet<string> {
  const facts = factsOf(command)
  const paths = facts.commands.flatMap((one) => one.paths)
  return new Set([
    // To change the user is what some of these programs are for, and others do it for one who may already.
    ...impactsIn(facts).flatMap(({ kind }) => (kind === 'grant' ? [] : [kind])),
    ...paths.flatMap(({ access, absolute = '/' }) =>
      access === 'read' && absolute.startsWith('/home/u/proj/') ? [] : [`${access} ${absolute}`],
    ),
  ])
}

it('a program that takes the place of another does the same', () => {
  const missing = pairs.flatMap(([original, kin]) => {
    const done = doneBy(kin)
    const lacks = [...doneBy(original)].filter((one) => !done.has(one))
    return lacks.length === 0 ? [] : [`${kin}: does not ${lacks.join(', ')}, as \`${original}\` does`]
  })
  expect(missing).toEqual([])
  expect(pairs.length).toBeGreaterThan(600)
})
