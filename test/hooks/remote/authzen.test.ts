import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as cedar from '@cedar-policy/cedar-wasm/nodejs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createGate } from '../../../src/gate/gate.ts'
import { json, type PointReply, serverAnswering } from '../../support/decision-point.ts'
import { rulesFile } from '../../support/remote-rules.ts'
import { claudeShell, clineTool } from '../../support/wire.ts'
import { folderWith } from '../../support/workspace.ts'

function gateAsking(url: string, hook: object = {}, matcher = '*') {
  const rules = rulesFile({
    hooks: { PreToolUse: [{ matcher, hooks: [{ type: 'authzen', url, timeout: 60, ...hook }] }] },
  })
  const gate = createGate({ rules: [rules], discover: false, placement: 'caller', env: { PDP_TOKEN: 'secret-of-env' } })
  onTestFinished(() => gate.close())
  const decided = async (event: object, agent?: 'codex' | 'claude-code') => {
    const { verdict } = await gate.answer(event as never, agent && { agent })
    if (verdict === undefined) throw new Error('not decided')
    return verdict
  }
  return { decided, shell: (command: string) => decided(claudeShell(command, '/work')) }
}

const permit = json({ decision: true })
const permitAll: PointReply = (request, response) => {
  const { evaluations } = request.body as { evaluations?: readonly object[] }
  const all = evaluations?.map(() => ({ decision: true }))
  json(all === undefined ? { decision: true } : { evaluations: all })(request, response)
}

describe('a decision point', () => {
  it('is asked about a command in the words of the specification', async () => {
    const point = await serverAnswering(permit)
    const { shell } = gateAsking(point.url, { subject: { type: 'user', id: 'alice' } })
    expect(await shell('git push origin main')).toMatchObject({ decision: 'abstain' })
    expect(point.requests).toMatchObject([
      {
        path: '/access/v1/evaluation',
        headers: { 'content-type': 'application/json' },
        body: {
          subject: { type: 'user', id: 'alice' },
          action: { name: 'shell' },
          resource: {
            type: 'command',
            id: 'git push origin main',
            properties: { program: 'git', args: ['push', 'origin', 'main'] },
          },
          context: { agent: 'claude-code', cwd: '/work', command: 'git push origin main' },
        },
      },
    ])
  })

  it('is asked about each command of a line at once, and its refusal names the one it is about', async () => {
    const point = await serverAnswering((_, response) => {
      const refused = { decision: false, context: { reason_user: { en: 'production is frozen' } } }
      json({ evaluations: [{ decision: true }, refused, { decision: true }] })(_, response)
    })
    const { shell } = gateAsking(point.url)
    const verdict = await shell('cd /work && kubectl apply -f . && ls')
    expect(verdict).toMatchObject({ decision: 'deny', reason: expect.stringContaining('production is frozen') })
    expect(verdict.evaluations).toMatchObject([{ commands: [1] }])
    expect(point.requests).toMatchObject([
      {
        path: '/access/v1/evaluations',
        body: { evaluations: ['cd /work', 'kubectl apply -f .', 'ls'].map((id) => ({ resource: { id } })) },
      },
    ])
  })

  it.each([
    [
      'a file',
      { tool_name: 'Read', tool_input: { file_path: '/work/.env' } },
      { type: 'file', id: '/work/.env' },
      'read',
    ],
    [
      'a URL',
      { tool_name: 'WebFetch', tool_input: { url: 'https://a.example/', prompt: '' } },
      { type: 'url', id: 'https://a.example/' },
      'fetch',
    ],
    [
      'a tool of an MCP server',
      { tool_name: 'mcp__db__drop', tool_input: { table: 'users' } },
      { type: 'mcp_tool', id: 'db/drop', properties: { input: { table: 'users' } } },
      'mcp',
    ],
    [
      'any other tool',
      { tool_name: 'TodoWrite', tool_input: { todos: [] } },
      { type: 'tool', id: 'TodoWrite' },
      'other',
    ],
  ])('is asked about %s', async (_, call, resource, action) => {
    const point = await serverAnswering(permit)
    await gateAsking(point.url).decided(claudeShell('', '/work', call))
    expect(point.requests).toMatchObject([{ body: { resource, action: { name: action } } }])
  })

  it('is asked about the calls of every agent', async () => {
    const point = await serverAnswering(json({ decision: false }))
    const { decided } = gateAsking(point.url, {}, 'shell')
    const call = clineTool('execute_command', { command: 'ls', requires_approval: 'false' }, '/work')
    expect(await decided(call)).toMatchObject({ decision: 'deny' })
    expect(point.requests).toMatchObject([{ body: { resource: { id: 'ls' }, context: { agent: 'cline' } } }])
  })

  it('gets a token from a file, which is read for each request, or from a variable', async () => {
    const point = await serverAnswering(permit)
    const file = join(folderWith({ token: 'first\n' }), 'token')
    const fromFile = gateAsking(point.url, { token: { file } })
    await fromFile.shell('ls')
    writeFileSync(file, 'second\n')
    await fromFile.shell('ls')
    await gateAsking(point.url, { headers: { 'x-key': { env: 'PDP_TOKEN' } } }).shell('ls')
    expect(point.requests.map(({ headers }) => [headers.authorization, headers['x-key']])).toEqual([
      ['Bearer first', undefined],
      ['Bearer second', undefined],
      [undefined, 'secret-of-env'],
    ])
  })

  it.each([
    ['a text', { reason: 'no' }, 'no'],
    [
      'one by language',
      { reason_user: { 'en-403': 'not you', 'es-403': 'no' }, reason_admin: { en: 'rule 7' } },
      'not you',
    ],
    ['one for administrators', { reason_admin: { '403': 'rule 7' } }, 'rule 7'],
    ['that of an error', { error: { status: 404, message: 'not found' } }, 'not found'],
    ['none', {}, 'refuses it'],
    ['one with bytes for the terminal', { reason: 'no\u001b[2J' }, 'no'],
  ])('has its reason read: %s', async (_, context, want) => {
    const point = await serverAnswering(json({ decision: false, context }))
    const { reason } = await gateAsking(point.url).shell('ls')
    expect(reason).toContain(want)
    expect(reason).not.toContain('\u001b')
  })
})

