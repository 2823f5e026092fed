import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toolUseOf } from '../../src/agents/table/tool-use.ts'
import { toolSpellings, toolTable } from '../../src/agents/tool-names.ts'
import type { ToolFields } from '../../src/agents/tools.ts'
import { unknownToolUse } from '../../src/agents/codec/edits.ts'
import type { ToolKind } from '../../src/model/event.ts'
import type { Json, JsonObject } from '../../src/model/json.ts'

describe('a tool that no table has', () => {
  it.each<[string, JsonObject, object]>([
    ['run_terminal_command', { command: 'ls', background: false }, { kind: 'shell', command: 'ls' }],
    ['exec', { cmd: ['rm', 'a b'], workdir: '/w' }, { kind: 'shell', command: "rm 'a b'" }],
    ['write_bash', { sessionId: '1', input: 'ls' }, { kind: 'shell', command: 'ls' }],
    ['run_javascript', { code: 'rm()', script: 'rm()' }, { kind: 'shell', command: "node -e 'rm()'" }],
    ['write', { file_path: '/a', content: 'x' }, { kind: 'write', path: '/a', content: 'x' }],
    ['save_thing', { target_file: 'a', text: 'x' }, { kind: 'write', path: 'a', content: 'x' }],
    [
      'search_replace',
      { file_path: '/a', old_string: 'x', new_string: 'y' },
      { kind: 'edit', path: '/a', content: 'y' },
    ],
    ['tweak', { path: '/a', edits: [{ oldText: 'x', newText: 'y' }] }, { kind: 'edit', path: '/a', content: 'y' }],
    ['tweak', { changes: [{ filePath: '/a', newString: 'y' }] }, { kind: 'edit', path: '/a', content: 'y' }],
    ['tweak', { input: '*** Begin Patch\n*** Delete File: a\n*** End Patch' }, { kind: 'edit', path: 'a' }],
    ['editor', { command: 'create', path: '/a', file_text: 'x' }, { kind: 'write', path: '/a', content: 'x' }],
    ['read_file', { target_file: '/a', offset: 1 }, { kind: 'read', path: '/a' }],
    ['delete_file', { target_file: '/a' }, { kind: 'write', path: '/a' }],
    ['list_dir', { target_directory: '/a' }, { kind: 'list', path: '/a' }],
    ['grab', { url: 'http://a.example/' }, { kind: 'fetch', url: 'http://a.example/' }],
    ['grab', { url: 'a.example' }, { kind: 'fetch', url: 'a.example' }],
  ])('is judged by what its input carries: %s %j', (name, input, expected) => {
    expect(unknownToolUse(name, input)).toMatchObject({ ...expected, inferred: true })
  })

  it.each<[string, string, JsonObject]>([
    ['words to search for', 'search', { query: 'rm -rf /' }],
    ['a prompt', 'spawn_subagent', { prompt: 'rm -rf /', cwd: '/a' }],
    ['code of a page', 'browser_evaluate', { code: 'rm()' }],
    ['a command that is not text', 'act', { command: { click: [1, 2] } }],
    ['a question', 'ask', { question: 'which?', options: ['a', 'b'] }],
    ['a list of tasks', 'update_todos', { todos: [{ content: 'rm -rf /', status: 'done' }] }],
    ['nothing', 'look', {}],
  ])('has no kind where its input carries %s', (_what, name, input) => {
    expect(unknownToolUse(name, input)).toEqual({ kind: 'other' })
  })

  it('has no kind, but its paths, where nothing says what it does with a file', () => {
    expect(unknownToolUse('ponder', { path: '/a' })).toEqual({ kind: 'other', paths: ['/a'], path: '/a' })
  })

  it('goes by every name of its kind', () => {
    expect(toolSpellings('claude-code', 'run_terminal_command', 'shell')).toEqual(
      expect.arrayContaining(['run_terminal_command', 'shell', 'Bash', 'PowerShell', 'execute_command']),
    )
    expect(toolSpellings('claude-code', 'update_todos', 'other')).toEqual(['update_todos', 'other'])
  })
})

/** The known tools whose input says what they do, with the keys that each agent gives them. */
const telling: ReadonlySet<ToolKind> = new Set(['shell', 'write', 'edit', 'fetch'])
const known = toolTable
  .filter(({ tool }) => telling.has(tool))
  .flatMap(({ tool, names, fields }) =>
    Object.entries(names).flatMap(([agent, [name = '']]) => {
      const keys = fields[agent] ?? {}
      return isTelling(tool, keys) ? [{ agent, tool, name, keys }] : []
    }),
  )

/**
 * Some tools take a prompt with addresses in it, tell nothing but a file, take a patch under the key of a command,
 * which a shell would run, or take what is typed into a program as `data`, which any tool may mean by anything.
 */
function isTelling(tool: ToolKind, keys: ToolFields): boolean {
  if (tool === 'fetch') return keys.url !== undefined && keys.url !== keys.prompt
  if (tool === 'write' || tool === 'edit') return keys.content !== undefined && keys.patch !== 'command'
  return keys.command !== undefined && keys.command !== 'data'
}

function inputOf(keys: ToolFields, text: string): JsonObject {
  const part = Object.fromEntries(
    [keys.path, keys.content, keys.replaced].flatMap((key): [string, Json][] =>
      key === undefined ? [] : [[key, key === keys.path ? '/a/b.txt' : text]],
    ),
  )
  const patch = `*** Begin Patch\n*** Update File: /a/b.txt\n+${text}\n*** End Patch\n`
  return {
    ...(keys.patch !== undefined && { [keys.patch]: patch }),
    ...(keys.patch === undefined && (keys.edits === undefined ? part : { [keys.edits]: [part] })),
    ...(keys.command !== undefined && { [keys.command]: text }),
    ...(keys.url !== undefined && { [keys.url]: 'https://a.example/' }),
  }
}

describe('an unknown name', () => {
  it('changes nothing of what rules see of the input of a known tool', () => {
    const name = fc.stringMatching(/^[a-z]{1,8}(_[a-z]{1,8})?$/).map((word) => `zz_${word}`)
    const line = fc.stringMatching(/^[a-z][a-z -]{0,20}$/)
    fc.assert(
      fc.property(name, fc.constantFrom(...known), line, (unknown, { agent, tool, name: own, keys }, text) => {
        const input = inputOf(keys, text)
        const asKnown = toolUseOf(agent, own, input, undefined)
        const asUnknown = toolUseOf('claude-code', unknown, input, undefined)
        // All rules on changes are about both kinds.
        const changes = tool === 'write' || tool === 'edit'
        expect(changes ? ['write', 'edit'] : [tool]).toContain(asUnknown.kind)
        expect(asUnknown.inferred).toBe(true)
        expect([asUnknown.command, asUnknown.paths, asUnknown.url]).toEqual([
          asKnown.command,
          asKnown.paths,
          asKnown.url,
        ])
        if (changes) expect(asUnknown.content).toBe(asKnown.content)
      }),
    )
  })
})
