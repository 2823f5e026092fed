import { describe, expect, it } from 'vitest'
import { answerTo, decoded, line, root, type Said } from '../../support/agent-verdicts.ts'

const at = (name: string, more: object) => ({
  timestamp: '2026-11-01T10:00:00.000Z',
  hook_event_name: name,
  session_id: 'v-1',
  transcript_path: '/home/someone/.config/Code/x.json',
  cwd: root,
  ...more,
})
const call = (tool_name: string, tool_input: object) =>
  at('PreToolUse', { tool_name, tool_input, tool_use_id: 'call-1' })
const shell = call('run_in_terminal', { command: 'make', explanation: 'build' })

describe('an event of VS Code', () => {
  it.each([
    ['run_in_terminal', { command: 'make' }, { tool: 'shell', command: 'make' }],
    ['read_file', { filePath: '/a' }, { tool: 'read', path: '/a' }],
    ['create_file', { filePath: '/a', content: 'x' }, { tool: 'write', path: '/a', content: 'x' }],
    ['replace_string_in_file', { filePath: '/a', oldString: 'x', newString: 'y' }, { tool: 'edit', content: 'y' }],
    ['fetch_webpage', { urls: ['https://example.com'] }, { tool: 'fetch', url: 'https://example.com' }],
    ['mcp_notes_add', {}, { tool: 'mcp', name: 'mcp__notes__add' }],
  ])('is a call of %s in the common words', (name, input, action) => {
    expect(decoded('vscode', call(name, input)).action).toMatchObject(action)
  })
})

const said = (fields: object) => line({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...fields } })

describe('the answer to VS Code', () => {
  it.each<[Said, readonly [string, string, number]]>([
    ['abstain', ['', '', 0]],
    ['allow', [said({ permissionDecision: 'allow', permissionDecisionReason: 'fine' }), '', 0]],
    ['ask', [said({ permissionDecision: 'ask', permissionDecisionReason: 'sure?' }), '', 0]],
    ['deny', [said({ permissionDecision: 'deny', permissionDecisionReason: 'no' }), 'no\n', 2]],
    ['context', [said({ additionalContext: 'know this' }), '', 0]],
    ['stop', [line({ continue: false, stopReason: 'enough' }), '', 0]],
  ])('%s is these bytes', (what, bytes) => {
    expect(answerTo('vscode', shell, what)).toEqual(bytes)
  })
})
