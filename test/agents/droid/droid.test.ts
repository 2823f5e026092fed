import { describe, expect, it } from 'vitest'
import { answerTo, decoded, line, root, type VerdictName } from '../../support/agent-verdicts.ts'

const unasked = 'sure?\ndroid cannot ask the person, so this question is a refusal.'

const at = (name: string, more: object) => ({
  session_id: 'd-1',
  transcript_path: '/home/someone/.factory/sessions/p/d-1.jsonl',
  cwd: root,
  permission_mode: 'auto-low',
  hook_event_name: name,
  ...more,
})
const call = (tool_name: string, tool_input: object) => at('PreToolUse', { tool_name, tool_input })
const shell = call('Execute', { command: 'make', summary: 'build', riskLevel: 'low' })

describe('an event of droid', () => {
  it.each([
    ['Execute', { command: 'make' }, { kind: 'shell', command: 'make' }],
    ['Read', { file_path: 'a' }, { kind: 'read', path: 'a' }],
    ['Create', { file_path: 'a', content: 'x' }, { kind: 'write', path: 'a', content: 'x' }],
    ['Edit', { file_path: 'a', old_str: 'x', new_str: 'y' }, { kind: 'edit', path: 'a', content: 'y' }],
    ['Glob', { patterns: ['*.ts'], folder: 'src' }, { kind: 'list', path: 'src' }],
    ['LS', { directory_path: 'src' }, { kind: 'list', path: 'src' }],
    ['FetchUrl', { url: 'https://example.com' }, { kind: 'fetch', url: 'https://example.com' }],
    ['mcp__notes__add', {}, { kind: 'mcp' }],
  ])('decodes a call of %s into the common fields', (name, input, tool) => {
    expect(decoded('droid', call(name, input)).tool).toMatchObject(tool)
  })

  it('names every file of a patch', () => {
    const input = '*** Begin Patch\n*** Add File: a\n+x\n*** Delete File: b\n*** End Patch'
    expect(decoded('droid', call('ApplyPatch', { input })).tool).toMatchObject({ kind: 'edit', paths: ['a', 'b'] })
  })
})

const denied = (reason: string) =>
  line({
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: reason,
    },
  })

describe('the answer to droid', () => {
  it.each<[VerdictName, readonly [string, string, number]]>([
    ['abstain', ['', '', 0]],
    // `allow` would bypass droid's own check against the chosen autonomy level.
    ['allow', ['', '', 0]],
    // droid would run the tool without asking.
    ['ask', [denied(unasked), `${unasked}\n`, 2]],
    ['deny', [denied('no'), 'no\n', 2]],
    ['stop', [line({ continue: false, stopReason: 'enough' }), '', 0]],
    ['notice', [line({ systemMessage: 'a hook broke' }), '', 0]],
    [
      'rewrite',
      [line({ hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { command: 'ls' } } }), '', 0],
    ],
  ])('encodes %s byte for byte', (outcome, bytes) => {
    expect(answerTo('droid', shell, outcome)).toEqual(bytes)
  })

  it('never sends `allow`, nor `decision: block` before a call', () => {
    for (const outcome of ['allow', 'deny', 'rewrite', 'context'] as const) {
      expect(answerTo('droid', shell, outcome)[0]).not.toMatch(/"allow"|"decision"/)
    }
  })
})
