import { describe, expect, it } from 'vitest'
import { lastResortAt } from '../../src/agents/last-resort.ts'
import { registrableEvents, subscribedEvents } from '../../src/agents/event-names.ts'
import { agentNames } from '../../src/agents/registry.ts'

const others = agentNames.filter((name) => name !== 'claude-code' && name !== 'cline')
const events = others.flatMap((agent) =>
  Object.entries(registrableEvents(agent)).map(([event, { deny }]) => ({ agent, event, deny })),
)

describe('the last resort at an event that is known by name', () => {
  it.each(events)('of $agent, $event, refuses where that can be ($deny), and tells of it where not', (row) => {
    const { agent, event, deny } = row
    const said = lastResortAt(agent, event, 'the gate is away', false)
    expect(said.exitCode).toBe(deny === 'native' ? 2 : 1)
    expect(said.stdout).toContain('the gate is away')
    expect(said.stderr).toContain('the gate is away')
  })

  it.each(events.filter(({ agent, event }) => /^Stop|^agentStop|^AfterAgent/.test(event) && agent !== 'opencode'))(
    'of $agent lets go of $event where it was refused before',
    ({ agent, event }) => {
      expect(subscribedEvents(agent, event)?.events.some((name) => name.startsWith('Stop'))).toBe(true)
      expect(lastResortAt(agent, event, 'the gate is away', true).exitCode).toBe(1)
    },
  )
})
