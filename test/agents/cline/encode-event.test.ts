import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dialect as cline } from '../../../src/agents/cline/wire.ts'
import type { ToolUse, HookEvent } from '../../../src/model/event.ts'
import type { JsonObject } from '../../../src/model/json.ts'
import { foreignEvents, sdkWire, surroundings, wires } from '../../support/cline-events.ts'

const root = '/home/ada/shop'
const foreign: HookEvent = {
  name: 'PreToolUse',
  agent: 'claude-code',
  session: { id: 's-1', cwd: root },
  workspaceRoots: [root],
  atMs: 1_795_000_000_123,
  raw: {},
}
const withTool = (name: string, tool: Partial<ToolUse>, more: Partial<HookEvent> = {}): HookEvent => ({
  ...foreign,
  ...more,
  tool: { kind: 'other', name, input: {}, ...tool },
})
const toolOf = (event: HookEvent) => cline.encodeEvent(event).map((wire) => wire['preToolUse'])
const decode = (wire: JsonObject) => cline.decodeEvent(wire, surroundings)

describe('an event of the published protocol', () => {
  it.each([...wires.classic, ...wires.extension])('reaches a Cline hook unchanged: $hookName', (wire) => {
    expect(cline.encodeEvent(decode(wire))).toEqual([wire])
  })
})

describe('an event of the SDK', () => {
  it('reaches a Cline hook in the published protocol', () => {
    const [wire] = cline.encodeEvent(decode(wires.sdk[1] ?? {}))
    expect(JSON.stringify(wire)).toBe(
      JSON.stringify({
        clineVersion: 'hookgate',
        hookName: 'PostToolUse',
        timestamp: '1795000000123',
        taskId: 'conv_1_a',
        workspaceRoots: [root],
        userId: 'ada',
        model: { provider: 'unknown', slug: 'unknown' },
        postToolUse: {
          toolName: 'run_commands',
          parameters: { commands: '["ls"]' },
          result: '[{"result":"a"}]',
          success: true,
          executionTimeMs: 5,
        },
      }),
    )
  })

  it('keeps its own version and tool names', () => {
    const call = { tool_call: { name: 'shop__order', input: { item: { sku: 'k1' }, gift: null } } }
    const [wire] = cline.encodeEvent(decode(sdkWire('tool_call', { clineVersion: '3.0.65', ...call })))
    expect(wire).toMatchObject({
      clineVersion: '3.0.65',
      preToolUse: { toolName: 'shop__order', parameters: { item: '{"sku":"k1"}', gift: 'null' } },
    })
  })

  it.each(['session_shutdown', 'agent_error'])('that Cline hooks do not have is not encoded: %s', (hookName) => {
    expect(cline.encodeEvent(decode(sdkWire(hookName)))).toEqual([])
  })
})

