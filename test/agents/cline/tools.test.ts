import { describe, expect, it } from 'vitest'
import { dialect as cline } from '../../../src/agents/cline/wire.ts'
import type { ToolUse } from '../../../src/model/event.ts'
import type { Json, JsonObject } from '../../../src/model/json.ts'
import { classicWire, extension, sdkWire, surroundings } from '../../support/cline-events.ts'

const toolUseOf = (wire: JsonObject) => cline.decodeEvent(wire, surroundings).tool
const classic = (toolName: string, parameters: JsonObject = {}) =>
  toolUseOf(classicWire('PreToolUse', { preToolUse: { toolName, parameters } }))
const ofExtension = (toolName: string, parameters: JsonObject = {}) =>
  toolUseOf(classicWire('PreToolUse', { ...extension, preToolUse: { toolName, parameters } }))
const sdk = (name: string, input: Json) => toolUseOf(sdkWire('tool_call', { tool_call: { name, input } }))

describe('a tool of classic Cline', () => {
  const rows: readonly (readonly [string, JsonObject, Partial<ToolUse>])[] = [
    ['execute_command', { command: 'ls' }, { kind: 'shell', command: 'ls' }],
    ['read_file', { path: 'a.ts' }, { kind: 'read', path: 'a.ts', paths: ['a.ts'] }],
    ['read_file', { absolutePath: '/w/a.ts' }, { kind: 'read', path: '/w/a.ts' }],
    ['read_file', { path: '', absolutePath: '/w/a.ts' }, { kind: 'read', path: '/w/a.ts' }],
    ['read_file', { path: 'a.ts', absolutePath: '/w/b.ts' }, { kind: 'read', paths: ['a.ts'] }],
    ['write_to_file', { path: 'a', content: 'x' }, { kind: 'write', path: 'a', content: 'x' }],
    ['new_rule', { path: '.clinerules/a.md', content: 'x' }, { kind: 'write', path: '.clinerules/a.md', content: 'x' }],
    ['replace_in_file', { path: 'a', diff: 'd' }, { kind: 'edit', path: 'a', content: 'd' }],
    ['search_files', { path: '.', regex: 'x' }, { kind: 'search', path: '.' }],
    ['list_files', { path: 'src', recursive: 'true' }, { kind: 'list', path: 'src' }],
    ['list_code_definition_names', { path: 'src' }, { kind: 'list', path: 'src' }],
    ['web_fetch', { url: 'https://a.example' }, { kind: 'fetch', url: 'https://a.example' }],
    ['web_search', { query: 'x' }, { kind: 'websearch' }],
    ['browser_action', { action: 'launch', url: 'https://a.example' }, { kind: 'browser', url: 'https://a.example' }],
    ['new_task', { context: 'go' }, { kind: 'agent', content: 'go' }],
    ['use_mcp_tool', { server_name: 's', tool_name: 't', arguments: '{}' }, { kind: 'mcp', name: 'mcp__s__t' }],
    ['use_mcp_tool', { server_name: 's' }, { kind: 'mcp', name: 'use_mcp_tool' }],
    ['attempt_completion', { result: 'done' }, { kind: 'other', name: 'attempt_completion' }],
    ['apply_patch', { input: '*** Delete File: a\n' }, { kind: 'edit', path: 'a' }],
  ]
  it.each(rows)('%s %j is decoded into its common form', (name, input, expected) => {
    expect(classic(name, input)).toMatchObject({ input, ...expected })
  })

  it('that runs a command is rejected without one', () => {
    expect(() => classic('execute_command')).toThrow('`preToolUse.parameters` has no command for `execute_command`')
  })

  it('has no common field that its call lacks', () => {
    expect(classic('read_file')).toEqual({ kind: 'read', name: 'read_file', input: {} })
  })
})

