import { describe, expect, it } from 'vitest'
import { answerTo, decoded, line, root, type VerdictName } from '../../support/agent-verdicts.ts'

const camel = (more: object) => ({ sessionId: 'c-1', timestamp: 1_790_000_000_123, cwd: root, ...more })
const pascal = (name: string, more: object) => ({
  hook_event_name: name,
  session_id: 'c-1',
  timestamp: '2026-11-01T10:00:00.000Z',
  cwd: root,
  ...more,
})
const shell = camel({ toolName: 'bash', toolArgs: { command: 'make', description: 'build' } })

describe('an event of Copilot CLI', () => {
  it.each([
    ['PreToolUse', { toolName: 'bash', toolArgs: { command: 'make' } }],
    ['PostToolUse', { toolName: 'bash', toolArgs: {}, toolResult: { resultType: 'success', textResultForLlm: 'x' } }],
    ['PostToolUseFailure', { toolName: 'bash', toolArgs: {}, error: 'gone' }],
    ['PermissionRequest', { hookName: 'permissionRequest', toolName: 'bash', toolInput: { command: 'make' } }],
    ['UserPromptSubmit', { prompt: 'hello' }],
    ['UserPromptExpansion', { prompt: 'hello', transformedPrompt: '<x>hello</x>' }],
    ['SessionStart', { source: 'new', initialPrompt: 'hello' }],
    ['SessionEnd', { reason: 'complete' }],
    ['Stop', { stopReason: 'end_turn', stop_hook_active: false }],
    ['SubagentStart', { agentName: 'explore' }],
    ['SubagentStop', { agentName: 'explore', stopReason: 'end_turn' }],
    ['PreCompact', { trigger: 'auto' }],
    ['Notification', { notificationType: 'idle', message: 'waiting' }],
    ['StopFailure', { error: { message: 'overloaded', name: 'E' }, errorContext: 'model_call', recoverable: true }],
  ])('is recognised by its fields alone as %s', (name, fields) => {
    expect(decoded('copilot-cli', camel(fields))).toMatchObject({ name, session: { id: 'c-1' } })
  })

  it('keeps its own argument keys where its tools have Claude Code’s names', () => {
    const write = { tool_name: 'Write', tool_input: { path: 'a.ts', file_text: 'x' } }
    expect(decoded('copilot-cli', pascal('PreToolUse', write)).tool).toMatchObject({
      kind: 'write',
      path: 'a.ts',
      content: 'x',
    })
    const edit = { toolName: 'edit', toolArgs: { path: 'a.ts', old_str: 'x', new_str: 'y' } }
    expect(decoded('copilot-cli', camel(edit)).tool).toMatchObject({ kind: 'edit', path: 'a.ts', content: 'y' })
  })

  it('decodes arguments sent as JSON text by older versions, lists of paths, and MCP tools by server', () => {
    const older = camel({ toolName: 'bash', toolArgs: '{"command":"make"}' })
    expect(decoded('copilot-cli', older).tool).toMatchObject({ command: 'make', input: { command: 'make' } })
    const search = camel({ toolName: 'grep', toolArgs: { pattern: 'x', paths: ['src', 'test'] } })
    expect(decoded('copilot-cli', search).tool).toMatchObject({ kind: 'search', paths: ['src', 'test'] })
    const mcp = camel({ toolName: 'notes-add', toolArgs: {} })
    expect(decoded('copilot-cli', mcp).tool).toMatchObject({ kind: 'mcp', name: 'mcp__notes__add' })
  })

  it.each(['Edit', 'Write', 'edit', 'create', 'apply_patch'])(
    'is an edit where the input of `%s` is a patch’s text',
    (toolName) => {
      const patch = '*** Begin Patch\n*** Update File: a.ts\n@@\n-x\n+y\n*** Delete File: b.ts\n*** End Patch\n'
      for (const toolArgs of [patch, JSON.stringify(patch), { input: patch }])
        expect(decoded('copilot-cli', camel({ toolName, toolArgs })).tool).toMatchObject({
          kind: 'edit',
          paths: ['a.ts', 'b.ts'],
          content: patch,
        })
    },
  )

  it('is refused where a tool that writes gets a text that is no patch', () => {
    for (const toolName of ['Edit', 'Write'])
      expect(() => decoded('copilot-cli', camel({ toolName, toolArgs: 'hello' }))).toThrow('must be an object')
  })

  it('that requests permission to write names the file too', () => {
    const request = { hookName: 'permissionRequest', toolName: 'edit', toolInput: { file_path: 'a.ts', diff: '+x' } }
    expect(decoded('copilot-cli', camel(request)).tool).toMatchObject({ path: 'a.ts', content: '+x' })
  })
})

const denied = (reason: string) => line({ permissionDecision: 'deny', permissionDecisionReason: reason })

describe('the answer to Copilot CLI', () => {
  it.each<[VerdictName, readonly [string, string, number]]>([
    ['abstain', ['', '', 0]],
    ['allow', [line({ permissionDecision: 'allow', permissionDecisionReason: 'fine' }), '', 0]],
    ['ask', [line({ permissionDecision: 'ask', permissionDecisionReason: 'sure?' }), '', 0]],
    // Any other code would refuse too, but hide the reason from the model.
    ['deny', [denied('no'), 'no\n', 0]],
    ['denyWithoutReason', [denied('refused without a reason'), 'refused without a reason\n', 0]],
    ['context', [line({ additionalContext: 'know this' }), '', 0]],
    ['notice', ['', 'hookgate: a hook broke\n', 0]],
    ['rewrite', [line({ modifiedArgs: { command: 'ls' } }), '', 0]],
  ])('encodes %s byte for byte', (outcome, bytes) => {
    expect(answerTo('copilot-cli', shell, outcome)).toEqual(bytes)
  })

  it('refuses instead of sending `continue`, which it ignores', () => {
    const [stdout] = answerTo('copilot-cli', shell, 'stop')
    expect(JSON.parse(stdout)).toMatchObject({ permissionDecision: 'deny' })
    expect(stdout).not.toContain('continue')
  })

  it('has its own form for a permission request', () => {
    const request = camel({ hookName: 'permissionRequest', toolName: 'bash', toolInput: { command: 'make' } })
    expect(answerTo('copilot-cli', request, 'deny')).toEqual([line({ behavior: 'deny', message: 'no' }), 'no\n', 0])
  })
})
