import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/model/json.ts'
import { answerTo, decoded, line, root, type VerdictName } from '../../support/agent-verdicts.ts'

const call = (toolName: string, params: JsonObject) => ({
  type: 'before_tool_call',
  agent: 'openclaw',
  clawSession: 'c-1',
  cwd: root,
  toolName,
  toolCallId: 'call-1',
  params,
})

describe('an event of OpenClaw', () => {
  const edits = [
    { oldText: 'a', newText: 'b' },
    { oldText: 'c', newText: 'd' },
  ]
  const patch = '*** Begin Patch\n*** Add File: p.txt\n+hello\n*** End Patch'
  it.each<[string, JsonObject, object]>([
    ['exec', { command: 'make', background: true }, { kind: 'shell', command: 'make' }],
    ['process', { action: 'write', sessionId: 's', data: 'rm x\n' }, { kind: 'shell', command: 'rm x\n' }],
    ['process', { action: 'send-keys', sessionId: 's', literal: 'rm z', keys: ['Enter'] }, { command: 'rm z\n' }],
    ['process', { action: 'send-keys', sessionId: 's', keys: ['r', 'm', 'Space', 'w', 'C-m'] }, { command: 'rm w\n' }],
    ['process', { action: 'send-keys', sessionId: 's', keys: ['rm v', 'Return'] }, { command: 'rm v\n' }],
    ['process', { action: 'send-keys', sessionId: 's', hex: ['72', '6d', '0d'] }, { command: 'rm\n' }],
    ['process', { action: 'paste', sessionId: 's', text: 'rm y' }, { kind: 'shell', command: 'rm y' }],
    ['read', { path: 'a.txt', offset: 3 }, { kind: 'read', path: 'a.txt' }],
    ['write', { path: '/a', content: 'x' }, { kind: 'write', path: '/a', content: 'x' }],
    ['edit', { path: '/a', edits }, { kind: 'edit', path: '/a', content: 'b\nd' }],
    ['apply_patch', { input: patch }, { kind: 'edit', path: 'p.txt', content: patch }],
    ['ls', { path: '/a' }, { kind: 'list', path: '/a' }],
    ['web_fetch', { url: 'https://example.com' }, { kind: 'fetch', url: 'https://example.com' }],
    ['browser', { action: 'open', url: 'https://example.com' }, { kind: 'browser', url: 'https://example.com' }],
    ['sessions_spawn', { task: 'tidy up' }, { kind: 'agent', content: 'tidy up' }],
    ['message', { action: 'send', to: '1', message: 'hi' }, { kind: 'other', name: 'message' }],
    ['nodes', { action: 'status' }, { kind: 'other', name: 'nodes' }],
    ['vigil__add_note', { text: 'x' }, { kind: 'mcp', name: 'mcp__vigil__add_note' }],
  ])('decodes a call of %s into the common fields', (name, params, tool) => {
    expect(decoded('openclaw', call(name, params))).toMatchObject({
      tool,
      workspaceRoots: [root],
      session: { id: 'c-1', cwd: root },
    })
  })

  it('of a process that only looks has no command', () => {
    expect(decoded('openclaw', call('process', { action: 'poll', sessionId: 's' })).tool?.command).toBeUndefined()
  })

  it('runs in the folder that the call names', () => {
    const { session } = decoded('openclaw', call('exec', { command: 'ls', workdir: 'sub' }))
    expect(session.cwd).toBe(`${root}/sub`)
  })

  it.each([
    ['@.env', '.env'],
    ['file:///home/someone/a%20b', '/home/someone/a b'],
  ])('reads the path %j as OpenClaw does', (path, read) => {
    expect(decoded('openclaw', call('read', { path })).tool).toMatchObject({ path: read, input: { path } })
  })

  it.each<[string, JsonObject | undefined, true | undefined]>([
    ['nobody in a chat', undefined, undefined],
    ['the owner', { channel: 'telegram', senderId: '7', senderIsOwner: true }, undefined],
    ['somebody who is not the owner', { channel: 'telegram', senderId: '8', senderIsOwner: false }, true],
    ['somebody of whom nothing is proved', { channel: 'discord', senderId: '9' }, true],
    ['a channel without a sender', { channel: 'webchat' }, undefined],
    ['a stranger without a channel', { senderIsOwner: false }, true],
  ])('of a turn that %s began says whether a stranger did', (_, requester, stranger) => {
    const wire = { ...call('exec', { command: 'ls' }), ...(requester && { requester }) }
    expect(decoded('openclaw', wire).session.stranger).toBe(stranger)
  })
})

describe('the answer to the plugin of OpenClaw', () => {
  it.each<[VerdictName, readonly [string, string, number]]>([
    ['abstain', ['', '', 0]],
    ['allow', ['', '', 0]],
    ['deny', [line({ status: 'deny', reason: 'no' }), 'no\n', 2]],
    ['rewrite', [line({ args: { command: 'ls' } }), '', 0]],
  ])('encodes %s byte for byte', (outcome, bytes) => {
    expect(answerTo('openclaw', call('exec', { command: 'make' }), outcome)).toEqual(bytes)
  })

  it.each<VerdictName>(['ask', 'stop'])('makes a refusal of %s, which it cannot express', (outcome) => {
    const [stdout, , exitCode] = answerTo('openclaw', call('exec', { command: 'make' }), outcome)
    expect([exitCode, JSON.parse(stdout)]).toMatchObject([2, { status: 'deny' }])
  })
})