describe('an event of another agent', () => {
  it('is encoded in Cline’s key order, without default values', () => {
    const event: HookEvent = {
      ...withTool('Read', { kind: 'read', input: { file_path: `${root}/a` }, path: `${root}/a` }),
      name: 'PostToolUseFailure',
      session: { id: '', cwd: root, model: { provider: 'anthropic', slug: 'sonnet' } },
      result: { succeeded: false, error: 'no such file', durationMs: 0 },
    }
    expect(JSON.stringify(cline.encodeEvent(event))).toBe(
      JSON.stringify([
        {
          clineVersion: 'hookgate',
          hookName: 'PostToolUse',
          timestamp: '1795000000123',
          workspaceRoots: [root],
          userId: 'unknown',
          model: { provider: 'anthropic', slug: 'sonnet' },
          postToolUse: { toolName: 'read_file', parameters: { path: 'a' }, result: 'no such file' },
        },
      ]),
    )
  })

  const parts: readonly (readonly [Partial<HookEvent>, JsonObject])[] = [
    [{ name: 'UserPromptSubmit', prompt: '' }, { userPromptSubmit: { prompt: '' } }],
    [
      { name: 'SessionStart', trigger: 'startup', prompt: 'fix it' },
      { hookName: 'TaskStart', taskStart: { taskMetadata: { taskId: 's-1', ulid: '', initialTask: 'fix it' } } },
    ],
    [{ name: 'SessionStart', trigger: 'clear' }, { hookName: 'TaskStart' }],
    [
      { name: 'SessionStart', trigger: 'resume' },
      { hookName: 'TaskResume', taskResume: { taskMetadata: { taskId: 's-1', ulid: '' } } },
    ],
    [
      { name: 'SessionEnd', trigger: 'cancelled' },
      { taskCancel: { taskMetadata: { taskId: 's-1', ulid: '', completionStatus: 'cancelled' } } },
    ],
    [
      { name: 'Stop', message: 'done' },
      { taskComplete: { taskMetadata: { taskId: 's-1', ulid: '', result: 'done', command: '' } } },
    ],
    [{ name: 'PreCompact', trigger: 'manual' }, { preCompact: { taskId: 's-1' } }],
    [
      { name: 'Notification', trigger: 'permission_prompt', message: 'may I' },
      {
        notification: {
          event: 'user_attention',
          source: 'claude-code',
          message: 'may I',
          waitingForUserInput: true,
          eventVersion: '1',
          requiresUserAction: true,
          severity: 'info',
        },
      },
    ],
    [
      { name: 'Notification', trigger: 'agent_completed' },
      { notification: { event: 'task_complete', source: 'claude-code', eventVersion: '1', severity: 'info' } },
    ],
  ]
  it.each(parts)('has the fields of its Cline event: %j', (fields, expected) => {
    const [wire, ...more] = cline.encodeEvent({ ...foreign, ...fields })
    expect(more).toEqual([])
    for (const [key, value] of Object.entries(expected)) expect(wire?.[key]).toEqual(value)
  })

  it.each([
    { name: 'SubagentStop' },
    { name: 'SessionStart', trigger: 'compact' },
    { name: 'SessionEnd', trigger: 'logout' },
    { name: 'PermissionRequest' },
  ] as const)('without a Cline counterpart is not encoded: %j', (fields) => {
    expect(cline.encodeEvent({ ...foreign, ...fields })).toEqual([])
  })

  it.each(['PreToolUse', 'PostToolUse'] as const)('is not encoded where it names no tool: %s', (name) => {
    expect(cline.encodeEvent({ ...foreign, name })).toEqual([])
  })

  it.each([
    [
      { succeeded: true, output: { stdout: 'a' } },
      { result: '{"stdout":"a"}', success: true },
    ],
    [
      { succeeded: true, output: 'a', durationMs: 4.6 },
      { result: 'a', success: true, executionTimeMs: 5 },
    ],
    [{ succeeded: false, output: 'half' }, { result: 'half' }],
    [undefined, {}],
  ])('has its result as a string: %j', (result, expected) => {
    const [wire] = cline.encodeEvent(withTool('x', {}, { name: 'PostToolUse', ...(result && { result }) }))
    expect(wire?.['postToolUse']).toEqual({ toolName: 'x', ...expected })
  })
})

const diff = (...blocks: readonly (readonly string[])[]) =>
  blocks.map((block) => ['------- SEARCH', ...block, '+++++++ REPLACE'].join('\n')).join('\n')

