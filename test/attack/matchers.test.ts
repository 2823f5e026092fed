import { expect, it } from 'vitest'
import { limits } from '../../src/model/limits.ts'
import { compileMatcher, matcherWarnings } from '../../src/rules/match/matcher.ts'

// A repository may bring any number of matchers, each of hundreds of names that resemble tools.

const many = limits.checkedAlternativesMax + 1

it.each(['|', '.|'])('a matcher of very many alternatives is searched for mistakes in few of them: %s', (between) => {
  const text = Array.from({ length: many }, () => 'BASH x').join(between)
  expect(matcherWarnings(text, ['PreToolUse'], 'settings', 'claude-code').length).toBeLessThan(many)
  const matcher = compileMatcher(`${text}${between}Bash`, ['PreToolUse'], 'settings', 'claude-code')
  // What was not looked at counts as it is written.
  expect(matcher.kind === 'names' ? matcher.names.includes('Bash') : matcher.kind).toBe(
    between === '|' ? true : 'pattern',
  )
})