/** Answers that are none, for a line of two commands. */
const wrongAnswers: Readonly<Record<string, PointReply>> = {
  'one that is no JSON': (_, response) => response.end('<html>'),
  'an empty one': (_, response) => response.end(),
  'a list': json([]),
  'no decision': json({}),
  'a decision that is a text': json({ evaluations: [{ decision: 'true' }, { decision: true }] }),
  'one decision for two commands': json({ evaluations: [{ decision: true }] }),
  'three decisions for two commands': json({ evaluations: Array.from({ length: 3 }, () => ({ decision: true })) }),
  'the answer to a single evaluation': json({ decision: true }),
  'a key that stands twice': (_, response) =>
    response.end('{"evaluations":[{"decision":false,"decision":true},{"decision":true}]}'),
  'a key that stands twice, escaped once': (_, response) =>
    response.end('{"evaluations":[{"decision":false,"\\u0064ecision":true},{"decision":true}]}'),
  'an error beside `true`': json({ evaluations: [{ decision: true, error: 'no' }, { decision: true }] }),
  'an error in the context of `true`': json({
    evaluations: [{ decision: true }, { decision: true, context: { error: { status: 500 } } }],
  }),
  'an error beside all': json({ error: 'no', evaluations: [{ decision: true }, { decision: true }] }),
  '`false` beside decisions that are `true`': json({
    decision: false,
    evaluations: [{ decision: true }, { decision: true }],
  }),
  'a refusal as the effect of `true`': json({
    evaluations: [{ decision: true, context: { effect: 'deny' } }, { decision: true }],
  }),
  'another status': json({ evaluations: [{ decision: true }, { decision: true }] }, 201),
  'a refusal of the caller': json({}, 401),
  'a defect': json({ evaluations: [{ decision: true }, { decision: true }] }, 500),
  'a redirect': (_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
  'more than a megabyte': (_, response) => response.end(JSON.stringify({ x: 'x'.repeat(1024 * 1024) })),
  'a connection that is closed': (_, response) => response.destroy(),
  'a part of one': (_, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('{"evaluations":')
    response.destroy()
  },
  nothing: () => {},
  'one byte after the other': (_, response) => {
    const drip = setInterval(() => response.write(' '), 20)
    response.on('close', () => clearInterval(drip))
  },
}

describe('a decision point that gives no decision counts by `onFailure`', () => {
  it.each(Object.keys(wrongAnswers))('%s', async (name) => {
    const point = await serverAnswering(wrongAnswers[name] ?? permit)
    const asking = (onFailure?: string) => gateAsking(point.url, { timeout: 0.2, ...(onFailure && { onFailure }) })
    const line = 'git pull && ls'
    expect(await asking().shell(line)).toMatchObject({ decision: 'deny' })
    expect(await asking('ask').shell(line)).toMatchObject({ decision: 'ask' })
    const passed = await asking('continue').shell(line)
    expect(passed.decision).toBe('abstain')
    expect(passed.notices.join()).toContain(point.url)
  })

  it.each([
    ['commands', claudeShell('true;'.repeat(100).concat('rm -rf /work'), '/work')],
    [
      'files',
      claudeShell('', '/work', {
        tool_name: 'apply_patch',
        tool_input: {
          command: [
            '*** Begin Patch',
            ...Array.from({ length: 101 }, (_, at) => `*** Delete File: f${at}`),
            '*** End Patch',
          ].join('\n'),
        },
      }),
    ],
  ])('a call about more %s than one request has room for, which is not asked about in fewer words', async (_, call) => {
    const point = await serverAnswering(permitAll)
    const agent = call['tool_name'] === 'apply_patch' ? 'codex' : 'claude-code'
    const verdict = await gateAsking(point.url).decided(call, agent)
    expect(verdict).toMatchObject({ decision: 'deny', reason: expect.stringContaining('101 commands or files') })
    expect(point.requests).toEqual([])
  })

  it('one that is away', async () => {
    const point = await serverAnswering(permit)
    point.close()
    expect(await gateAsking(point.url).shell('ls')).toMatchObject({ decision: 'deny' })
  })

  it('a token that is not there, whose place is named and not its value', async () => {
    const { reason } = await gateAsking('http://127.0.0.1:1', { token: { env: 'NO_SUCH_TOKEN' } }).shell('ls')
    expect(reason).toContain('NO_SUCH_TOKEN')
    expect(reason).not.toContain('secret-of-env')
  })
})

describe('a rules file with a decision point', () => {
  const problemsOf = async (rules: object) => {
    const gate = createGate({ rules: [rulesFile(rules)], discover: false, placement: 'caller' })
    onTestFinished(() => gate.close())
    return gate.rulesFor({ workspaceRoots: [] }).then(
      () => 'none',
      (error: unknown) => String(error),
    )
  }
  const under = (hook: object, event = 'PreToolUse') =>
    problemsOf({ hooks: { [event]: [{ hooks: [{ type: 'authzen', ...hook }] }] } })

  it.each([
    ['no URL', {}, 'url'],
    ['plain HTTP to another machine', { url: 'http://pdp.example' }, 'unencrypted'],
    ['a password in the URL', { url: 'https://a:b@pdp.example' }, 'password'],
    ['a certificate without its key', { url: 'https://pdp.example', cert: '/c.pem' }, 'belong together'],
    ['a relative file', { url: 'https://pdp.example', ca: 'ca.pem' }, 'absolute'],
    ['an unknown key', { url: 'https://pdp.example', timeouts: 3 }, 'timeout'],
    ['a header that is none', { url: 'https://pdp.example', headers: { 'a b': 'c' } }, 'header'],
  ])('does not load: %s', async (_, hook, want) => {
    expect(await under(hook)).toContain(want)
  })

  it('does not load under an event without a call', async () => {
    expect(await under({ url: 'https://pdp.example' }, 'UserPromptSubmit')).toContain('is about none')
  })

  it('asks nobody from a project that no person has trusted', async () => {
    const point = await serverAnswering(permitAll)
    const hooks = { PreToolUse: [{ hooks: [{ type: 'authzen', url: point.url }] }] }
    const project = folderWith({ '.hookgate/hooks.json': JSON.stringify({ hooks }) })
    const home = folderWith()
    const gate = createGate({ home, env: { HOME: home }, managedFolder: folderWith(), placement: 'caller' })
    onTestFinished(() => gate.close())
    const { verdict } = await gate.answer(claudeShell('ls', project), { agent: 'claude-code' })
    expect(verdict).toMatchObject({ decision: 'deny', reason: expect.stringContaining('hookgate trust') })
    expect(point.requests).toEqual([])
  })
})

/** A decision point whose policies are Cedar's, with an entity for each subject and resource. */
function cedarPoint(policies: string) {
  const decision = (subject: Entity, action: string, resource: Entity, context: object): object => {
    const uid = ({ type, id }: Entity) => ({ type: type === 'user' ? 'User' : 'Command', id })
    const { program = '' } = resource.properties ?? {}
    const answer = cedar.isAuthorized({
      principal: uid(subject),
      action: { type: 'Action', id: action },
      resource: uid(resource),
      context: context as never,
      policies: { staticPolicies: policies },
      entities: [{ uid: uid(resource), attrs: { program }, parents: [] }],
    })
    if (answer.type === 'failure') return { decision: false, context: { error: { message: 'the policies fail' } } }
    const { decision: allowed, diagnostics } = answer.response
    const reason = `Cedar: ${diagnostics.reason.join(', ') || 'no policy permits it'}`
    return allowed === 'allow' ? { decision: true } : { decision: false, context: { reason_admin: { en: reason } } }
  }
  return serverAnswering((request, response) => {
    const { subject, action, resource, context, evaluations } = request.body as Asked
    const one = (about: Entity) => decision(subject, action.name, about, { agent: context.agent })
    const answer =
      evaluations === undefined ? one(resource) : { evaluations: evaluations.map((each) => one(each.resource)) }
    json(answer)(request, response)
  })
}
interface Entity {
  readonly type: string
  readonly id: string
  readonly properties?: { readonly program?: string }
}
interface Asked {
  readonly subject: Entity
  readonly action: { readonly name: string }
  readonly resource: Entity
  readonly context: { readonly agent: string }
  readonly evaluations?: readonly { readonly resource: Entity }[]
}

describe('a decision point that evaluates Cedar', () => {
  const policies = `
    @id("everybody-works") permit(principal, action == Action::"shell", resource);
    @id("only-ops-deploys") forbid(principal, action, resource) when { resource.program == "kubectl" }
      unless { principal == User::"ops" };`

  it.each([
    ['what no policy forbids', 'alice', 'ls', 'abstain'],
    ['what one forbids', 'alice', 'kubectl apply -f .', 'deny'],
    ['what one forbids, within a line', 'alice', 'ls; sudo kubectl apply -f .', 'deny'],
    ['what one forbids to others', 'ops', 'kubectl apply -f .', 'abstain'],
  ])('decides %s', async (_, id, command, want) => {
    const point = await cedarPoint(policies)
    const { decision } = await gateAsking(point.url, { subject: { type: 'user', id } }, 'Bash').shell(command)
    expect(decision).toBe(want)
  })
})
