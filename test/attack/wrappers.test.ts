import { expect, it, onTestFinished } from 'vitest'
import { createGate } from '../../src/library/index.ts'
import { sampleOf } from '../support/sample.ts'
import { claudeShell } from '../support/wire.ts'
import { folderWith } from '../support/workspace.ts'
import { wrappedDangers } from '../support/wrappers.ts'

/** The least share of wrapped dangers that is refused or asked about. */
const gatedMin = 0.98

it('a danger is gated behind whatever launches it', { timeout: 600_000 }, async () => {
  // As a user has it who turned on the preset.
  const rules = folderWith({ 'hooks.json': { json: { preset: 'recommended' } } })
  const gate = createGate({
    placement: 'caller',
    rules: [rules],
    discover: false,
    home: '/home/u',
    env: { HOME: '/home/u' },
  })
  onTestFinished(() => gate.close())
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
