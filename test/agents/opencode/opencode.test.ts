import { describe, expect, it } from 'vitest'
import { answerTo, decoded, line, root, type VerdictName } from '../../support/agent-verdicts.ts'

const unasked = 'sure?\nOpenCode cannot ask the person, so this question is a refusal.'

const call = (tool: string, args: object) => ({
  event: 'tool.execute.before',
  sessionID: 'o-1',
  callID: 'call-1',
  directory: `${root}/sub`,
  worktree: root,
  tool,
  args: { ...args },
})

describe('an event of OpenCode', () => {
  it.each([
    ['bash', { command: 'make' }, { kind: 'shell', command: 'make' }],
    ['write', { filePath: '/a', content: 'x' }, { kind: 'write', path: '/a', content: 'x' }],
    ['edit', { filePath: '/a', oldString: 'x', newString: 'y' }, { kind: 'edit', path: '/a', content: 'y' }],
    ['notes_add', {}, { kind: 'mcp', name: 'mcp__notes__add' }],
    ['apply_patch', { patchText: '*** Update File: a\n*** Move to: b' }, { kind: 'edit', paths: ['a', 'b'] }],
  ])('decodes a call of %s into the common fields', (name, args, tool) => {
    expect(decoded('opencode', call(name, args))).toMatchObject({ tool, workspaceRoots: [root] })
  })
})

describe('the answer to the plugin of OpenCode', () => {
  it.each<[VerdictName, readonly [string, string, number]]>([
    ['abstain', ['', '', 0]],
    ['allow', ['', '', 0]],
    ['ask', [line({ status: 'deny', reason: unasked }), `${unasked}\n`, 2]],
    ['deny', [line({ status: 'deny', reason: 'no' }), 'no\n', 2]],
    ['rewrite', [line({ args: { command: 'ls' } }), '', 0]],
  ])('encodes %s byte for byte', (outcome, bytes) => {
    expect(answerTo('opencode', call('bash', { command: 'make' }), outcome)).toEqual(bytes)
  })
})