describe('a tool of another agent', () => {
  const path = `${root}/src/a.ts`
  const rows: readonly (readonly [string, Partial<ToolUse>, string, JsonObject])[] = [
    ['Bash', { kind: 'shell', command: 'ls' }, 'execute_command', { command: 'ls', requires_approval: 'false' }],
    ['PowerShell', { kind: 'shell', command: 'ls' }, 'execute_command', { command: 'ls', requires_approval: 'false' }],
    ['Read', { kind: 'read', path }, 'read_file', { path: 'src/a.ts' }],
    ['Write', { kind: 'write', path, content: 'x' }, 'write_to_file', { path: 'src/a.ts', content: 'x' }],
    [
      'Edit',
      { kind: 'edit', path, content: 'b', input: { file_path: path, old_string: 'a', new_string: 'b' } },
      'replace_in_file',
      { path: 'src/a.ts', diff: diff(['a', '=======', 'b']) },
    ],
    [
      'MultiEdit',
      {
        kind: 'edit',
        path,
        input: {
          edits: [
            { old_string: 'a', new_string: 'b' },
            { old_string: '', new_string: 'd' },
          ],
        },
      },
      'replace_in_file',
      { path: 'src/a.ts', diff: diff(['a', '=======', 'b'], ['=======', 'd']) },
    ],
    [
      'NotebookEdit',
      { kind: 'edit', path, content: 'c' },
      'replace_in_file',
      { path: 'src/a.ts', diff: diff(['=======', 'c']) },
    ],
    [
      'Grep',
      { kind: 'search', path: 'src', input: { pattern: 'x', path: 'src', glob: '*.ts' } },
      'search_files',
      { path: 'src', regex: 'x', file_pattern: '*.ts' },
    ],
    ['Grep', { kind: 'search', input: { pattern: 'x' } }, 'search_files', { path: '.', regex: 'x' }],
    ['Glob', { kind: 'list', input: { pattern: '*.ts' } }, 'list_files', { path: '.', recursive: 'true' }],
    ['WebFetch', { kind: 'fetch', url: 'https://a.example' }, 'web_fetch', { url: 'https://a.example' }],
    ['WebSearch', { kind: 'websearch', input: { query: 'x' } }, 'web_search', { query: 'x' }],
    ['Agent', { kind: 'agent', content: 'go' }, 'new_task', { context: 'go' }],
    [
      'mcp__my_shop__order__now',
      { kind: 'mcp', input: { item: { sku: 'k1' } } },
      'use_mcp_tool',
      { server_name: 'my_shop', tool_name: 'order__now', arguments: '{"item":{"sku":"k1"}}' },
    ],
    ['TodoWrite', { input: { todos: ['a'], note: 'n' } }, 'TodoWrite', { todos: '["a"]', note: 'n' }],
  ]
  it.each(rows)('%s %j is %s to a Cline hook', (name, tool, toolName, parameters) => {
    expect(toolOf(withTool(name, tool))).toEqual([{ toolName, parameters }])
  })

  it.each([
    [root, '.'],
    [`${root}/src/a.ts`, 'src/a.ts'],
    [`${root}/..hidden`, '..hidden'],
    [`${root}2/a.ts`, `${root}2/a.ts`],
    ['/etc/passwd', '/etc/passwd'],
    ['a.ts', 'sub/a.ts'],
    ['../../other', '/home/ada/other'],
  ])('names the file %s as Cline’s model would: %s', (file, expected) => {
    const session = { id: 's-1', cwd: `${root}/sub` }
    expect(toolOf(withTool('Read', { kind: 'read', path: file }, { session }))).toEqual([
      { toolName: 'read_file', parameters: { path: expected } },
    ])
  })

  it('that touches several files becomes one event per file', () => {
    const paths = [`${root}/a`, `${root}/b`]
    expect(toolOf(withTool('Write', { kind: 'write', path: `${root}/a`, paths, content: 'x' }))).toEqual([
      { toolName: 'write_to_file', parameters: { path: 'a', content: 'x' } },
      { toolName: 'write_to_file', parameters: { path: 'b', content: 'x' } },
    ])
  })
})

describe('decoding what was encoded', () => {
  it('gives the same event, as far as Cline’s protocol can express it', () => {
    fc.assert(
      fc.property(foreignEvents, (event) => {
        const [wire] = cline.encodeEvent(event)
        expect(held(decode(wire ?? {}))).toEqual(held(event))
      }),
    )
  })

  it.each(wires.sdk)('gives the same SDK event, as far as the published protocol can express it: $hookName', (wire) => {
    const event = decode(wire)
    const again = cline.encodeEvent(event).map((encoded) => held(decode(encoded)))
    expect(again).toEqual(again.length === 0 ? [] : [held(event)])
  })
})

/** Reduces an event to what the published protocol can express, where a default equals absence. */
function held(event: HookEvent) {
  const { name, session, workspaceRoots, atMs, trigger, tool, result, prompt = '', message = '' } = event
  const output = result?.output ?? ''
  return {
    name,
    id: session.id,
    workspaceRoots,
    atMs,
    trigger,
    prompt,
    message,
    tool: tool && {
      tool: tool.kind,
      // An MCP tool keeps its name; a built-in one has the name of its kind.
      name: tool.kind === 'mcp' ? tool.name : undefined,
      path: tool.path?.replace(`${root}/`, ''),
      command: tool.command,
      url: tool.url,
      content: tool.content,
    },
    result: result && {
      output: typeof output === 'string' ? output : JSON.stringify(output),
      succeeded: result.succeeded,
      durationMs: result.durationMs ?? 0,
    },
  }
}
