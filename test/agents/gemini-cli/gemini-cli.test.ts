import { describe, expect, it } from 'vitest'
import { lastResort } from '../../../src/agents/last-resort.ts'
import { answerTo, decoded, line, root, type VerdictName } from '../../support/agent-verdicts.ts'

const unasked = 'sure?\nGemini CLI cannot ask the person, so this question is a refusal.'

const at = (name: string, more: object) => ({
  session_id: 'g-1',
  transcript_path: '/home/someone/.gemini/tmp/p/chats/s.json',
  cwd: root,
  hook_event_name: name,
  timestamp: '2026-11-01T10:00:00.000Z',
  ...more,
})
const call = (tool_name: string, tool_input: object, more: object = {}) =>
  at('BeforeTool', { tool_name, tool_input, ...more })
const shell = call('run_shell_command', { command: 'make', description: 'build' })

describe('an event of Gemini CLI', () => {
  it.each([
    ['run_shell_command', { command: 'make' }, { kind: 'shell', command: 'make' }],
    ['read_file', { file_path: 'a' }, { kind: 'read', path: 'a' }],
    ['write_file', { file_path: 'a', content: 'x' }, { kind: 'write', path: 'a', content: 'x' }],
    ['replace', { file_path: 'a', old_string: 'x', new_string: 'y' }, { kind: 'edit', path: 'a', content: 'y' }],
    ['glob', { pattern: '*', dir_path: 'src' }, { kind: 'list', path: 'src' }],
    ['grep_search', { pattern: 'x', dir_path: 'src' }, { kind: 'search', path: 'src' }],
    ['list_directory', { dir_path: 'src' }, { kind: 'list', path: 'src' }],
    ['invoke_agent', { prompt: 'go' }, { kind: 'agent', content: 'go' }],
  ])('decodes a call of %s into the common fields', (name, input, tool) => {
    expect(decoded('gemini-cli', call(name, input)).tool).toMatchObject(tool)
  })

  it('takes the server of an MCP tool from its context or its name', () => {
    const context = { mcp_context: { server_name: 'my_notes', tool_name: 'add' } }
    expect(decoded('gemini-cli', call('mcp_my_notes_add', {}, context)).tool?.name).toBe('mcp__my_notes__add')
    expect(decoded('gemini-cli', call('mcp_notes_add', {})).tool).toMatchObject({
      kind: 'mcp',
      name: 'mcp__notes__add',
    })
  })

  it('after a tool reports whether it failed', () => {
    const after = (tool_response: object) =>
      decoded('gemini-cli', at('AfterTool', { tool_name: 'read_file', tool_input: {}, tool_response }))
    expect(after({ llmContent: 'x' })).toMatchObject({ name: 'PostToolUse', result: { succeeded: true } })
    expect(after({ error: { message: 'gone' } })).toMatchObject({
      name: 'PostToolUseFailure',
      result: { succeeded: false, error: 'gone' },
    })
  })

  it.each(['BeforeModel', 'AfterModel', 'BeforeToolSelection'])(
    '%s is none of hookgate’s, and does not stop the agent',
    (name) => {
      const wire = at(name, { llm_request: { model: 'm' } })
      expect(() => decoded('gemini-cli', wire)).toThrow('must be the name of a Gemini CLI event')
      expect(lastResort('gemini-cli', JSON.stringify(wire), 'it broke')).toMatchObject({ exitCode: 1 })
    },
  )
})

const denied = (reason: string) => line({ decision: 'deny', reason })

describe('the answer to Gemini CLI', () => {
  it.each<[VerdictName, readonly [string, string, number]]>([
    ['abstain', ['', '', 0]],
    ['allow', ['', '', 0]],
    // An ask hangs in headless runs, and overrides Gemini's own refusals in interactive ones.
    ['ask', [denied(unasked), `${unasked}\n`, 2]],
    ['deny', [denied('no'), 'no\n', 2]],
    ['notice', [line({ systemMessage: 'a hook broke' }), '', 0]],
    ['stop', [line({ continue: false, stopReason: 'enough' }), '', 0]],
    ['rewrite', [line({ hookSpecificOutput: { hookEventName: 'BeforeTool', tool_input: { command: 'ls' } } }), '', 0]],
  ])('encodes %s byte for byte', (outcome, bytes) => {
    expect(answerTo('gemini-cli', shell, outcome)).toEqual(bytes)
  })

  it('carries context before a prompt, but not before a tool', () => {
    expect(answerTo('gemini-cli', shell, 'context')[0]).toBe('')
    const [stdout] = answerTo('gemini-cli', at('BeforeAgent', { prompt: 'hello' }), 'context')
    expect(stdout).toBe(line({ hookSpecificOutput: { hookEventName: 'BeforeAgent', additionalContext: 'know this' } }))
  })
})
