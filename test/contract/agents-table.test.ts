import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { dialects } from '../support/dialects.ts'
import { titleOf, agentNames, agents, type KnownAgent, reportsFailure } from '../../src/agents/registry.ts'
import type { ProtocolSupport } from '../../src/model/dialect.ts'
import { type Fault, faults, type Outcome } from '../real-agents/faults.ts'
import { type Setup, setups } from '../real-agents/setups.ts'
import { shellEvent } from '../real-agents/shell-event.ts'
import { pins } from '../real-agents/pins.ts'

const page = readFileSync(new URL('../../docs/agents.md', import.meta.url), 'utf8')
const heading = '## What each agent can express before a tool is run'

/** The table's word for each kind of support. */
const words: Readonly<Record<ProtocolSupport['ask'] | ProtocolSupport['context'], string>> = {
  native: 'yes',
  asDeny: 'refuses',
  implicit: 'asks by itself',
  unsupported: 'no',
  dropped: 'no',
}

function rowOf(agent: KnownAgent): readonly string[] {
  const { deny, ask, replaceInput, context, stop } = dialects[agent].support(shellEvent(agent))
  const version = Object.entries(pins).find(([name]) => name === agent)?.[1].version
  const support = [deny, ask, replaceInput, context, stop].map((how) => words[how])
  return [titleOf(agent), ...support, ...brokenOf(agent), version ?? 'no']
}

/** Returns what `test/real-agents` expects without a gate and without the hook file, if the agent is tested there. */
function brokenOf(agent: KnownAgent): readonly string[] {
  const own = setups.filter((setup) => setup.agent === agent)
  if (own.length === 0) return ['not tried', 'not tried']
  const [byFile, byHttp] = [own.find(({ needsClient }) => needsClient), own.find(({ needsClient }) => !needsClient)]
  const otherwise = (what: string) => (byHttp === undefined ? '' : `; by HTTP ${what}`)
  return [
    `${byFile?.ifGateDies}${otherwise(`${byHttp?.ifGateDies}`)}`,
    `${byFile?.withoutFile}${otherwise('needs none')}`,
  ]
}

describe('the table of agents in docs/agents.md', () => {
  it('lists what each dialect supports, and the version of the agent that was tested', () => {
    const section = page.split(`${heading}\n`)[1]?.split('\n#')[0] ?? ''
    const rows = section.split('\n').filter((line) => line.startsWith('| '))
    const cells = rows.map((line) => line.split('|').slice(1, -1))
    const listed = cells.slice(2).map((row) => row.map((cell) => cell.trim()))
    expect(listed).toEqual(agentNames.map(rowOf))
  })
})

const nameOf = ({ agent, flags }: Setup) => `${titleOf(agent)}${flags.includes('http') ? ' by HTTP' : ''}`

/** Returns the rows of a fault: one for each outcome, the most usual first, with the agents that it concerns. */
function rowsOf({ title, outcome }: Fault): readonly (readonly string[])[] {
  const concerned = setups.flatMap((setup) => {
    const expected = outcome(setup)
    return expected === undefined ? [] : [{ setup, cells: cellsOf(expected) }]
  })
  const groups = [...Map.groupBy(concerned, ({ cells }) => cells.join())].map(([, group]) => group)
  const [usual = [], ...others] = groups.toSorted((a, b) => b.length - a.length)
  const names = (group: typeof usual) => {
    const left = setups.filter((setup) => group.every((one) => one.setup !== setup)).map(nameOf)
    const [listed, allBut] = [group.map(({ setup }) => nameOf(setup)).join(', '), `all but ${left.join(', ')}`]
    return allBut.length < listed.length ? allBut : listed
  }
  const all = concerned.length === setups.length ? 'all' : names(usual)
  const line = (group: typeof usual, who: string) => [title, who, ...(group[0]?.cells ?? [])]
  return [line(usual, others.length === 0 ? all : 'all others'), ...others.map((group) => line(group, names(group)))]
}

const cellsOf = ({ harmless, danger, status }: Outcome) => [harmless, danger, status]

describe('the table of faults in docs/agents.md', () => {
  it('lists what `test/real-agents` expects of the real programs', () => {
    const section = page.split('## When something breaks\n')[1]?.split('\n## ')[0] ?? ''
    const rows = section.split('\n').filter((text) => text.startsWith('| '))
    const listed = rows.slice(2).map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
    expect(listed).toEqual(faults.flatMap(rowsOf))
  })
})

describe('the table of failed commands in docs/state.md', () => {
  it('names each agent where its descriptor says what it reports', () => {
    const section = readFileSync(new URL('../../docs/state.md', import.meta.url), 'utf8')
      .split('### Commands that fail\n')[1]
      ?.split('\n#')[0]
    const rows = (section?.split('\n') ?? []).filter((line) => line.startsWith('| ')).slice(2)
    const [byEvent, byCode, ...unsaid] = rows.map((line) => line.split('|')[2]?.trim().split(', '))
    const titles = (is: (agent: (typeof agents)[number]) => boolean) => agents.filter(is).map(({ title }) => title)
    expect(byEvent).toEqual(titles(({ name, shellExit }) => shellExit === undefined && reportsFailure(name)))
    expect(byCode).toEqual(titles(({ shellExit }) => shellExit !== undefined))
    const others = titles(({ name, shellExit }) => shellExit === undefined && !reportsFailure(name))
    expect(new Set(unsaid.flat())).toEqual(new Set(others))
  })
})
