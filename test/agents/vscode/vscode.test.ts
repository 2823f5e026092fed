import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createGate } from '../../../src/library/index.ts'
import type { KnownAgent } from '../../../src/agents/registry.ts'
import { answerTo, decoded, line, root, type VerdictName } from '../../support/agent-verdicts.ts'
import { dialects } from '../../support/dialects.ts'
import { folderWith } from '../../support/workspace.ts'

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
    ['run_in_terminal', { command: 'make' }, { kind: 'shell', command: 'make' }],
    ['read_file', { filePath: '/a' }, { kind: 'read', path: '/a' }],
    ['create_file', { filePath: '/a', content: 'x' }, { kind: 'write', path: '/a', content: 'x' }],
    ['replace_string_in_file', { filePath: '/a', oldString: 'x', newString: 'y' }, { kind: 'edit', content: 'y' }],
    ['fetch_webpage', { urls: ['https://example.com'] }, { kind: 'fetch', url: 'https://example.com' }],
    ['mcp_notes_add', {}, { kind: 'mcp', name: 'mcp__notes__add' }],
  ])('decodes a call of %s into the common fields', (name, input, tool) => {
    expect(decoded('vscode', call(name, input)).tool).toMatchObject(tool)
  })
})

describe('several replacements in one call of VS Code', () => {
  const replaced = (filePath: string, oldString: string, newString: string) => ({ filePath, oldString, newString })
  const wire = call('multi_replace_string_in_file', {
    explanation: 'rename it',
    replacements: [
      { ...replaced(`${root}/src/a.ts`, 'x', 'y'), explanation: 'the name' },
      replaced(`${root}/secret/key`, 'old', 'new'),
      replaced(`${root}/src/a.ts`, 'v', 'w'),
    ],
  })

  it('name each file once, and hold all texts', () => {
    expect(decoded('vscode', wire).tool).toMatchObject({
      kind: 'edit',
      path: `${root}/src/a.ts`,
      paths: [`${root}/src/a.ts`, `${root}/secret/key`],
      content: 'y\nnew\nw',
    })
  })

  it('are empty where there is no list', () => {
    const { tool } = decoded('vscode', call('multi_replace_string_in_file', { replacements: 'all' }))
    expect(tool).toEqual({
      kind: 'edit',
      name: 'multi_replace_string_in_file',
      id: 'call-1',
      input: { replacements: 'all' },
    })
    for (const agent of ['claude-code', 'codex'] as const) {
      expect(dialects[agent].encodeEvent(decoded('vscode', call('multi_replace_string_in_file', {})))).toEqual([])
    }
  })

  const inClineForm = (removed: string, added: string) =>
    `------- SEARCH\n${removed}\n=======\n${added}\n+++++++ REPLACE`
  it.each<[KnownAgent, object, object]>([
    [
      'claude-code',
      { tool_name: 'Edit', tool_input: { file_path: `${root}/src/a.ts`, old_string: 'x\nv', new_string: 'y\nw' } },
      { tool_name: 'Edit', tool_input: { file_path: `${root}/secret/key`, old_string: 'old', new_string: 'new' } },
    ],
    [
      'gemini-cli',
      { tool_name: 'replace', tool_input: { file_path: `${root}/src/a.ts`, new_string: 'y\nw' } },
      { tool_name: 'replace', tool_input: { file_path: `${root}/secret/key`, new_string: 'new' } },
    ],
    [
      'cline',
      {
        preToolUse: {
          toolName: 'replace_in_file',
          parameters: { path: 'src/a.ts', diff: `${inClineForm('x', 'y')}\n${inClineForm('v', 'w')}` },
        },
      },
      {
        preToolUse: {
          toolName: 'replace_in_file',
          parameters: { path: 'secret/key', diff: inClineForm('old', 'new') },
        },
      },
    ],
  ])('become one event per file for a hook of %s', (agent, first, second) => {
    expect(dialects[agent].encodeEvent(decoded('vscode', wire))).toMatchObject([first, second])
  })

  it('are refused for one protected file among others, and each is evaluated by a guard of edits', async () => {
    const home = folderWith({
      'hooks.json': {
        json: {
          packs: [{ pack: 'protected-paths', params: { paths: ['secret'] } }],
          hooks: { PreToolUse: [{ matcher: 'Edit|Write', hooks: [{ type: 'command', command: 'cat >/dev/null' }] }] },
        },
      },
    })
    const gate = createGate({
      rules: [join(home, 'hooks.json')],
      discover: false,
      home,
      managedFolder: home,
      env: { PATH: process.env['PATH'] ?? '' },
    })
    onTestFinished(() => gate.close())
    const verdict = await gate.decide(await gate.decode(wire, { agent: 'vscode' }))
    expect(verdict).toMatchObject({ decision: 'deny', reason: expect.stringContaining('secret/key') as unknown })
    const preToolUse = verdict.evaluations.filter(({ ruleId }) => ruleId.includes('PreToolUse'))
    expect(preToolUse.map(({ kind }) => kind)).toEqual(['notApplicable', 'notApplicable'])
  })
})

const specific = (fields: object) => line({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...fields } })

describe('the answer to VS Code', () => {
  it.each<[VerdictName, readonly [string, string, number]]>([
    ['abstain', ['', '', 0]],
    ['allow', [specific({ permissionDecision: 'allow', permissionDecisionReason: 'fine' }), '', 0]],
    ['ask', [specific({ permissionDecision: 'ask', permissionDecisionReason: 'sure?' }), '', 0]],
    ['deny', [specific({ permissionDecision: 'deny', permissionDecisionReason: 'no' }), 'no\n', 2]],
    ['context', [specific({ additionalContext: 'know this' }), '', 0]],
    ['stop', [line({ continue: false, stopReason: 'enough' }), '', 0]],
  ])('encodes %s byte for byte', (what, bytes) => {
    expect(answerTo('vscode', shell, what)).toEqual(bytes)
  })
})
