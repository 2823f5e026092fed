import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/model/json.ts'
import { answerTo, decoded, line, root, type VerdictName } from '../../support/agent-verdicts.ts'

const call = (toolName: string, input: JsonObject) => ({
  type: 'tool_call',
  agent: 'pi',
  piSession: 'p-1',
  sessionFile: '/home/someone/.pi/agent/sessions/x/y.jsonl',
  cwd: root,
  toolName,
  toolCallId: 'call-1',
  input,
})

describe('an event of Pi', () => {
  const edits = [
    { oldText: 'a', newText: 'b' },
    { oldText: 'c', newText: 'd' },
  ]
  it.each<[string, JsonObject, object]>([
    ['bash', { command: 'make', timeout: 5 }, { kind: 'shell', command: 'make' }],
    ['powershell', { command: 'ls' }, { kind: 'shell', command: 'ls' }],
    ['read', { path: 'a.txt', offset: 3 }, { kind: 'read', path: 'a.txt' }],
    ['write', { path: '/a', content: 'x' }, { kind: 'write', path: '/a', content: 'x' }],
    ['edit', { path: '/a', edits }, { kind: 'edit', path: '/a', content: 'b\nd' }],
    ['grep', { pattern: 'x', path: '/a', glob: '*.ts' }, { kind: 'search', path: '/a' }],
    ['find', { pattern: '*.ts', path: '/a' }, { kind: 'list', path: '/a' }],
    ['ls', { path: '/a' }, { kind: 'list', path: '/a' }],
    ['mcp__notes__add', { text: 'x' }, { kind: 'mcp', name: 'mcp__notes__add' }],
    ['codemode', { code: 'return 1' }, { name: 'codemode' }],
  ])('decodes a call of %s into the common fields', (name, input, tool) => {
    expect(decoded('pi', call(name, input))).toMatchObject({
      tool,
      workspaceRoots: [root],
      session: { id: 'p-1', cwd: root, transcriptPath: call(name, input).sessionFile },
    })
  })

  it.each([
    ['@.env', '.env'],
    ['@/home/someone/.ssh/id_rsa', '/home/someone/.ssh/id_rsa'],
    ['@~/.ssh/id_rsa', '~/.ssh/id_rsa'],
    ['file:///home/someone/a%20b', '/home/someone/a b'],
    ['my\u00A0notes\u202F.txt', 'my notes .txt'],
    ['file://nowhere/%', 'file://nowhere/%'],
    ['a@b.txt', 'a@b.txt'],
  ])('reads the path %j as Pi does', (path, read) => {
    for (const name of ['read', 'write', 'edit', 'grep', 'find', 'ls'])
      expect(decoded('pi', call(name, { path, content: '', pattern: '' })).tool).toMatchObject({
        path: read,
        input: { path },
      })
  })

  it('of an MCP server, or a tool that Pi does not have, keeps the path that it was given', () => {
    for (const name of ['mcp__files__read', 'upload']) {
      const { tool } = decoded('pi', call(name, { path: '@a/b.txt' }))
      expect(tool?.paths ?? ['@a/b.txt']).toContain('@a/b.txt')
    }
  })
})

describe('the answer to the extension of Pi', () => {
  it('makes a refusal of a question where Pi has no screen', () => {
    const reason = 'sure?\nPi cannot ask the person, so this question is a refusal.'
    const headless = { ...call('bash', { command: 'make' }), hasUI: false }
    expect(answerTo('pi', headless, 'ask')).toEqual([line({ status: 'deny', reason }), `${reason}\n`, 2])
    expect(answerTo('pi', { ...headless, hasUI: true }, 'ask')).toEqual([
      line({ status: 'ask', reason: 'sure?' }),
      '',
      0,
    ])
  })

  it.each<[VerdictName, readonly [string, string, number]]>([
    ['abstain', ['', '', 0]],
    ['allow', ['', '', 0]],
    ['ask', [line({ status: 'ask', reason: 'sure?' }), '', 0]],
    ['deny', [line({ status: 'deny', reason: 'no' }), 'no\n', 2]],
    ['context', [line({ context: 'know this' }), '', 0]],
    ['stop', [line({ stop: 'enough' }), '', 0]],
    ['rewrite', [line({ args: { command: 'ls' } }), '', 0]],
  ])('encodes %s byte for byte', (outcome, bytes) => {
    expect(answerTo('pi', call('bash', { command: 'make' }), outcome)).toEqual(bytes)
  })
})
