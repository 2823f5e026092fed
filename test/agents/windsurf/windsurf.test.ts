import { describe, expect, it } from 'vitest'
import { answerTo, decoded, root, type VerdictName } from '../../support/agent-verdicts.ts'

const unasked = 'sure?\nWindsurf cannot ask the person, so this question is a refusal.'

const at = (name: string, tool_info: object) => ({
  agent_action_name: name,
  trajectory_id: 'w-1',
  execution_id: 'e-1',
  timestamp: '2026-11-01T10:00:00.000Z',
  model_name: 'm',
  tool_info: { ...tool_info },
})
const shell = at('pre_run_command', { command_line: 'make', cwd: root })

describe('an event of Windsurf', () => {
  it.each([
    [shell, { kind: 'shell', command: 'make', input: { command_line: 'make' } }],
    [at('pre_read_code', { file_path: '/a' }), { kind: 'read', path: '/a' }],
    [
      at('pre_write_code', { file_path: '/a', edits: [{ old_string: 'x', new_string: 'y' }] }),
      { path: '/a', content: 'y' },
    ],
    [
      at('pre_mcp_tool_use', { mcp_server_name: 'notes', mcp_tool_name: 'add', mcp_tool_arguments: { text: 'x' } }),
      { kind: 'mcp', name: 'mcp__notes__add', input: { text: 'x' } },
    ],
  ])('is decoded into the common fields (%#)', (wire, tool) => {
    expect(decoded('windsurf', wire)).toMatchObject({ name: 'PreToolUse', session: { id: 'w-1' }, tool })
  })
})

describe('the answer to Windsurf', () => {
  it.each<[VerdictName, readonly [string, string, number]]>([
    ['abstain', ['', '', 0]],
    ['allow', ['', '', 0]],
    ['ask', ['', `${unasked}\n`, 2]],
    ['deny', ['', 'no\n', 2]],
    ['denyWithoutReason', ['', 'refused without a reason\n', 2]],
    ['notice', ['', 'hookgate: a hook broke\n', 0]],
  ])('encodes %s byte for byte, with an empty stdout', (outcome, bytes) => {
    expect(answerTo('windsurf', shell, outcome)).toEqual(bytes)
  })

  it('refuses what it has no form for', () => {
    for (const outcome of ['rewrite', 'stop'] as const) {
      expect(answerTo('windsurf', shell, outcome)).toMatchObject(['', expect.stringContaining('a rule demands'), 2])
    }
  })
})
