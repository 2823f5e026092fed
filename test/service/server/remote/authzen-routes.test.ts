import { describe, expect, it } from 'vitest'
import { askRemote, remoteListening, type RemoteListener } from '../../../support/remote-server.ts'
import { rulesFile } from '../../../support/remote-rules.ts'

const alice = { type: 'user', id: 'alice@acmecorp.com' }
const command = (id: string) => ({ type: 'command', id })
const shell = { name: 'shell' }

const evaluation = (listener: RemoteListener, body: object | string, headers = {}) =>
  askRemote(listener, '/access/v1/evaluation', { client: 'client', body, headers })
const evaluations = (listener: RemoteListener, body: object) =>
  askRemote(listener, '/access/v1/evaluations', { client: 'client', body })

const opened = () => remoteListening({ gate: { rules: [rulesFile()] } })

describe('an evaluation', () => {
  it.each([
    ['a refusal is false', 'git push --force origin main', false, 'deny'],
    ['a question is false', 'npm publish .', false, 'ask'],
    ['no opinion is true', 'ls', true, 'abstain'],
    ['what a rule allows is true', 'git status', true, 'allow'],
  ])('%s', async (_, id, decision, effect) => {
    const listener = await opened()
    const answer = await evaluation(listener, { subject: alice, action: shell, resource: command(id) })
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toMatch(/^application\/json/)
    expect(answer.json()).toMatchObject({ decision, context: { effect } })
  })

  it('says why, and which rules have decided', async () => {
    const listener = await opened()
    const asked = { subject: alice, action: shell, resource: command('cd /tmp && git push --force origin main') }
    const [rule] = (await listener.gate.rulesFor({ workspaceRoots: [] })).rules
    expect((await evaluation(listener, asked)).json()).toMatchObject({
      decision: false,
      context: { reason: expect.stringContaining('git push --force'), determining: [rule?.id] },
    })
  })

  it('is recorded as what it is about, with who asked and for whom', async () => {
    const listener = await opened()
    const context = { agent: 'codex', session: 's-1', cwd: '/work/shop', time: '2026-05-31T15:22-07:00' }
    await evaluation(listener, { subject: alice, action: shell, resource: command('ls'), context })
    expect(listener.records).toMatchObject([
      {
        who: 'CN=ci-runner-7',
        onBehalfOf: 'user:alice@acmecorp.com',
        agent: 'codex',
        session: 's-1',
        project: '/work/shop',
        tool: 'shell',
        subject: 'ls',
      },
    ])
  })

  it.each([
    ['mcp_tool', 'mcp', 'fs/delete', { input: 'everything' }, 'resource.properties.input'],
    ['mcp_tool', 'mcp', 'fs/delete', { input: ['a'] }, 'resource.properties.input'],
    ['file', 'write', '/work/a.ts', { content: { text: 'a' } }, 'resource.properties.content'],
    ['file', 'edit', '/work/a.ts', { old: 'a', new: 1 }, 'resource.properties.new'],
    ['file', 'search', '/work', { pattern: null }, 'resource.properties.pattern'],
  ])('is not made where a %s has something unreadable: %s %s %j', async (type, name, id, properties, place) => {
    const listener = await opened()
    const answer = await evaluation(listener, { subject: alice, action: { name }, resource: { type, id, properties } })
    expect(answer.json()).toMatchObject({
      decision: false,
      context: { error: { message: expect.stringContaining(place) } },
    })
  })

  it.each([
    ['file', 'read', '/work/.env', { path: '/work/.env', tool: 'read' }],
    ['file', 'write', '/work/a.ts', { path: '/work/a.ts', tool: 'write' }],
    ['file', 'edit', '/work/a.ts', { path: '/work/a.ts', tool: 'edit' }],
    ['file', 'search', '/work', { path: '/work', tool: 'search' }],
    ['file', 'list', '/work', { path: '/work', tool: 'list' }],
    ['url', 'fetch', 'https://example.com/a', { path: 'https://example.com/a', tool: 'fetch' }],
  ])('may be about a %s: %s', async (type, name, id, { path, tool }) => {
    const listener = await opened()
    const answer = await evaluation(listener, { subject: alice, action: { name }, resource: { type, id } })
    expect(answer.json()).toMatchObject({ decision: true })
    expect(listener.records).toMatchObject([{ tool, subject: path }])
  })

  it('may be about a tool of an MCP server, with its input', async () => {
    const listener = await remoteListening({
      gate: { rules: [rulesFile({ permissions: { deny: ['mcp__db__drop'] } })] },
    })
    const resource = { type: 'mcp_tool', id: 'db/drop', properties: { input: { table: 'users' } } }
    expect((await evaluation(listener, { subject: alice, action: { name: 'mcp' }, resource })).json()).toMatchObject({
      decision: false,
    })
    expect(listener.records).toMatchObject([{ toolName: 'mcp__db__drop' }])
  })

  it('is false where a rule rewrites the call, which cannot be said', async () => {
    const rewriting = { updatedInput: { command: 'ls -l' }, hookEventName: 'PreToolUse' }
    const hook = { type: 'command', command: `echo '${JSON.stringify({ hookSpecificOutput: rewriting })}'` }
    const listener = await remoteListening({
      gate: { rules: [rulesFile({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [hook] }] } })] },
    })
    const answer = await evaluation(listener, { subject: alice, action: shell, resource: command('ls') })
    expect(answer.json()).toMatchObject({
      decision: false,
      context: { effect: 'deny', reason: expect.stringContaining('replaceInput') },
    })
  })

  it('is false while the rules do not load', async () => {
    const listener = await remoteListening({ gate: { rules: [rulesFile('{')] } })
    const answer = await evaluation(listener, { subject: alice, action: shell, resource: command('ls') })
    expect(answer.json()).toMatchObject({ decision: false, context: { error: { status: 500 } } })
  })

  it.each([
    ['an action that hookgate does not know', { action: { name: 'can_read' }, resource: command('ls') }],
    ['a resource that hookgate does not know', { action: { name: 'read' }, resource: { type: 'todo', id: '1' } }],
    ['an action that is for another resource', { action: { name: 'read' }, resource: command('ls') }],
    ['a resource named like a method', { action: { name: 'read' }, resource: { type: 'constructor', id: '1' } }],
    ['a relative folder', { action: shell, resource: command('ls'), context: { cwd: 'work' } }],
    ['an agent that there is not', { action: shell, resource: command('ls'), context: { agent: 'nobody' } }],
    ['a tool without its server', { action: { name: 'mcp' }, resource: { type: 'mcp_tool', id: 'drop' } }],
  ])('is false about what cannot be decided, and says so: %s', async (_, asked) => {
    const listener = await opened()
    const answer = await evaluation(listener, { subject: alice, ...asked })
    expect(answer.status).toBe(200)
    expect(answer.json()).toMatchObject({ decision: false, context: { error: { status: 400 } } })
  })
})

