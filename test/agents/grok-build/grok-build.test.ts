import { describe, expect, it } from 'vitest'
import { dialectBySight } from '../../../src/agents/index.ts'
import { mcpArguments } from '../../../src/tools/mcp-call.ts'
import type { JsonObject } from '../../../src/model/json.ts'
import { answerTo, decoded, line, root, type VerdictName } from '../../support/agent-verdicts.ts'
import { dialects } from '../../support/dialects.ts'
import { sampleEvent } from '../../support/samples.ts'

const unasked = 'sure?\nGrok Build cannot ask the person, so this question is a refusal.'

const at = (hookEventName: string, hook_event_name: string, more: JsonObject) => ({
  hookEventName,
  sessionId: 'g-1',
  cwd: root,
  workspaceRoot: `${root}/`,
  timestamp: '2026-11-23T12:09:14.525318211+00:00',
  permissionMode: 'bypassPermissions',
  ...more,
  hook_event_name,
  session_id: 'g-1',
  permission_mode: 'bypassPermissions',
})
const call = (toolName: string, toolInput: JsonObject) =>
  at('pre_tool_use', 'PreToolUse', { toolName, toolUseId: 'c', toolInput, toolInputTruncated: false })
const shell = call('run_terminal_command', { command: 'make', description: 'build' })

describe('an event of Grok Build', () => {
  it.each<[string, JsonObject, object]>([
    ['run_terminal_command', { command: 'make' }, { kind: 'shell', command: 'make' }],
    ['monitor', { command: 'tail -f a', description: 'x' }, { kind: 'shell', command: 'tail -f a' }],
    ['read_file', { target_file: 'a' }, { kind: 'read', path: 'a' }],
    ['write', { file_path: 'a', content: 'x' }, { kind: 'write', path: 'a', content: 'x' }],
    ['search_replace', { file_path: 'a', old_string: 'x', new_string: 'y' }, { kind: 'edit', path: 'a', content: 'y' }],
    ['grep', { pattern: 'x', path: 'src' }, { kind: 'search', path: 'src' }],
    ['list_dir', { target_directory: 'src' }, { kind: 'list', path: 'src' }],
    ['spawn_subagent', { prompt: 'do' }, { kind: 'agent', content: 'do' }],
    ['notes__add_note', { text: 'x' }, { kind: 'mcp', name: 'mcp__notes__add_note' }],
  ])('decodes a call of %s into the common fields', (name, input, tool) => {
    expect(decoded('grok-build', call(name, input)).tool).toMatchObject(tool)
  })

  it('needs only the keys of its own, and names the project', () => {
    const { hook_event_name: _name, session_id: _id, permission_mode: _mode, ...own } = shell
    expect(decoded('grok-build', own)).toMatchObject({
      name: 'PreToolUse',
      session: { id: 'g-1', cwd: root, permissionMode: 'bypassPermissions' },
      workspaceRoots: [root],
      atMs: Date.parse('2026-11-23T12:09:14.525Z'),
    })
  })

  it('of a sub-agent names it', () => {
    const { session } = decoded('grok-build', { ...shell, subagentType: 'explore' })
    expect(session.agentType).toBe('explore')
  })

  it('has the arguments of an MCP tool that is called through `use_tool`', () => {
    const wrapped = { tool_name: 'notes__add_note', tool_input: { path: '/etc/passwd' } }
    const { tool } = decoded('grok-build', call('notes__add_note', wrapped))
    expect(mcpArguments(tool?.input ?? {})).toEqual({ path: '/etc/passwd' })
  })

  it('is not taken for that of another agent, though it has Claude Code’s keys as well', async () => {
    expect(await dialectBySight({ ...shell, transcript_path: '/h/.claude/s.jsonl' })).toBe(dialects['grok-build'])
  })

  it('whose input was cut cannot be read', () => {
    const cut = { ...shell, toolInput: '{"command":"make [truncated]', toolInputTruncated: true }
    expect(() => decoded('grok-build', cut)).toThrow("the agent has cut the tool's input (`toolInputTruncated`)")
  })
})

describe('an event of another agent, encoded for a hook of Grok Build', () => {
  it('has Grok’s own keys and those that it copies from Claude Code', () => {
    const [wire] = dialects['grok-build'].encodeEvent(sampleEvent('PreToolUse', 'claude-code'))
    expect(wire).toMatchObject({
      hookEventName: 'pre_tool_use',
      hook_event_name: 'PreToolUse',
      toolName: 'run_terminal_command',
      tool_name: 'run_terminal_command',
      toolInput: { command: 'ls -l' },
      tool_input: { command: 'ls -l' },
    })
    expect(wire?.['session_id']).toBe(wire?.['sessionId'])
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
const unstopped = 'a rule demands that the turn ends (enough), which Grok Build cannot do at PreToolUse'

describe('the answer to Grok Build', () => {
  it.each<[VerdictName, readonly [string, string, number]]>([
    ['abstain', ['', '', 0]],
    // `allow` skips no prompt.
    ['allow', ['', '', 0]],
    // Grok would run the tool where every call is approved.
    ['ask', [denied(unasked), `${unasked}\n`, 2]],
    ['deny', [denied('no'), 'no\n', 2]],
    ['stop', [denied(unstopped), `${unstopped}\n`, 2]],
    // Grok shows the user no message of a hook that lets a call run.
    ['notice', ['', 'hookgate: a hook broke\n', 0]],
    ['context', [line({ hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext: 'know this' } }), '', 0]],
    [
      'rewrite',
      [line({ hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { command: 'ls' } } }), '', 0],
    ],
  ])('encodes %s byte for byte', (outcome, bytes) => {
    expect(answerTo('grok-build', shell, outcome)).toEqual(bytes)
  })
})

describe('the answer of a hook of Grok Build', () => {
  const answered = (object: object) => {
    const event = decoded('grok-build', shell)
    const exit = {
      kind: 'exited',
      exitCode: 0,
      stdout: line(object),
      stderr: '',
      failure: undefined,
      durationMs: 1,
    } as const
    const handler = { kind: 'command', dialect: 'grok-build', program: { form: 'exec', file: '', args: [] } } as const
    return dialects['grok-build'].decodeAnswer(event, event.raw, exit, {
      ...handler,
      env: {},
      plainTextEvents: [],
      async: false,
    })
  }

  it('may ask with the older `decision`, unless `permissionDecision` says otherwise', () => {
    expect(answered({ decision: 'ask', reason: 'sure?' })).toMatchObject({ effect: 'ask', reason: 'sure?' })
    const deny = { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'no' }
    expect(answered({ decision: 'ask', hookSpecificOutput: deny })).toMatchObject({ effect: 'deny', reason: 'no' })
  })
})
