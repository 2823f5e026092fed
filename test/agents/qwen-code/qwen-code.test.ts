import { describe, expect, it } from 'vitest'
import { lastResort } from '../../../src/agents/last-resort.ts'
import { answerTo, decoded, line, root, type VerdictName } from '../../support/agent-verdicts.ts'

const at = (name: string, more: object = {}) => ({
  session_id: 'q-1',
  transcript_path: '/home/someone/.qwen/projects/p/chats/q-1.jsonl',
  cwd: root,
  hook_event_name: name,
  timestamp: '2026-11-01T10:00:00.000Z',
  permission_mode: 'default',
  ...more,
})
const call = (tool_name: string, tool_input: object) =>
  at('PreToolUse', { tool_name, tool_input, tool_use_id: 'toolu_1', tool_call_id: 'call_1' })
const shell = call('run_shell_command', { command: 'make', is_background: false })

describe('an event of Qwen Code', () => {
  it.each([
    ['run_shell_command', { command: 'make' }, { kind: 'shell', command: 'make' }],
    ['read_file', { file_path: 'a' }, { kind: 'read', path: 'a' }],
    ['write_file', { file_path: 'a', content: 'x' }, { kind: 'write', path: 'a', content: 'x' }],
    ['edit', { file_path: 'a', old_string: 'x', new_string: 'y' }, { kind: 'edit', path: 'a', content: 'y' }],
    ['agent', { prompt: 'go' }, { kind: 'agent', content: 'go' }],
    ['mcp__notes__add', {}, { kind: 'mcp', name: 'mcp__notes__add' }],
  ])('decodes a call of %s into the common fields', (name, input, tool) => {
    expect(decoded('qwen-code', call(name, input)).tool).toMatchObject(tool)
  })

  it.each([
    ['TodoCreated', 'TaskCreated'],
    ['TodoCompleted', 'TaskCompleted'],
    ['MessageDisplay', 'MessageDisplay'],
    ['InstructionsLoaded', 'InstructionsLoaded'],
  ])('%s is decoded as %s', (spelled, name) => {
    const more = spelled === 'InstructionsLoaded' ? { load_reason: 'session_start' } : {}
    expect(decoded('qwen-code', at(spelled, more)).name).toBe(name)
  })

  it('of a deleted session is ignored, and does not block the agent', () => {
    expect(lastResort('qwen-code', JSON.stringify(at('SessionDelete')), 'it broke')).toMatchObject({ exitCode: 1 })
  })
})

const specific = (fields: object) => line({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...fields } })

describe('the answer to Qwen Code', () => {
  it.each<[VerdictName, readonly [string, string, number]]>([
    ['abstain', ['', '', 0]],
    ['allow', [specific({ permissionDecision: 'allow', permissionDecisionReason: 'fine' }), '', 0]],
    ['ask', [specific({ permissionDecision: 'ask', permissionDecisionReason: 'sure?' }), '', 0]],
    ['deny', [specific({ permissionDecision: 'deny', permissionDecisionReason: 'no' }), 'no\n', 2]],
    ['notice', [line({ systemMessage: 'a hook broke' }), '', 0]],
  ])('encodes %s byte for byte', (what, bytes) => {
    expect(answerTo('qwen-code', shell, what)).toEqual(bytes)
  })

  it('refuses a call whose input is replaced, which it would ignore', () => {
    const [stdout, , exitCode] = answerTo('qwen-code', shell, 'rewrite')
    expect(stdout).not.toContain('updatedInput')
    expect([JSON.parse(stdout), exitCode]).toMatchObject([{ hookSpecificOutput: { permissionDecision: 'deny' } }, 2])
  })

  it('cannot express a refusal after the call', () => {
    const done = at('PostToolUse', { tool_name: 'edit', tool_input: {}, tool_response: { llmContent: 'x' } })
    const [stdout, stderr, exitCode] = answerTo('qwen-code', done, 'deny')
    expect([stdout, exitCode]).toEqual(['', 0])
    expect(stderr).toContain("can't express at PostToolUse")
  })
})
