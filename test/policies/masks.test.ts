import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { createGate } from '../../src/library/index.ts'
import { claudeEvent } from '../support/wire.ts'

const pack = fileURLToPath(new URL('../../policies/output-secrets', import.meta.url))
const home = '/home/u'
const gate = createGate({ placement: 'caller', rules: [pack], discover: false, home, env: { HOME: home } })
afterAll(() => gate.close())

const mask = '[hidden by hookgate: GitHub token; use $(gh auth token)]'

it.each<[tool_name: string, tool_input: object, decision: string]>([
  ['Grep', { pattern: mask }, 'abstain'],
  ['WebSearch', { query: mask }, 'abstain'],
  ['Task', { description: 'a', subagent_type: 'a', prompt: `The output has ${mask}: why?` }, 'abstain'],
  ['Bash', { command: `gh auth login --with-token <<< '${mask}'` }, 'deny'],
  ['WebFetch', { url: `https://a.example/?k=${encodeURIComponent(mask)}`, prompt: 'a' }, 'deny'],
  ['mcp__http__request', { headers: { Authorization: `Bearer ${mask}` } }, 'deny'],
])('a mask may be spoken of, and is no value: %s', async (tool_name, tool_input, decision) => {
  const event = await gate.decode(claudeEvent('PreToolUse', home, { session_id: 's', tool_name, tool_input }))
  expect((await gate.decide(event)).decision).toBe(decision)
})
