import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createGate } from '../../../src/library/index.ts'
import { claudeEvent, claudeShell } from '../../support/wire.ts'
import { folderWith } from '../../support/workspace.ts'

/** Decides the start of a session and a shell call by an agent's settings with one hook that hookgate does not run. */
async function verdictsWith(more: object) {
  const hooks = [
    { type: 'prompt', prompt: 'is it safe?', ...more },
    { type: 'command', command: 'echo from the other hook >&2; exit 2' },
  ]
  const settings = JSON.stringify({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks }] } })
  const folder = folderWith({ '.claude/settings.json': settings })
  const gate = createGate({ rules: [join(folder, '.claude/settings.json')], discover: false })
  const start = await gate.decide(await gate.decode({ ...claudeEvent('SessionStart', folder, { source: 'startup' }) }))
  const call = await gate.decide(await gate.decode(claudeShell('ls', folder)))
  await gate.close()
  return { start, call }
}

describe("a hook of a kind that hookgate does not run, in an agent's settings", () => {
  it('leaves the others in force, and is mentioned once, as the session begins', async () => {
    const { start, call } = await verdictsWith({})
    expect(start.notices).toEqual([expect.stringMatching(/^this `prompt` hook is not run: .*PreToolUse\[0\]/)])
    expect(call).toMatchObject({ decision: 'deny', notices: [] })
    expect(call.reason).toMatch(/^from the other hook \(/)
  })

  it('counts as failed where it would have run, if its failure is to block', async () => {
    const { start, call } = await verdictsWith({ onFailure: 'block' })
    expect(start.notices).toEqual([])
    expect(call.reason).toMatch(/this `prompt` hook is not run: .* counts as deny because its onFailure is `block`/)
  })
})

/** Decides the start of a session and calls of two tools, by settings with a matcher and a hook that refuses all that it gets. */
async function verdictsBy(matcher: string) {
  const hooks = { PreToolUse: [{ matcher, hooks: [{ type: 'command', command: 'exit 2' }] }] }
  const folder = folderWith({ '.claude/settings.json': JSON.stringify({ hooks }) })
  const gate = createGate({ rules: [join(folder, '.claude/settings.json')], discover: false })
  const decided = async (wire: object) => gate.decide(await gate.decode({ ...wire }))
  const start = await decided(claudeEvent('SessionStart', folder, { source: 'startup' }))
  const shell = await decided(claudeShell('git commit', folder))
  const read = await decided(claudeEvent('PreToolUse', folder, { tool_name: 'Read', tool_input: { file_path: 'a' } }))
  await gate.close()
  return { start, decisions: [shell.decision, read.decision] }
}

describe('a hook whose matcher no tool can match', () => {
  it.each([
    'tool == "Bash" && tool_input.command matches "git"',
    '/^Bash$/',
    'git commit',
    'mcp:github:*',
    '*.py',
    'BASH',
  ])('stays silent, refuses nothing, and is told as the session begins: %j', async (matcher) => {
    const { start, decisions } = await verdictsBy(matcher)
    expect(decisions).toEqual(['abstain', 'abstain'])
    expect(start.notices).toEqual([
      expect.stringMatching(/^this hook is not run: its matcher .* matches no tool: .*; write /),
    ])
  })

  it.each(['Read|View', 'Read|Fetch', 'Read|git commit', 'Read|mcp:github:.*'])(
    'in all but one of its alternatives runs by that, and is not told: %j',
    async (matcher) => {
      const { start, decisions } = await verdictsBy(matcher)
      expect(decisions).toEqual(['abstain', 'deny'])
      expect(start.notices).toEqual([])
    },
  )
})
