import { describe, expect, it } from 'vitest'
import { eventOf } from '../../../src/gate/answer.ts'
import { lastResort } from '../../../src/agents/last-resort.ts'
import { answerTo, decoded, line, root, type VerdictName } from '../../support/agent-verdicts.ts'

const unasked = 'sure?\nCursor cannot ask the person, so this question is a refusal.'

const at = (name: string, more: object = {}) => ({
  conversation_id: 'u-1',
  generation_id: 'g-1',
  model: 'm',
  hook_event_name: name,
  cursor_version: '3.0.0',
  workspace_roots: [root],
  user_email: null,
  transcript_path: null,
  ...more,
})
const shell = at('beforeShellExecution', { command: 'make', cwd: root })
const generic = at('preToolUse', { tool_name: 'Shell', tool_input: { command: 'make' }, tool_use_id: '1', cwd: '' })

describe('an event of Cursor', () => {
  it.each([
    [shell, { kind: 'shell', command: 'make' }],
    [generic, { kind: 'shell', command: 'make' }],
    [at('beforeReadFile', { file_path: '/a', content: 'x' }), { kind: 'read', path: '/a' }],
    [at('beforeTabFileRead', { file_path: '/a', content: 'x' }), { kind: 'read', path: '/a' }],
    [
      at('beforeMCPExecution', { tool_name: 'add', tool_input: '{"text":"x"}', command: 'notes' }),
      { kind: 'mcp', input: { text: 'x' } },
    ],
    [at('preToolUse', { tool_name: 'MCP:add', tool_input: {} }), { kind: 'mcp' }],
  ])('is decoded into the common fields (%#)', (wire, tool) => {
    expect(decoded('cursor', wire)).toMatchObject({ name: 'PreToolUse', tool })
  })

  it.each([
    [at('afterFileEdit', { file_path: '/a', edits: [{ old_string: 'x', new_string: 'y' }] }), 'PostToolUse'],
    [at('afterTabFileEdit', { file_path: '/a', edits: [] }), 'PostToolUse'],
    [at('afterAgentResponse', { text: 'done' }), 'MessageDisplay'],
    [at('beforeSubmitPrompt', { prompt: 'hello' }), 'UserPromptSubmit'],
    [at('stop', { status: 'completed', loop_count: 0 }), 'Stop'],
  ])('is decoded as a common event (%#)', (wire, name) => {
    expect(decoded('cursor', wire).name).toBe(name)
  })

  it.each(['afterAgentThought', 'workspaceOpen'])('%s is ignored, and does not block the agent', (name) => {
    expect(lastResort('cursor', JSON.stringify(at(name)), 'it broke')).toMatchObject({ exitCode: 1 })
  })
})

const denied = (reason: string) => line({ permission: 'deny', user_message: reason, agent_message: reason })

describe('the answer to Cursor', () => {
  it.each<[VerdictName, readonly [string, string, number]]>([
    // Cursor treats empty stdout as an error and blocks.
    ['abstain', [line({ permission: 'allow' }), '', 0]],
    ['allow', [line({ permission: 'allow' }), '', 0]],
    ['ask', [line({ permission: 'ask', user_message: 'sure?', agent_message: 'sure?' }), '', 0]],
    ['deny', [denied('no'), 'no\n', 0]],
    ['notice', [line({ permission: 'allow' }), 'hookgate: a hook broke\n', 0]],
  ])('before a command encodes %s byte for byte', (outcome, bytes) => {
    expect(answerTo('cursor', shell, outcome)).toEqual(bytes)
  })

  it.each<[VerdictName, readonly [string, string, number]]>([
    ['ask', [denied(unasked), `${unasked}\n`, 0]],
    ['rewrite', [line({ permission: 'allow', updated_input: { command: 'ls' } }), '', 0]],
  ])('before any tool encodes %s byte for byte', (outcome, bytes) => {
    expect(answerTo('cursor', generic, outcome)).toEqual(bytes)
  })

  it('abstains with an object at every event', () => {
    expect(answerTo('cursor', at('beforeSubmitPrompt', { prompt: 'x' }), 'abstain')[0]).toBe('{"continue":true}\n')
    expect(answerTo('cursor', at('stop'), 'abstain')[0]).toBe('{}\n')
    expect(answerTo('cursor', at('afterShellExecution', { command: 'x', output: '' }), 'abstain')[0]).toBe('{}\n')
  })

  it('refuses a prompt and the end of a turn in their own forms', () => {
    expect(answerTo('cursor', at('beforeSubmitPrompt', { prompt: 'x' }), 'deny')[0]).toBe(
      line({ continue: false, user_message: 'no' }),
    )
    expect(answerTo('cursor', at('stop'), 'deny')[0]).toBe(line({ followup_message: 'no' }))
  })
})

describe('an event behind byte order marks and white space', () => {
  const before = ['\ufeff', '\ufeff\ufeff', ' \ufeff', '\r\n\t\ufeff \ufeff\n', '\u00a0\ufeff\u2028']
  const forms = before.flatMap((mark) => ['text', 'bytes'].map((form) => [JSON.stringify(mark), form, mark] as const))
  it.each(forms)('is decoded like any other: %s as %s', async (_, form, mark) => {
    const text = `${mark}${JSON.stringify(shell)}${mark}`
    const { event } = await eventOf(form === 'text' ? text : new TextEncoder().encode(text), 'cursor', {
      nowMs: 0,
      env: {},
      cwd: '/',
    })
    expect(event.tool?.command).toBe('make')
  })
})
