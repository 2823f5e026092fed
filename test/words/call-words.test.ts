import { expect, it } from 'vitest'
import { wrappedLine } from '../../src/cli/text/layout.ts'
import { maskedInput } from '../../src/mask/masked-input.ts'
import type { ToolKind } from '../../src/model/event.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { callWords } from '../../src/words/call-words.ts'

const calls: readonly (readonly [tool: ToolKind, toolName: string, input: JsonObject, words: string])[] = [
  ['mcp', 'mcp__github__merge_pull_request', { owner: 'acme', repo: 'shop', pull_number: 812 }, 'pull_number 812'],
  ['mcp', 'mcp__github__delete_repository', { owner: 'acme', repo: 'shop' }, 'repo shop'],
  ['mcp', 'mcp__postgres__run', { limit: 5, sql: 'DROP TABLE users' }, 'sql DROP TABLE users'],
  ['mcp', 'mcp__linear__create_ticket', { teamId: 't', title: 'Log in' }, 'title Log in'],
  ['mcp', 'mcp__files__send', { mode: 'fast', paths: [], path: '/etc/hosts' }, 'path /etc/hosts'],
  ['mcp', 'mcp__k8s__apply', { dry: false, manifests: ['a.yml', 'b.yml'] }, 'dry false'],
  ['mcp', 'mcp__git__x', { server_name: 'git', tool_name: 'x', arguments: '{"branch":"main"}' }, 'branch main'],
  ['mcp', 'mcp__git__x', { tool_name: 'x', tool_input: { branch: 'main' } }, 'branch main'],
  ['mcp', 'mcp__clock__now', {}, ''],
  ['agent', 'Task', { description: 'look', prompt: 'Delete it', subagent_type: 'cleaner' }, 'cleaner: Delete it'],
  ['agent', 'task', { description: 'look' }, 'look'],
  ['search', 'Grep', { pattern: 'TODO', glob: '*.ts', path: 'src' }, 'TODO in src'],
  ['list', 'Glob', { pattern: '**/*.ts' }, '**/*.ts'],
  ['websearch', 'WebSearch', { allowed_domains: ['a.example'], query: 'how to' }, 'how to'],
  ['browser', 'browser_action', { action: 'launch', url: 'https://a.example' }, 'url https://a.example'],
  ['other', 'Notebook', { cells: { first: 1 } }, 'cells {"first":1}'],
]

it.each(calls)(
  'a call of `%s` is worded by the tool and its first telling argument: %s %j',
  (tool, toolName, input, words) => {
    const title = toolName.replace('mcp__', '').replace('__', ' ')
    const path = input['path']
    const subject = tool === 'search' && typeof path === 'string' ? path : undefined
    expect(callWords({ tool, toolName, subject, input })).toBe(words === '' ? title : `${title}: ${words}`)
  },
)

it.each([
  ['shell', 'git push'],
  ['read', '/etc/hosts'],
  ['fetch', 'https://a.example'],
] as const)('a call of a %s tool is worded by its subject alone', (tool, subject) => {
  expect(callWords({ tool, toolName: 'X', subject })).toBe(subject)
})

it.each([
  [{ password: 'two words' }],
  [{ deep: [{ apiKey: 'abcdefgh' }] }],
  [{ args: ['--password', 'two words'] }],
  [{ text: `ghp_${'a1B2'.repeat(10)}` }],
  [{ arguments: '{"password":"hunter2222"}' }],
  [{ url: 'https://me:hunter2222@a.example/' }],
])('an input is masked wherever a secret stands in it: %j', (input) => {
  const { input: masked, isWhole } = maskedInput(input, 2048)
  expect({ text: JSON.stringify(masked), isWhole }).toEqual({
    text: expect.stringContaining('***') as string,
    isWhole: false,
  })
  expect(JSON.stringify(masked)).not.toMatch(/two words|abcdefgh|a1B2|hunter/)
})

it.each([
  ['a long text', { text: 'x'.repeat(5000) }],
  ['a long name', { ['x'.repeat(5000)]: 1 }],
  ['many empty values', { list: Array.from({ length: 5000 }, () => '') }],
  ['many numbers', Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [at, at]))],
  ['much in depth', { a: { b: { c: Array.from({ length: 5000 }, () => ({ d: [] })) } } }],
])('an input is cut to its limit, and is said to be: %s', (_what, input: JsonObject) => {
  const { input: masked, isWhole } = maskedInput(input, 100)
  expect(isWhole).toBe(false)
  expect(JSON.stringify(masked).length).toBeLessThan(300)
})

it.each([
  ['words', 'refused  git push --force origin main by the rule of the house'],
  ['a word longer than the line', `refused  ${'x'.repeat(100)} end`],
  ['a line that fits', 'refused  ls'],
])('wrapping keeps every character of a line, and no line is wider: %s', (_what, line) => {
  const lines = wrappedLine(line, 30, '    ')
  expect(lines.map((one) => one.length).filter((length) => length > 30)).toEqual([])
  expect(lines.join('').replaceAll(' ', '')).toBe(line.replaceAll(' ', ''))
})
