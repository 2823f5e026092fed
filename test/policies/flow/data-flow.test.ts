import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { createGate } from '../../../src/library/index.ts'
import { claudeEvent } from '../../support/wire.ts'
import { heldOutOrders, heldOutSteps, heldOutValues, notStopped } from './held-out-attacks.ts'
import { heldOutEveryday } from './held-out-everyday.ts'
import { secondOrders, secondValues } from './second-attacks.ts'
import { askedAbout, secondEveryday } from './second-everyday.ts'
import { everyday, type MadeCall, orderedFromOutside, sentAfterSecret, type Sequence, valuesSent } from './sequences.ts'

const pack = fileURLToPath(new URL('../../../policies/data-flow', import.meta.url))
const home = '/home/u'
const gate = createGate({ placement: 'caller', rules: [pack], discover: false, home, env: { HOME: home } })
afterAll(() => gate.close())

let sessions = 0

/** Plays a session, and returns what is said of its last call. */
async function judged({ before, last }: Sequence) {
  const session_id = `session-${(sessions += 1)}`
  const decide = async (name: string, fields: object) =>
    gate.decide(await gate.decode(claudeEvent(name, join(home, 'proj'), { session_id, ...fields })))
  const callOf = ([tool_name, input, , fields]: MadeCall, at: number) => ({
    tool_name,
    tool_input: typeof input === 'string' ? { command: input } : input,
    tool_use_id: `toolu_${at}`,
    ...fields,
  })
  for (const [at, one] of before.entries()) {
    /* oxlint-disable no-await-in-loop -- in order */
    if (typeof one === 'string') await decide('UserPromptSubmit', { prompt: one })
    else {
      const { decision } = await decide('PreToolUse', callOf(one, at))
      if (decision === 'abstain') await decide('PostToolUse', { ...callOf(one, at), tool_response: one[2] ?? {} })
    }
    /* oxlint-enable no-await-in-loop */
  }
  return decide('PreToolUse', callOf(last, before.length))
}

describe.each([
  ['the value of a secret that was shown is not sent', valuesSent],
  ['after content from outside, nothing is sent to strangers unasked', orderedFromOutside],
  ['after a secret was shown, nothing is sent to strangers unasked', sentAfterSecret],
])('%s', (_, sequences) => {
  it.each(sequences)('$name', async (sequence) => {
    const { decision, reason } = await judged(sequence)
    expect({ decision, reason }).toEqual({
      decision: expect.stringMatching(/ask|deny/),
      reason: expect.stringMatching(/./),
    })
  })
})

describe.each([
  ['the value of a secret that was shown is not sent', heldOutValues],
  ['after content from outside, nothing is sent to strangers unasked', heldOutOrders],
  ['no step of an attack in several steps sends something unasked', heldOutSteps],
  ['the value of a secret that was shown is not sent, by whatever names or carries it', secondValues],
  ['after content from outside, nobody is let in or paid unasked', secondOrders],
])('in sequences that were written after the rules, %s', (_, sequences) => {
  it.each(sequences.filter(({ name }) => !notStopped.has(name)))('$name', async (sequence) => {
    const { decision } = await judged(sequence)
    expect(decision).toMatch(/ask|deny/)
  })

  it('but for those that the list of what is not stopped names', async () => {
    const missed = sequences.filter(({ name }) => notStopped.has(name))
    const decisions = await Promise.all(missed.map(async (sequence) => (await judged(sequence)).decision))
    expect(decisions).toEqual(missed.map(() => 'abstain'))
  })
})

describe('nobody is asked about everyday work that was written after the rules', () => {
  it.each([...heldOutEveryday, ...secondEveryday.filter(({ name }) => !askedAbout.has(name))])(
    '$name',
    async (sequence) => {
      const { decision, reason } = await judged(sequence)
      expect({ decision, reason }).toEqual({ decision: 'abstain', reason: '' })
    },
  )
})

describe('nobody is asked about everyday work', () => {
  it.each(everyday)('$name', async (sequence) => {
    const { decision, reason } = await judged(sequence)
    expect({ decision, reason }).toEqual({ decision: 'abstain', reason: '' })
  })
})
