import { describe, expect, it } from 'vitest'
import type { KeptStep } from '../../../src/model/past.ts'
import { suggestLimits } from '../../../src/review/suggest/limits.ts'

const nothing = { commands: [], impacts: [], paths: [], hosts: [] }
const step = (session: number, text: string, outcome: KeptStep['outcome'], seq: number): KeptStep => ({
  ...nothing,
  seq,
  atMs: seq,
  agent: 'claude-code',
  session: `s${session}`,
  workspace: '/w',
  tool: 'shell',
  name: 'Bash',
  text,
  key: text,
  outcome,
})

/** Sessions of which each has these steps, one session after the other. */
const sessions = (many: number, ...steps: readonly (readonly [text: string, outcome: KeptStep['outcome']])[]) =>
  Array.from({ length: many }, (_, at) => steps.map(([text, outcome], seq) => step(at, text, outcome, seq))).flat()

const tries = (text: string, times: number, outcome: 'done' | 'failed') =>
  Array.from({ length: times }, () => [[text, 'allowed'] as const, [text, outcome] as const]).flat()

const suggested = async (steps: readonly KeptStep[], inForce = {}) =>
  (await suggestLimits(steps, inForce)).map(({ name, value, most, of }) => [name, value.times, most, of])

describe('limits that history suggests', () => {
  it('are twice the most that a call of any session has come to, and name that call', async () => {
    const steps = sessions(20, ...tries('make a', 6, 'failed'), ['', 'prompted'], ...tries('make b', 40, 'done'))
    expect(await suggested(steps)).toEqual([
      ['failed', 12, 5, 'make a'],
      ['repeated', 80, 39, 'make b'],
    ])
  })

  it('stop no call of the sessions that they come from', async () => {
    const steps = sessions(25, ...tries('make a', 9, 'failed'), ...tries('make b', 50, 'done'))
    for (const { name, value, most } of await suggestLimits(steps, {}))
      expect([name, most < value.times]).toEqual([name, true])
  })

  it('are none after fewer than 20 sessions', async () => {
    expect(await suggested(sessions(19, ...tries('make a', 6, 'failed')))).toEqual([])
  })

  it('are no tighter than ordinary work may come to that has not come up yet', async () => {
    expect(await suggested(sessions(20, ['ls', 'allowed']))).toEqual([
      ['failed', 4, 0, undefined],
      ['repeated', 30, 0, undefined],
    ])
  })

  it('leave alone what is set, unless it would have stopped a call that ran', async () => {
    const steps = sessions(20, ...tries('make a', 6, 'failed'))
    expect(await suggested(steps, { failed: { times: 9 }, repeated: false })).toEqual([])
    expect(await suggested(steps, { failed: { times: 5 }, repeated: { times: 7 } })).toEqual([
      ['failed', 12, 5, 'make a'],
    ])
  })

  it('begin anew with what the person says, and count no call that was refused', async () => {
    const once = tries('make a', 2, 'failed')
    const steps = sessions(20, ...once, ['', 'prompted'], ...once, ['make a', 'refused'], ['make a', 'refused'])
    expect(await suggested(steps)).toEqual([
      ['failed', 4, 1, 'make a'],
      ['repeated', 30, 1, 'make a'],
    ])
  })
})
