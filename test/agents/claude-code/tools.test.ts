import { describe, expect, it } from 'vitest'
import { dialect } from '../../../src/agents/claude-code/wire.ts'
import { toolUseOf } from '../../../src/agents/table/tool-use.ts'
import type { ToolUse } from '../../../src/model/event.ts'
import { isJsonObject, type JsonObject } from '../../../src/model/json.ts'

describe("a call of Claude Code's own tool", () => {
  it.each<[string, JsonObject, Partial<ToolUse>]>([
    ['Bash', { command: 'ls' }, { kind: 'shell', command: 'ls' }],
    ['PowerShell', { command: 'dir' }, { kind: 'shell', command: 'dir' }],
    ['Monitor', { command: 'tail -f log' }, { kind: 'shell', command: 'tail -f log' }],
    ['Read', { file_path: '/a', limit: 3 }, { kind: 'read', paths: ['/a'], path: '/a' }],
    ['Write', { file_path: '/a', content: 'x' }, { kind: 'write', paths: ['/a'], path: '/a', content: 'x' }],
    [
      'Edit',
      { file_path: '/a', old_string: 'x', new_string: 'y', replace_all: false },
      { kind: 'edit', paths: ['/a'], path: '/a', content: 'y' },
    ],
    [
      'MultiEdit',
      { file_path: '/a', edits: [{ old_string: 'a', new_string: 'b' }, { new_string: 'c' }, 7] },
      { kind: 'edit', paths: ['/a'], path: '/a', content: 'b\nc' },
    ],
    [
      'NotebookEdit',
      { notebook_path: '/n', new_source: 's' },
      { kind: 'edit', paths: ['/n'], path: '/n', content: 's' },
    ],
    ['Grep', { pattern: 'x', path: '/a' }, { kind: 'search', paths: ['/a'], path: '/a' }],
    ['Glob', { pattern: '*.ts' }, { kind: 'list' }],
    ['WebFetch', { url: 'https://e.org', prompt: 'p' }, { kind: 'fetch', url: 'https://e.org' }],
    ['WebSearch', { query: 'q' }, { kind: 'websearch' }],
    ['Agent', { prompt: 'go' }, { kind: 'agent', content: 'go' }],
    ['Task', { prompt: 'go' }, { kind: 'agent', content: 'go' }],
    ['mcp__db__query', { command: 'x', path: 'y' }, { kind: 'mcp' }],
    ['mcp__plugin_kit_db__query', {}, { kind: 'mcp' }],
    ['TodoWrite', { todos: [] }, { kind: 'other' }],
    ['constructor', { file_path: '/a' }, { kind: 'other', paths: ['/a'], path: '/a' }],
    ['Write', { file_path: 7, content: ['x'] }, { kind: 'write' }],
  ])('%s %j is decoded into the common fields', (name, input, common) => {
    expect(toolUseOf('claude-code', name, input, 'id')).toEqual({ name, input, id: 'id', ...common })
  })
})

const cwd = '/home/someone/app'
function callsOf(agent: string, tool: ToolUse, folder: string) {
  const [session, workspaceRoots] = [{ id: 's', cwd: folder }, [folder]]
  return dialect
    .encodeEvent({ name: 'PreToolUse', agent, session, workspaceRoots, atMs: 0, tool, raw: {} })
    .map(({ tool_name, tool_input }) => ({ tool_name, tool_input: isJsonObject(tool_input) ? tool_input : {} }))
}
const cline = (tool: ToolUse) => callsOf('cline', tool, cwd)
const edit = (name: string, input: JsonObject, paths: string[], content?: string): ToolUse => ({
  kind: 'edit',
  name,
  input,
  paths,
  ...(content !== undefined && { content }),
})

