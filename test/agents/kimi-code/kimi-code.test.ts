import { describe, expect, it } from 'vitest'
import { dialectBySight } from '../../../src/agents/index.ts'
import type { JsonObject } from '../../../src/model/json.ts'
import { answerTo, decoded, line, root, type VerdictName } from '../../support/agent-verdicts.ts'
import { dialects } from '../../support/dialects.ts'

const unasked = 'sure?\nKimi Code cannot ask the person, so this question is a refusal.'

const at = (hook_event_name: string, more: JsonObject) => ({
  hook_event_name,
  session_id: 'session_1',
  cwd: root,
  client_type: 'kimi_code_cli',
  ...more,
})
const call = (tool_name: string, tool_input: JsonObject) =>
  at('PreToolUse', { tool_name, tool_input, tool_call_id: 'call_0' })
const shell = call('Bash', { command: 'make' })
const prompted = at('UserPromptSubmit', { prompt: [{ type: 'text', text: 'hello' }], is_steer: false })

describe('an event of Kimi Code', () => {
  it.each<[string, JsonObject, object]>([
    ['Bash', { command: 'make', cwd: '/x' }, { kind: 'shell', command: 'make', id: 'call_0' }],
    ['Read', { path: 'a' }, { kind: 'read', path: 'a' }],
    ['Write', { path: 'a', content: 'x', mode: 'overwrite' }, { kind: 'write', path: 'a', content: 'x' }],
    ['Edit', { path: 'a', old_string: 'x', new_string: 'y' }, { kind: 'edit', path: 'a', content: 'y' }],
    ['Glob', { pattern: '*.ts', path: 'src' }, { kind: 'list', path: 'src' }],
    ['FetchURL', { url: 'https://example.com' }, { kind: 'fetch', url: 'https://example.com' }],
    ['Agent', { prompt: 'do' }, { kind: 'agent', content: 'do' }],
    ['mcp__notes__add', {}, { kind: 'mcp' }],
  ])('decodes a call of %s into the common fields', (name, input, tool) => {
    expect(decoded('kimi-code', call(name, input)).tool).toMatchObject(tool)
  })

  it('runs a command in the folder that the call names, and not in the session’s', () => {
    const { session, workspaceRoots } = decoded('kimi-code', call('Bash', { command: 'rm -rf .', cwd: '../other' }))
    expect({ session, workspaceRoots }).toMatchObject({
      session: { cwd: '/home/someone/other' },
      workspaceRoots: [root],
    })
  })

  it('has the texts of a prompt, and the error of a call that failed', () => {
    expect(decoded('kimi-code', prompted).prompt).toBe('hello')
    const failed = at('PostToolUseFailure', {
      tool_name: 'Bash',
      tool_input: { command: 'x' },
      tool_call_id: 'c',
      error: { code: 'internal', message: 'exit 1' },
    })
    expect(decoded('kimi-code', failed).result).toEqual({ succeeded: false, error: 'exit 1' })
  })

  it('is told from Claude Code’s by its kind of client', async () => {
    expect(await dialectBySight({ ...shell, transcript_path: '/h/.claude/s.jsonl' })).toBe(dialects['kimi-code'])
  })
})

const denied = (hookEventName: string, permissionDecisionReason: string) =>
  line({ hookSpecificOutput: { hookEventName, permissionDecision: 'deny', permissionDecisionReason } })

describe('the answer to Kimi Code', () => {
  const unchanged = 'a rule demands a different input, which Kimi Code cannot do at PreToolUse'
  it.each<[VerdictName, readonly [string, string, number]]>([
    ['abstain', ['', '', 0]],
    ['allow', ['', '', 0]],
    // Kimi Code would run the tool.
    ['ask', [denied('PreToolUse', unasked), `${unasked}\n`, 2]],
    ['deny', [denied('PreToolUse', 'no'), 'no\n', 2]],
    ['rewrite', [denied('PreToolUse', unchanged), `${unchanged}\n`, 2]],
  ])('encodes %s byte for byte', (outcome, bytes) => {
    expect(answerTo('kimi-code', shell, outcome)).toEqual(bytes)
  })

  it('adds a context to a prompt, and to nothing else', () => {
    expect(answerTo('kimi-code', prompted, 'context')).toEqual([line({ message: 'know this' }), '', 0])
    expect(answerTo('kimi-code', shell, 'context')[0]).toBe('')
  })
})