describe('a tool of Cline’s SDK', () => {
  const rows: readonly (readonly [string, Json, Partial<ToolUse>])[] = [
    ['run_commands', { commands: ['ls', 'pwd'] }, { kind: 'shell', command: 'ls\npwd' }],
    ['run_commands', { commands: 'ls' }, { command: 'ls' }],
    [
      'run_commands',
      { commands: [{ command: 'git', args: ['log', '-1', 'a b', "it's"] }] },
      { command: String.raw`git log -1 'a b' 'it'\''s'` },
    ],
    ['run_commands', { commands: { command: 'ls' } }, { command: 'ls' }],
    ['run_commands', { command: 'sh', args: ['-c', 'rm x'] }, { command: "sh -c 'rm x'" }],
    ['run_commands', { cmd: 'ls' }, { command: 'ls' }],
    [
      'run_commands',
      ['ls', { command: 'pwd' }],
      { command: 'ls\npwd', input: { commands: ['ls', { command: 'pwd' }] } },
    ],
    ['run_commands', 'ls', { command: 'ls', input: { commands: 'ls' } }],
    [
      'read_files',
      { files: [{ path: '/w/a' }, { path: '/w/b', start_line: 2 }] },
      { kind: 'read', path: '/w/a', paths: ['/w/a', '/w/b'] },
    ],
    ['read_files', { files: ['/w/a', '/w/b'] }, { paths: ['/w/a', '/w/b'] }],
    ['read_files', { files: { path: '/w/a' } }, { paths: ['/w/a'] }],
    ['read_files', { file_paths: ['/w/a'] }, { paths: ['/w/a'] }],
    ['read_files', { paths: '/w/a' }, { paths: ['/w/a'] }],
    ['read_files', { path: '/w/a' }, { paths: ['/w/a'] }],
    ['read_files', '/w/a', { paths: ['/w/a'] }],
    ['editor', { path: '/w/a', new_text: 'x' }, { kind: 'write', path: '/w/a', content: 'x' }],
    ['editor', { path: '/w/a', new_text: 'x', old_text: null, insert_line: null }, { kind: 'write' }],
    ['editor', { path: '/w/a', new_text: 'x', old_text: 'y' }, { kind: 'edit', content: 'x' }],
    ['editor', { path: '/w/a', new_text: 'x', insert_line: 3 }, { kind: 'edit' }],
    [
      'fetch_web_content',
      { requests: [{ url: 'https://a.example', prompt: 'p' }] },
      { kind: 'fetch', url: 'https://a.example' },
    ],
    ['search_codebase', ['x'], { kind: 'search', input: { queries: ['x'] } }],
    ['spawn_agent', { systemPrompt: 's', task: 'go' }, { kind: 'agent', content: 'go' }],
    ['shop__order', { item: 1 }, { kind: 'mcp', name: 'mcp__shop__order', input: { item: 1 } }],
    ['mcp__shop__order', {}, { kind: 'mcp', name: 'mcp__shop__order' }],
    ['submit', 5, { input: { input: 5 } }],
  ]
  it.each(rows)('%s %j is decoded into its common form', (name, input, expected) => {
    expect(sdk(name, input)).toMatchObject(expected)
  })

  it.each([null, undefined])('may have no input: %s', (input) => {
    const call = input === undefined ? { name: 'submit', id: 'c1' } : { name: 'submit', id: 'c1', input }
    expect(toolUseOf(sdkWire('tool_call', { tool_call: call }))).toEqual({
      kind: 'other',
      name: 'submit',
      id: 'c1',
      input: {},
    })
  })

  it.each(['read_files', 'editor', 'apply_patch', 'fetch_web_content', 'spawn_agent'])(
    'has no common field that its call lacks: %s',
    (name) => {
      const { kind: _, ...tool } = sdk(name, { commands: [null, 5, { args: ['x'] }], files: [{}, 5], path: 5 }) ?? {}
      expect(tool).toEqual({ name, input: { commands: [null, 5, { args: ['x'] }], files: [{}, 5], path: 5 } })
    },
  )

  it.each<[string, Json]>([
    ['no command', {}],
    ['a command that is a number', { commands: 5 }],
    ['an invalid command among others', { commands: ['ls', { run: 'git push --force' }] }],
    ['invalid arguments', { commands: [{ command: 'git', args: ['push', { flag: '--force' }] }] }],
  ])('that runs commands is rejected with %s', (_what, input) => {
    expect(() => sdk('run_commands', input)).toThrow('`tool_call.input` has no command for `run_commands`')
  })

  it('touches every file that its patch names, and none named in a file’s text', () => {
    const input = [
      '*** Begin Patch',
      '*** Add File: new.ts',
      '+*** Delete File: only text',
      '*** Update File:   old.ts \r',
      '*** Move to: moved.ts',
      '@@',
      '-a',
      '+b',
      '*** Delete File: gone.ts',
      '*** Delete File: ',
      '*** End Patch',
    ].join('\n')
    expect(sdk('apply_patch', { input })).toMatchObject({
      kind: 'edit',
      paths: ['new.ts', 'old.ts', 'moved.ts', 'gone.ts'],
      content: input,
    })
    expect(sdk('apply_patch', input)?.path).toBe('new.ts')
  })
})

describe('a tool of the extension from 4.0, whose parameters are strings', () => {
  const rows: readonly (readonly [string, JsonObject, Partial<ToolUse>])[] = [
    ['run_commands', { commands: '["ls","pwd"]' }, { kind: 'shell', command: 'ls\npwd' }],
    ['run_commands', { commands: 'ls' }, { command: 'ls' }],
    ['run_commands', { commands: '[ -f x ] && rm x' }, { command: '[ -f x ] && rm x' }],
    ['run_commands', { commands: '"my prog"' }, { command: '"my prog"' }],
    ['run_commands', { commands: '5' }, { command: '5' }],
    ['read_files', { files: '[{"path":"/w/a"}]' }, { kind: 'read', path: '/w/a' }],
    ['editor', { path: '/w/a', new_text: 'x', old_text: 'null', insert_line: 'null' }, { kind: 'write', content: 'x' }],
    ['editor', { path: '/w/a', new_text: '["x"]', old_text: 'y' }, { kind: 'edit', content: '["x"]' }],
    ['shop__order', { item: '1' }, { kind: 'mcp', name: 'mcp__shop__order' }],
  ]
  it.each(rows)('%s %j is decoded into its common form', (name, input, expected) => {
    expect(ofExtension(name, input)).toMatchObject({ input, ...expected })
  })

  it('cannot hide a shell command in a string that looks like a command run without a shell', () => {
    const commands = '{"command":"echo","args":["$(rm -rf ~)"]}'
    expect(ofExtension('run_commands', { commands })?.command).toBe(`echo '$(rm -rf ~)'\n${commands}`)
    expect(sdk('run_commands', { commands })?.command).toBe(commands)
  })
})