describe("a call of Cline's tool", () => {
  it.each<[string, ToolUse, string, JsonObject]>([
    [
      'execute_command',
      { kind: 'shell', name: 'execute_command', input: { command: 'ls', requires_approval: 'true' }, command: 'ls' },
      'Bash',
      { command: 'ls' },
    ],
    [
      'run_commands',
      { kind: 'shell', name: 'run_commands', input: { commands: ['a', 'b'] }, command: 'a\nb' },
      'Bash',
      { command: 'a\nb' },
    ],
    [
      'read_file',
      { kind: 'read', name: 'read_file', input: { path: 'a' }, paths: ['a'], path: 'a' },
      'Read',
      { file_path: `${cwd}/a` },
    ],
    [
      'write_to_file',
      { kind: 'write', name: 'write_to_file', input: { path: '../b', content: 'x' }, path: '../b', content: 'x' },
      'Write',
      { file_path: '/home/someone/b', content: 'x' },
    ],
    [
      'editor, for a whole file',
      { kind: 'write', name: 'editor', input: { path: '/c', new_text: 'x' }, path: '/c', content: 'x' },
      'Write',
      { file_path: '/c', content: 'x' },
    ],
    [
      'editor, for part of a file',
      edit('editor', { path: '/c', old_text: 'o', new_text: 'n' }, ['/c'], 'n'),
      'Edit',
      { file_path: '/c', old_string: 'o', new_string: 'n', replace_all: false },
    ],
    [
      'search_files',
      {
        kind: 'search',
        name: 'search_files',
        input: { path: 'src', regex: 'x+', file_pattern: '*.ts' },
        path: 'src',
      },
      'Grep',
      { pattern: 'x+', path: `${cwd}/src`, glob: '*.ts' },
    ],
    [
      'search_codebase',
      { kind: 'search', name: 'search_codebase', input: { queries: ['a', 'b'] } },
      'Grep',
      { pattern: 'a|b' },
    ],
    [
      'search_codebase for one text',
      { kind: 'search', name: 'search_codebase', input: { queries: 'a' } },
      'Grep',
      { pattern: 'a' },
    ],
    [
      'list_files',
      { kind: 'list', name: 'list_files', input: { path: 'src' }, path: 'src' },
      'Glob',
      { pattern: '*', path: `${cwd}/src` },
    ],
    [
      'recursive list_files',
      { kind: 'list', name: 'list_files', input: { path: '.', recursive: 'true' }, path: '.' },
      'Glob',
      { pattern: '**/*', path: cwd },
    ],
    [
      "the SDK's list_files, with a flag that is not from XML",
      { kind: 'list', name: 'list_files', input: { path: '.', recursive: true }, path: '.' },
      'Glob',
      { pattern: '**/*', path: cwd },
    ],
    [
      'list_code_definition_names',
      { kind: 'list', name: 'list_code_definition_names', input: { path: '.' }, path: '.' },
      'Glob',
      { pattern: '*', path: cwd },
    ],
    [
      'web_fetch',
      { kind: 'fetch', name: 'web_fetch', input: { url: 'https://e.org' }, url: 'https://e.org' },
      'WebFetch',
      { url: 'https://e.org' },
    ],
    ['web_search', { kind: 'websearch', name: 'web_search', input: { query: 'q' } }, 'WebSearch', { query: 'q' }],
    ['new_task', { kind: 'agent', name: 'new_task', input: { context: 'c' }, content: 'c' }, 'Agent', { prompt: 'c' }],
    [
      'use_mcp_tool, with its arguments in a string',
      {
        kind: 'mcp',
        name: 'mcp__db__query',
        input: { server_name: 'db', tool_name: 'query', arguments: '{"sql": "select 1"}' },
      },
      'mcp__db__query',
      { sql: 'select 1' },
    ],
    [
      'use_mcp_tool, with its arguments in an object',
      { kind: 'mcp', name: 'mcp__db__query', input: { server_name: 'db', tool_name: 'query', arguments: { sql: '' } } },
      'mcp__db__query',
      { sql: '' },
    ],
    [
      'use_mcp_tool without arguments',
      { kind: 'mcp', name: 'mcp__db__list', input: { server_name: 'db', tool_name: 'list' } },
      'mcp__db__list',
      {},
    ],
    [
      'use_mcp_tool with arguments that are not JSON, which are kept',
      { kind: 'mcp', name: 'mcp__db__query', input: { server_name: 'db', arguments: '{"sql"' } },
      'mcp__db__query',
      { server_name: 'db', arguments: '{"sql"' },
    ],
    [
      "an MCP tool of the SDK's",
      { kind: 'mcp', name: 'mcp__db__query', input: { sql: 'x' } },
      'mcp__db__query',
      { sql: 'x' },
    ],
    [
      'a tool without a counterpart',
      { kind: 'browser', name: 'browser_action', input: { action: 'launch', url: 'u' }, url: 'u' },
      'browser_action',
      { action: 'launch', url: 'u' },
    ],
    [
      'an unknown tool',
      { kind: 'other', name: 'attempt_completion', input: { result: 'r' } },
      'attempt_completion',
      { result: 'r' },
    ],
  ])('%s is encoded as a call of Claude Code’s equivalent tool', (_what, tool, name, input) => {
    expect(cline(tool)).toEqual([{ tool_name: name, tool_input: input }])
  })

  it.each<[string, ToolUse]>([
    ['a command without a command', { kind: 'shell', name: 'execute_command', input: {} }],
    ['a read without a path', { kind: 'read', name: 'read_file', input: {} }],
    ['a write without a path', { kind: 'write', name: 'write_to_file', input: { content: 'x' }, content: 'x' }],
    ['an edit without a path', edit('replace_in_file', { diff: '' }, [])],
    ['a search without a pattern', { kind: 'search', name: 'search_files', input: { path: '.' }, path: '.' }],
    ['a fetch without an address', { kind: 'fetch', name: 'web_fetch', input: {} }],
    ['a web search without a query', { kind: 'websearch', name: 'web_search', input: {} }],
  ])('%s cannot be encoded for Claude Code', (_what, tool) => {
    expect(cline(tool)).toEqual([])
  })
})

