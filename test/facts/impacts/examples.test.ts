import { describe, expect, it } from 'vitest'
import { families } from '../../../src/facts/impacts/families/index.ts'
import { impactsIn } from '../../../src/facts/impacts/read-impacts.ts'
import { impactAreas } from '../../../src/model/impact.ts'
import { impactText } from '../../../src/model/impact-words.ts'
import { factsOf } from '../../support/shell-facts.ts'

it('each area has one family, but for those that are no table of programs', () => {
  const withoutTable = ['git', 'going-live', 'mcp-tools', 'mcp-systems']
  expect([...families.map(({ area }) => area), ...withoutTable].toSorted()).toEqual([...impactAreas].toSorted())
})

it('no family says a program twice', () => {
  const twice = families.flatMap(({ area, programs }) => {
    const names = Object.keys(programs).flatMap((key) => key.split(' '))
    return names.filter((name, at) => names.indexOf(name) !== at).map((name) => `${area}: ${name}`)
  })
  expect(twice).toEqual([])
})

describe.each(families)('the programs of $area', ({ examples = {} }) => {
  it('do what the examples beside them say', () => {
    const said = Object.keys(examples).map((command) => [
      command,
      impactsIn(factsOf(command)).map(impactText).join('; '),
    ])
    expect(Object.fromEntries(said)).toEqual(examples)
  })
})
