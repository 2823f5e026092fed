import { expect, it } from 'vitest'
import { agentNames } from '../../src/agents/registry.ts'
import { kindMeanings, thingMeanings } from '../../src/model/impact.ts'
import { networkMeanings } from '../../src/model/shell-network.ts'
import { FactDeclaration } from '../../src/model/policy.ts'
import { textOf } from './pages.ts'

/** Returns the section of a page below a heading. */
const sectionOf = (page: string, heading: string) => textOf(page).split(`\n${heading}\n`)[1]?.split('\n## ')[0] ?? ''

it('docs/agents.md names each agent in the sentence and the list, or has a section on it', () => {
  const section = sectionOf('docs/agents.md', '## Any other agent')
  const own = ['claude-code', 'cline'].filter((name) => textOf('docs/agents.md').includes(`hookgate enable ${name} `))
  const sentence = /The same works for ([^.]*)\./.exec(section)?.[1] ?? ''
  const inSentence = [...sentence.matchAll(/`([\w-]+)`/g)].map(([, name]) => name)
  const [firstList = ''] = /^- \*\*`[\s\S]*?\n\n/m.exec(section) ?? []
  const inList = [...firstList.matchAll(/^- \*\*`([\w-]+)`\*\*:/gm)].map(([, name]) => name)
  const shown = 'codex' // The block of commands above the sentence shows this agent.
  expect(new Set([...own, ...inList])).toEqual(new Set(agentNames))
  expect(new Set([...own, shown, ...inSentence])).toEqual(new Set(agentNames))
})

it('docs/policies.md has a row for each kind of fact, and no other', () => {
  const rows = [...sectionOf('docs/policies.md', '## Facts').matchAll(/^\| `\{ (\w+):/gm)].map(([, kind]) => kind)
  const kinds = FactDeclaration.options.map(({ shape }) => Object.keys(shape)[0])
  expect(new Set(rows)).toEqual(new Set(kinds))
})

/** Returns the meanings in the table below a heading of a page, by what they are of. */
const meaningsIn = (page: string, heading: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...sectionOf(page, heading).matchAll(/^\| `(\w+)` +\| (.+?) +\|$/gm)].map(([, name = '', meaning = '']) => [
      name,
      meaning,
    ]),
  )

it('docs/impacts.md has a row for each kind and thing of impacts, with its meaning', () => {
  expect(meaningsIn('docs/impacts.md', '## Kinds')).toEqual(kindMeanings)
  expect(meaningsIn('docs/impacts.md', '## Things')).toEqual(thingMeanings)
})

it('docs/shell-facts.md has a row for each kind of network access, with its meaning', () => {
  expect(meaningsIn('docs/shell-facts.md', '## The network')).toEqual(networkMeanings)
})
