import { describe, expect, it } from 'vitest'
import type { ToolUse } from '../../src/model/event.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { mcpUse } from '../../src/tools/mcp-call.ts'

const use = (name: string, input: JsonObject, kind: ToolUse['kind'] = 'mcp') => mcpUse({ kind, name, input })

describe('what an MCP call does', () => {
  it.each([
    ['mcp__fs__read_file', { path: '/a' }, { kind: 'read', paths: ['/a'] }],
    ['mcp__fs__readTextFile', { filePath: 'a' }, { kind: 'read', paths: ['a'] }],
    ['mcp__fs__list_directory', { path: 'a' }, { kind: 'list', paths: ['a'] }],
    ['mcp__fs__search_files', { path: 'a', pattern: 'b' }, { kind: 'search', paths: ['a'] }],
    ['mcp__fs__write_file', { path: 'a', content: 'b' }, { kind: 'write', paths: ['a'], content: 'b' }],
    ['mcp__fs__read_and_delete', { path: 'a' }, { kind: 'write', paths: ['a'] }],
    ['mcp__fs__thing', { path: 'a' }, { kind: 'mcp', paths: ['a'] }],
    ['mcp__fs__thing', { path: 'a', content: 'b' }, { kind: 'write', paths: ['a'], content: 'b' }],
    ['mcp__fs__trash', { path: 'a' }, { kind: 'write', paths: ['a'] }],
    ['mcp__fs__search', { path: 'a', text: 'b' }, { kind: 'search', paths: ['a'], content: 'b' }],
    ['mcp__fs__move_file', { source: 'a', destination: 'b' }, { kind: 'write', paths: ['a', 'b'] }],
    ['mcp__fs__read_many', { paths: ['a', 'b', 'a'] }, { kind: 'read', paths: ['a', 'b'] }],
    ['mcp__fs__edit', { path: 'a', edits: [{ newText: 'b' }] }, { kind: 'edit', paths: ['a'], content: 'b' }],
    ['mcp__hub__push', { files: [{ path: 'a', content: 'b' }] }, { kind: 'write', paths: ['a'], content: 'b' }],
    ['mcp__fs__open', { uri: 'file:///a' }, { kind: 'read', paths: ['/a'] }],
    ['mcp__web__go', { url: 'http://a.example/' }, { kind: 'fetch', paths: [], url: 'http://a.example/' }],
    ['mcp__sh__run', { command: 'ls -a' }, { kind: 'shell', paths: [], command: 'ls -a' }],
    ['mcp__sh__run', { command: 'rm', args: ['-r', 'a b'] }, { kind: 'shell', paths: [], command: "rm -r 'a b'" }],
    ['mcp__sh__run', { cmd: ['rm', 'a b'] }, { kind: 'shell', paths: [], command: "rm 'a b'" }],
    ['mcp__sh__run', { commands: ['ls', 'pwd'] }, { kind: 'shell', paths: [], command: 'ls\npwd' }],
    ['mcp__sh__run', { CommandLine: 'ls', Cwd: '/a' }, { kind: 'shell', paths: [], command: 'ls' }],
    ['mcp__sh__run', { command: 'rm', args: '-r a' }, { kind: 'shell', paths: [], command: 'rm -r a' }],
    ['mcp__sh__run', { program: 'rm', args: ['-r'] }, { kind: 'shell', paths: [], command: 'rm -r' }],
    ['mcp__sh__run', { argv: ['rm', '-r'] }, { kind: 'shell', paths: [], command: 'rm -r' }],
    ['mcp__sh__run', { command: 'ls', cmd: 'pwd' }, { kind: 'shell', paths: [], command: 'ls\npwd' }],
    [
      'mcp__a__do',
      { commands: ['ls', { command: 'rm', args: ['a'] }] },
      { kind: 'shell', paths: [], command: 'ls\nrm a' },
    ],
    ['mcp__a__do', { command: 'ls', directory: '/a' }, { kind: 'shell', paths: [], command: 'ls' }],
    ['mcp__a__bash', { script: 'ls' }, { kind: 'shell', paths: [], command: 'ls' }],
    ['mcp__sh__run', { command: 'ls', path: '/a' }, { kind: 'shell', paths: [], command: 'ls' }],
    ['mcp__edit__editor', { command: 'create', path: 'a' }, { kind: 'write', paths: ['a'] }],
    ['mcp__fs__read', { server_name: 'fs', arguments: '{"path":"a"}' }, { kind: 'read', paths: ['a'] }],
    ['mcp__jupyter__execute_code', { code: 'a()' }, { kind: 'shell', paths: [], command: "python3 -c 'a()'" }],
    ['mcp__unity__execute_code', { code: 'A();' }, { kind: 'shell', paths: [], command: "csharp -e 'A();'" }],
    ['mcp__unity__script_execute', { csharpCode: 'A();' }, { kind: 'shell', paths: [], command: "csharp -e 'A();'" }],
    ['mcp__godot__run_script', { code: 'a()' }, { kind: 'shell', paths: [], command: "gdscript -e 'a()'" }],
    ['mcp__unreal__execute_python', { script: 'a()' }, { kind: 'shell', paths: [], command: "python3 -c 'a()'" }],
    ['mcp__x__run_code', { language: 'ruby', code: 'a' }, { kind: 'shell', paths: [], command: "ruby -e 'a'" }],
    [
      'mcp__jupyter__insert_execute_code_cell',
      { cell_source: 'a()' },
      { kind: 'shell', paths: [], command: "python3 -c 'a()'" },
    ],
    [
      'mcp__gcloud__run_gcloud_command',
      { args: ['a', 'b c'] },
      { kind: 'shell', paths: [], command: "gcloud a 'b c'" },
    ],
    ['mcp__k8s__kubectl', { args: 'get pods' }, { kind: 'shell', paths: [], command: 'kubectl get pods' }],
    [
      'mcp__terraform__run',
      { command: 'destroy', args: ['-x'] },
      { kind: 'shell', paths: [], command: 'destroy -x\nterraform destroy -x' },
    ],
    ['mcp__aws__call_aws', { cli_command: 'aws s3 ls' }, { kind: 'shell', paths: [], command: 'aws s3 ls' }],
    [
      'mcp__git__git_command',
      { command: ['push', '-f'] },
      { kind: 'shell', paths: [], command: 'push -f\ngit push -f' },
    ],
    [
      'mcp__docker__cli',
      { commands: ['ps', 'docker ps'] },
      { kind: 'shell', paths: [], command: 'ps\ndocker ps\ndocker ps\ndocker ps' },
    ],
    ['mcp__docker__exec_in_container', { command: 'ls' }, { kind: 'shell', paths: [], command: 'ls' }],
    ['mcp__ide__executeCode', { code: "b('x')" }, { kind: 'shell', paths: [], command: `python3 -c 'b('\\''x'\\'')'` }],
  ] as const)('%s %j', (name, input, expected) => {
    expect(use(name, input)).toEqual(expected)
  })

  it.each([
    ['a tool of the agent', use('Read', { path: 'a' }, 'read')],
    ['an input without such fields', use('mcp__a__read', { id: 'a' })],
    ['a path that belongs to a request', use('mcp__http__send', { method: 'GET', path: '/users' })],
    ['one within the input', use('mcp__http__send', { request: { method: 'GET', path: '/users' } })],
    ['a text under the name of a file', use('mcp__a__send', { file: 'first line\nsecond line' })],
    ['code of a page', use('mcp__playwright__browser_run_code', { language: 'javascript', code: 'a()' })],
    ['code that a tool looks at', use('mcp__jupyter__insert_cell', { code: 'a()' })],
    ['code on a machine to be thrown away', use('mcp__e2b__run_code', { language: 'python', code: 'a()' })],
    ['code of an unknown language', use('mcp__x__run_code', { code: 'a()' })],
    ['code of some language', use('mcp__browser__run_code', { code: 'rm()', script: 'rm()' })],
    ['a program without its arguments', use('mcp__a__start', { program: 'rm' })],
    ['words to search for', use('mcp__a__search', { query: 'rm -rf /' })],
    ['no texts at all', use('mcp__a__run', { command: [1], path: {} })],
  ])('is not known of %s', (_, found) => expect(found).toBeUndefined())
})