describe('a malformed request', () => {
  const whole = { subject: alice, action: shell, resource: command('ls') }
  it.each([
    ['no JSON', '{"subject": '],
    ['a list', '[]'],
    ['nothing', '{}'],
    ['no subject', { ...whole, subject: undefined }],
    ['a subject without an id', { ...whole, subject: { type: 'user' } }],
    ['a subject without a type', { ...whole, subject: { id: 'alice' } }],
    ['an id that is a number', { ...whole, subject: { type: 'user', id: 7 } }],
    ['an empty id', { ...whole, subject: { type: 'user', id: '' } }],
    ['no action', { ...whole, action: undefined }],
    ['an action without a name', { ...whole, action: {} }],
    ['no resource', { ...whole, resource: undefined }],
    ['a context that is a text', { ...whole, context: 'now' }],
    ['properties that are a list', { ...whole, subject: { ...alice, properties: [] } }],
    ['a key that stands twice', JSON.stringify(whole).replace('{', '{"resource":{"type":"command","id":"ls"},')],
    ['a deep key that stands twice', JSON.stringify(whole).replace('"id":', '"id":"bob","id":')],
    ['a key that stands twice, escaped once', JSON.stringify(whole).replace('"id":', '"\\u0069d":"bob","id":')],
    [
      'thousands of lists in each other',
      JSON.stringify({ ...whole, context: { a: 0 } }).replace('0', '['.repeat(50_000) + ']'.repeat(50_000)),
    ],
    [
      'thousands of objects in each other',
      JSON.stringify({ ...whole, context: { a: 0 } }).replace('0', '{"a":'.repeat(50_000) + '1' + '}'.repeat(50_000)),
    ],
    ['a key that is misspelt', { ...whole, recource: command('ls') }],
  ])('gets 400 and a text: %s', async (_, body) => {
    const listener = await opened()
    const answer = await evaluation(listener, body, { 'x-request-id': 'r-1' })
    expect(answer.status).toBe(400)
    expect(answer.headers['content-type']).toMatch(/^text\/plain/)
    expect(answer.headers['x-request-id']).toBe('r-1')
    expect(listener.records).toEqual([])
  })

  it('gets 400 for a semantic that there is not', async () => {
    const listener = await opened()
    const options = { evaluations_semantic: 'first' }
    expect((await evaluations(listener, { ...whole, evaluations: [whole], options })).status).toBe(400)
  })
})

