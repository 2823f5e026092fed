import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { createGate } from '../../../src/library/index.ts'
import { claudeEvent } from '../../support/wire.ts'
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
  const callOf = ([tool_name, input]: MadeCall, at: number) => ({
    tool_name,
    tool_input: typeof input === 'string' ? { command: input } : input,
    tool_use_id: `toolu_${at}`,
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

describe('nobody is asked about everyday work', () => {
  it.each(everyday)('$name', async (sequence) => {
    const { decision, reason } = await judged(sequence)
    expect({ decision, reason }).toEqual({ decision: 'abstain', reason: '' })
  })
})
