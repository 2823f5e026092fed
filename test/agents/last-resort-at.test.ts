import { describe, expect, it } from 'vitest'
import { lastResortAt } from '../../src/agents/last-resort.ts'
import { agentNames, registrableEvents, subscribedEvents } from '../../src/agents/registry.ts'

const others = agentNames.filter((name) => name !== 'claude-code' && name !== 'cline')
const events = others.flatMap((agent) =>
  Object.entries(registrableEvents(agent)).map(([event, { deny }]) => ({ agent, event, deny })),
)

describe('the last resort at a known event', () => {
  it.each(events)('of $agent, $event, refuses if the event can be denied ($deny), and reports if not', (row) => {
    const { agent, event, deny } = row
    const answer = lastResortAt(agent, event, 'the gate is unavailable', false)
    expect(answer.exitCode).toBe(deny === 'native' ? 2 : 1)
    expect(answer.stdout).toContain('the gate is unavailable')
    expect(answer.stderr).toContain('the gate is unavailable')
  })

  it.each(events.filter(({ agent, event }) => /^Stop|^agentStop|^AfterAgent/.test(event) && agent !== 'opencode'))(
    'of $agent lets $event pass if it was refused before',
    ({ agent, event }) => {
      expect(subscribedEvents(agent, event)?.events.some((name) => name.startsWith('Stop'))).toBe(true)
      expect(lastResortAt(agent, event, 'the gate is unavailable', true).exitCode).toBe(1)
    },
  )
})
