import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/model/json.ts'
import { answerTo, decoded, line, root, type VerdictName } from '../../support/agent-verdicts.ts'

const unasked = 'sure?\nKilo cannot ask the person, so this question is a refusal.'

const call = (tool: string, args: JsonObject) => ({
  event: 'tool.execute.before',
  agent: 'kilo',
  sessionID: 'ses_1',
  callID: 'call-1',
  directory: root,
  tool,
  args,
})

describe('an event of Kilo', () => {
  it.each<[string, JsonObject, object]>([
    ['bash', { command: 'make' }, { kind: 'shell', command: 'make' }],
    ['background_process', { action: 'start', command: 'make' }, { kind: 'shell', command: 'make' }],
    ['write', { filePath: '/a', content: 'x' }, { kind: 'write', path: '/a', content: 'x' }],
    ['notes_add', {}, { kind: 'mcp', name: 'mcp__notes__add' }],
    ['cron_create', { prompt: 'do' }, { kind: 'agent', content: 'do' }],
    ['kilo_local_recall', { query: 'x' }, { kind: 'other', name: 'kilo_local_recall' }],
  ])('decodes a call of %s into the common fields', (name, args, tool) => {
    expect(decoded('kilo', call(name, args))).toMatchObject({ tool, workspaceRoots: [root] })
  })

  it('runs a command in the folder that the call names', () => {
    const event = decoded('kilo', call('bash', { command: 'rm -rf .', workdir: '/home/someone' }))
    expect(event).toMatchObject({ session: { cwd: '/home/someone' }, workspaceRoots: [root] })
  })

  it('of a background process needs a command only where one is run', () => {
    expect(decoded('kilo', call('background_process', { action: 'logs', id: 'p' })).tool?.command).toBeUndefined()
    const unreadable = call('background_process', { action: 'start', command: { x: 'make' } })
    expect(() => decoded('kilo', unreadable)).toThrow('`args.command` must be')
  })
})

describe('the answer to the plugin of Kilo', () => {
  it.each<[VerdictName, readonly [string, string, number]]>([
    ['abstain', ['', '', 0]],
    ['ask', [line({ status: 'deny', reason: unasked }), `${unasked}\n`, 2]],
    ['deny', [line({ status: 'deny', reason: 'no' }), 'no\n', 2]],
    ['rewrite', [line({ args: { command: 'ls' } }), '', 0]],
  ])('encodes %s byte for byte', (outcome, bytes) => {
    expect(answerTo('kilo', call('bash', { command: 'make' }), outcome)).toEqual(bytes)
  })
})