describe('the id of a request', () => {
  const id = 'bfe9eb29-ab87-4ca3-be83-a1d5d8305716'
  it.each([
    ['200', 'client', 200],
    ['401', undefined, 401],
  ])('is given back with %s', async (_, client, status) => {
    const listener = await opened()
    const body = { subject: alice, action: shell, resource: command('ls') }
    const answer = await askRemote(listener, '/access/v1/evaluation', { client, body, headers: { 'x-request-id': id } })
    expect([answer.status, answer.headers['x-request-id']]).toEqual([status, id])
  })
})

// The requests of the specification's section on evaluations, and what this gate's vocabulary makes of the same forms.
describe('evaluations in the forms of the specification', () => {
  const time = { time: '2024-05-31T15:22-07:00' }
  const documents = ['boxcarring.md', 'subject-search.md', 'resource-search.md'].map((id) => ({
    resource: { type: 'document', id },
  }))
  it.each([
    [
      'no default values',
      {
        evaluations: documents.map((one) => ({ subject: alice, action: { name: 'can_read' }, ...one, context: time })),
      },
    ],
    [
      'a subject and a context for all',
      {
        subject: alice,
        context: time,
        evaluations: documents.map((one) => ({ action: { name: 'can_read' }, ...one })),
      },
    ],
    [
      'an action for all but the last',
      {
        subject: alice,
        context: time,
        action: { name: 'can_read' },
        evaluations: [...documents.slice(0, 2), { action: { name: 'can_edit' }, ...documents[2] }],
      },
    ],
  ])('are answered one by one, in order, and closed where they are about nothing known: %s', async (_, body) => {
    const answer = await evaluations(await opened(), body)
    const closed = { decision: false, context: { error: { status: 400 } } }
    expect(answer.status).toBe(200)
    expect(answer.json()).toMatchObject({ evaluations: [closed, closed, closed] })
    expect(answer.json()).not.toHaveProperty('decision')
  })

  const asked = { subject: alice, action: shell }
  const [yes, no] = [command('ls'), command('git push --force origin main')]
  it.each([
    ['all', undefined, [yes, no, yes], [true, false, true]],
    ['all, by name', 'execute_all', [yes, no, yes], [true, false, true]],
    ['up to the first refusal', 'deny_on_first_deny', [yes, no, yes], [true, false]],
    ['up to the first permission', 'permit_on_first_permit', [no, yes, no], [false, true]],
    ['all, as none is refused', 'deny_on_first_deny', [yes, yes], [true, true]],
    ['all, as none is permitted', 'permit_on_first_permit', [no, no], [false, false]],
  ])('executes %s', async (_, semantic, resources, want) => {
    const options = semantic === undefined ? { another_option: 'value' } : { evaluations_semantic: semantic }
    const listener = await opened()
    const body = { ...asked, options, evaluations: resources.map((resource) => ({ resource })) }
    expect((await evaluations(listener, body)).json()).toMatchObject({
      evaluations: want.map((decision) => ({ decision })),
    })
    expect(listener.records).toHaveLength(want.length)
  })

  it('lets one evaluation fail by itself', async () => {
    const body = {
      ...asked,
      evaluations: [{ resource: yes }, {}, { resource: yes, subject: { type: 'user', id: 'b' } }],
    }
    expect((await evaluations(await opened(), body)).json()).toMatchObject({
      evaluations: [{ decision: true }, { decision: false, context: { error: { status: 400 } } }, { decision: true }],
    })
  })

  it.each([
    ['absent', {}],
    ['empty', { evaluations: [] }],
  ])('answers like a single evaluation where the list is %s', async (_, list) => {
    expect((await evaluations(await opened(), { ...asked, resource: no, ...list })).json()).toMatchObject({
      decision: false,
    })
  })

  it('says where the endpoints are, to everybody', async () => {
    const listener = await opened()
    expect((await askRemote(listener, '/.well-known/authzen-configuration')).json()).toEqual({
      policy_decision_point: listener.url,
      access_evaluation_endpoint: `${listener.url}/access/v1/evaluation`,
      access_evaluations_endpoint: `${listener.url}/access/v1/evaluations`,
    })
  })
})