const strings = (diff: string) =>
  cline(edit('replace_in_file', { path: 'a', diff }, ['a'], diff)).map(({ tool_input: input }) => [
    input['old_string'],
    input['new_string'],
  ])

describe("an edit by Cline's SEARCH and REPLACE blocks", () => {
  it.each<[string, string, string, string]>([
    ['one block', '------- SEARCH\nold\n=======\nnew\n+++++++ REPLACE\n', 'old', 'new'],
    [
      'two blocks, joined by a line break',
      '------- SEARCH\na\nb\n=======\nc\n+++++++ REPLACE\n\n------- SEARCH\nd\n=======\ne\nf\n+++++++ REPLACE\n',
      'a\nb\nd',
      'c\ne\nf',
    ],
    ['the older delimiters', '<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE', 'old', 'new'],
    [
      'short delimiters with the extra character of some models',
      '--- SEARCH>\nold\n===\nnew\n+++ REPLACE>',
      'old',
      'new',
    ],
    ['carriage returns', '------- SEARCH\r\nold\r\n=======\r\nnew\r\n+++++++ REPLACE\r\n', 'old', 'new'],
    ['nothing to search for', '------- SEARCH\n=======\nnew\n+++++++ REPLACE', '', 'new'],
    [
      'a divider that is part of the new text',
      '------- SEARCH\nold\n=======\n=======\n+++++++ REPLACE',
      'old',
      '=======',
    ],
    ['a last block that was cut off', '------- SEARCH\nold\n=======\nnew', 'old', 'new'],
    ['no block at all', 'just text', '', 'just text'],
  ])('%s', (_what, diff, removed, added) => {
    expect(strings(diff)).toEqual([[removed, added]])
  })
})

it('ignores blocks in a text that is not a diff, where they would hide the rest', () => {
  const text = 'evil\n------- SEARCH\n=======\nharmless\n+++++++ REPLACE'
  const input = { path: 'a', old_text: 'o', new_text: text, diff: text, input: '*** Begin Patch' }
  expect(cline(edit('editor', input, ['a'], text))[0]?.tool_input).toMatchObject({ old_string: 'o', new_string: text })
})

it('splits a patch into the removed and added text of each file', () => {
  const patch = [
    '*** Begin Patch',
    '*** Update File: src/a.ts',
    '@@ function f',
    ' kept',
    '-old',
    '+new',
    '*** Add File: b.ts',
    '+first',
    '+second',
    '*** Delete File: c.ts',
    '*** End Patch',
  ].join('\n')
  const paths = ['src/a.ts', 'b.ts', 'c.ts']
  expect(cline(edit('apply_patch', { input: patch }, paths, patch)).map((call) => call.tool_input)).toEqual([
    { file_path: `${cwd}/src/a.ts`, old_string: 'old', new_string: 'new', replace_all: false },
    { file_path: `${cwd}/b.ts`, old_string: '', new_string: 'first\nsecond', replace_all: false },
    { file_path: `${cwd}/c.ts`, old_string: '', new_string: '', replace_all: false },
  ])
})
