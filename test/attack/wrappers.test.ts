import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { createGate } from '../../src/index.ts'
import { sampleOf } from '../support/sample.ts'
import { claudeShell } from '../support/wire.ts'
import { folderWith } from '../support/workspace.ts'
import { wrappedDangers } from '../support/wrappers.ts'

/** The least share of wrapped dangers that is refused or asked about. */
const gatedMin = 0.74

// As a user has it who turned on the preset.
const folder = folderWith()
mkdirSync(join(folder, 'rules'))
const rules = join(folder, 'rules/hooks.json')
writeFileSync(rules, JSON.stringify({ preset: 'recommended' }))
const gate = createGate({ rules: [rules], discover: false, home: '/home/u', env: { HOME: '/home/u' } })
afterAll(() => gate.close())

it('a danger is gated behind whatever launches it', { timeout: 600_000 }, async () => {
  const cases = sampleOf(wrappedDangers(), 29)
  const passing: string[] = []
  for (const { launcher, danger, command } of cases) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other, as an agent asks
    const { decision } = await gate.decide(await gate.decode(claudeShell(command, '/home/u/proj')))
    if (decision !== 'deny' && decision !== 'ask') passing.push(`${launcher} ${danger}`)
  }
  const share = 1 - passing.length / cases.length
  expect({ share, passing: share < gatedMin ? passing : [] }).toEqual({ share: expect.any(Number), passing: [] })
})
