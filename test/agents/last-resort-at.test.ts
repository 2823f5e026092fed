import { describe, expect, it } from 'vitest'
import { carries as codex } from '../../src/agents/codex/carries.ts'
import { carries as copilotCli } from '../../src/agents/copilot-cli/carries.ts'
import { carries as cursor } from '../../src/agents/cursor/carries.ts'
import { carries as droid } from '../../src/agents/droid/carries.ts'
import { carries as geminiCli } from '../../src/agents/gemini-cli/carries.ts'
import { lastResortAt } from '../../src/agents/last-resort.ts'
import { carries as opencode } from '../../src/agents/opencode/carries.ts'
import { carries as qwenCode } from '../../src/agents/qwen-code/carries.ts'
import { carries as vscode } from '../../src/agents/vscode/carries.ts'
import { carries as windsurf } from '../../src/agents/windsurf/carries.ts'
import { AgentName } from '../../src/model/agents.ts'
import type { Carries } from '../../src/model/dialect.ts'
import { eventSpellings, hearing } from '../../src/model/event-names.ts'

const tables: Readonly<Record<string, Readonly<Record<string, Carries>>>> = {
  codex,
  'copilot-cli': copilotCli,
  cursor,
  droid,
  'gemini-cli': geminiCli,
  opencode,
  'qwen-code': qwenCode,
  vscode,
  windsurf,
}
const events = Object.entries(tables).flatMap(([agent, table]) =>
  Object.entries(table).flatMap(([event, { deny }]) =>
    eventSpellings(AgentName.parse(agent)).includes(event) ? [{ agent, event, deny }] : [],
  ),
)

describe('the last resort at an event that is known by name', () => {
  it.each(events)('of $agent, $event, refuses where that can be ($deny), and tells of it where not', (row) => {
    const { agent, event, deny } = row
    const said = lastResortAt(agent, event, 'the gate is away', false)
    expect(said.exitCode).toBe(deny === 'said' ? 2 : 1)
    expect(said.stdout).toContain('the gate is away')
    expect(said.stderr).toContain('the gate is away')
  })

  it.each(events.filter(({ agent, event }) => /^Stop|^agentStop|^AfterAgent/.test(event) && agent !== 'opencode'))(
    'of $agent lets go of $event where it was refused before',
    ({ agent, event }) => {
      expect(hearing(AgentName.parse(agent), event)?.events.some((name) => name.startsWith('Stop'))).toBe(true)
      expect(lastResortAt(agent, event, 'the gate is away', true).exitCode).toBe(1)
    },
  )
})
