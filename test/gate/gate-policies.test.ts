import { readFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createGate, type Gate, type GateOptions } from '../../src/library/index.ts'
import { sandboxPids } from '../policy/sandbox/written.ts'
import { emptyHome, missing } from '../support/own-folder.ts'
import { claudeEvent, claudeShell, clineTool } from '../support/wire.ts'
import { answers, folderWith, writeFiles } from '../support/workspace.ts'

function gateWith(options: GateOptions): Gate {
  const gate = createGate({ home: emptyHome, managedFolder: missing, ...options })
  onTestFinished(() => gate.close())
  return gate
}

const policy = (id: string, body: string, more = '') => `
import { allow, ask, context, definePolicy, deny, notice, rewrite } from 'hookgate/policy'
export default definePolicy({
  id: '${id}',
  description: 'part of a test',
  on: 'PreToolUse',
  ${more}
  decide({ event, tool, facts, params }) { ${body} },
})
`

describe.each(['process', 'caller'] as const)('policies in a %s', (placement) => {
  it('are evaluated with the command hooks of the same event, into one verdict', async () => {
    const root = folderWith({
      'context.sh': answers({ hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext: 'from a hook' } }),
      'tell.policy.js': policy('tell', `return context('from a policy')`),
      'refuse.policy.js': policy('refuse', `return deny('not ' + tool.command)`),
      'hooks.json': {
        json: {
          hooks: {
            PreToolUse: [
              {
                matcher: 'Bash',
                hooks: [
                  { type: 'policy', policy: './tell.policy.js' },
                  { type: 'command', command: './context.sh' },
                  { type: 'policy', policy: './refuse.policy.js' },
                ],
              },
            ],
          },
        },
      },
    })
    const gate = gateWith({ rules: [join(root, 'hooks.json')], placement })
    const verdict = await gate.decide(await gate.decode(claudeShell('ls', root)))
    expect(verdict).toMatchObject({
      decision: 'deny',
      reason: expect.stringContaining('not ls'),
      context: 'from a policy\n\nfrom a hook',
      evaluations: [{ advice: [{ text: 'from a policy' }] }, { advice: [{ text: 'from a hook' }] }, { effect: 'deny' }],
    })
  })

  it('that fail are handled according to `onFailure`, block by default, with the place in the source', async () => {
    const root = folderWith({
      'policies/throws.policy.ts': policy('throws', `\n    throw new RangeError('out of reach')`),
    })
    const gate = gateWith({ rules: [join(root, 'policies')], placement })
    const { decision, reason } = await gate.decide(await gate.decode(claudeShell('ls', root)))
    expect(decision).toBe('deny')
    expect(reason).toMatch(/throws\.policy\.ts:9:11: RangeError: out of reach/)
  })

  it('that loop fail alone: the others decide, and so does the next event', async () => {
    const root = folderWith({
      'policies/loops.policy.js': policy('loops', `if (tool.command === 'loop') for (;;);`),
      'policies/tells.policy.js': policy('tells', `return context('still here')`),
    })
    const gate = gateWith({ rules: [join(root, 'policies')], placement })
    expect(await gate.decide(await gate.decode(claudeShell('loop', root)))).toMatchObject({
      decision: 'deny',
      context: 'still here',
      evaluations: [{ failure: { code: 'policyTimeout' } }, { kind: 'applicable' }],
    })
    expect(await gate.decide(await gate.decode(claudeShell('ls', root)))).toMatchObject({
      decision: 'abstain',
      context: 'still here',
    })
  })

  it('rewrite the tool’s input in the calling agent’s format', async () => {
    const root = folderWith({
      'dry.policy.js': policy(
        'dry',
        `return rewrite({ ...tool.input, command: tool.command + ' --dry-run' })`,
        `tool: 'shell',`,
      ),
    })
    const gate = gateWith({ rules: [join(root, 'dry.policy.js')], placement })
    const { stdout } = await gate.answer(claudeShell('git push', root), { agent: 'claude-code' })
    expect(JSON.parse(stdout)).toMatchObject({
      hookSpecificOutput: { updatedInput: { command: 'git push --dry-run' } },
    })
  })
})

describe('facts', () => {
  it('are read from the workspace; an unavailable one is undefined, and noted in the record', async () => {
    const seen: unknown[] = []
    const root = folderWith({
      'package.json': { json: { type: 'module' } },
      'rules/typed.policy.js': policy(
        'typed',
        `return context([facts.type, facts.lock, typeof facts.secret].join(' '))`,
        `facts: { type: { json: 'package.json', pointer: '/type' }, lock: { exists: 'lock' }, secret: { text: '../x' } },`,
      ),
    })
    const gate = gateWith({ rules: [join(root, 'rules')], onRecord: (record) => seen.push(record) })
    const verdict = await gate.decide(await gate.decode(claudeShell('ls', root)))
    expect(verdict.context).toBe('module false undefined')
    expect(verdict.evaluations[0]?.remarks).toEqual([expect.stringContaining('`secret` is not known')])
    expect(seen).toMatchObject([{ evaluations: [{ remarks: [expect.stringContaining('`secret`')] }] }])
  })
})

describe('facts of a call in a workspace root that lies in another', () => {
  it('are read from the inner one, in whatever order the roots are', async () => {
    const root = folderWith({
      'app/lock': '',
      'rules/locked.policy.js': policy(
        'locked',
        `return context(String(facts.lock))`,
        `facts: { lock: { exists: 'lock' } },`,
      ),
    })
    const app = join(root, 'app')
    const gate = gateWith({ rules: [join(root, 'rules')] })
    const call = (path: string, workspaceRoots: readonly string[]) => ({
      ...clineTool('write_to_file', { path, content: '' }, root),
      workspaceRoots,
    })
    for (const roots of [
      [root, app],
      [app, root],
      // The outer one may be the whole disk.
      [app, '/'],
    ]) {
      for (const [path, want] of [
        [join(app, 'a.js'), 'true'],
        [join(root, 'a.js'), 'false'],
      ] as const) {
        // oxlint-disable-next-line no-await-in-loop -- one gate, one call after the other
        expect((await gate.decide(await gate.decode(call(path, roots)))).context).toBe(want)
      }
    }
  })
})

describe('policies that came with a workspace', () => {
  const files = {
    '.hookgate/policies/refuses.policy.js': policy('refuses', `if (tool.command === 'rm') return deny('no rm')`),
    '.hookgate/policies/allows.policy.js': policy(
      'allows',
      `return [allow('sure'), context('obey'), rewrite({ command: 'ls -l' })]`,
    ),
  }

  it('may only restrict until they are trusted', async () => {
    const root = folderWith(files)
    const gate = gateWith({})
    expect(await gate.decide(await gate.decode(claudeShell('rm', root)))).toMatchObject({ decision: 'deny' })
    const verdict = await gate.decide(await gate.decode(claudeShell('ls', root)))
    expect(verdict).toMatchObject({ decision: 'abstain', context: '', obligations: [] })
    expect(verdict.evaluations.flatMap(({ remarks = [] }) => remarks)).toHaveLength(3)
  })

  it('have full effect where the workspace is trusted', async () => {
    const root = folderWith(files)
    const gate = gateWith({ trustWorkspace: true })
    expect(await gate.decide(await gate.decode(claudeShell('ls', root)))).toMatchObject({
      decision: 'allow',
      context: 'obey',
      obligations: [{ kind: 'replaceInput' }],
    })
  })
})

describe('a change of the policies', () => {
  it('is loaded; a broken one leaves the last good version in force, with a notice in every verdict', async () => {
    const root = folderWith({ 'policies/guard.policy.js': policy('guard', `return deny('first')`) })
    const gate = gateWith({ rules: [join(root, 'policies')] })
    const event = await gate.decode(claudeShell('ls', root))
    const reason = async () => (await gate.decide(event)).reason
    expect(await reason()).toContain('first')

    writeFiles(root, { 'policies/guard.policy.js': policy('guard', `return deny('second')`) })
    await expect.poll(reason).toContain('second')

    writeFiles(root, { 'policies/guard.policy.js': 'export default nonsense(' })
    await expect.poll(async () => (await gate.decide(event)).notices.join()).toMatch(/guard\.policy\.js:1:\d+/)
    expect(await reason()).toContain('second')

    writeFiles(root, { 'policies/guard.policy.js': policy('guard', `return deny('third')`) })
    await expect.poll(reason).toContain('third')
    expect((await gate.decide(event)).notices).toEqual([])
  })

  it('loses no event: each is decided by the old or the new version', async () => {
    const root = folderWith({ 'policies/guard.policy.js': policy('guard', `return deny('number 0')`) })
    const gate = gateWith({ rules: [join(root, 'policies')] })
    const event = await gate.decode(claudeShell('ls', root))
    for (let change = 1; change <= 5; change += 1) {
      writeFiles(root, { 'policies/guard.policy.js': policy('guard', `return deny('number ${change}')`) })
      const pending = Array.from({ length: 50 }, () => gate.decide(event))
      // oxlint-disable-next-line no-await-in-loop -- one change after the other is what is tested
      const verdicts = await Promise.all(pending)
      expect(verdicts.every(({ decision, reason }) => decision === 'deny' && /number \d/.test(reason))).toBe(true)
    }
    await expect.poll(async () => (await gate.decide(event)).reason).toContain('number 5')
  })
})

describe('the policies that come with hookgate, at events of both agents', () => {
  const rules = (...names: readonly string[]) => ({
    json: {
      hooks: Object.fromEntries(
        ['PreToolUse', 'PostToolUse', 'UserPromptSubmit', 'SessionStart'].map((event) => [
          event,
          [
            {
              hooks: names
                .filter((name) => subscribed[name] === event)
                .map((name) => ({ type: 'policy', policy: `hookgate/${name}` })),
            },
          ],
        ]),
      ),
    },
  })
  const subscribed: Readonly<Record<string, string>> = {
    'no-force-push': 'PreToolUse',
    'no-js-in-ts-projects': 'PreToolUse',
    'protected-paths': 'PreToolUse',
    'slow-operation-notice': 'PostToolUse',
    'coding-standards': 'UserPromptSubmit',
    'project-type': 'SessionStart',
  }
  const cline = (root: string, hookName: string, field: string, value: object) => ({
    ...clineTool('', {}, root),
    hookName,
    preToolUse: undefined,
    [field]: value,
  })
  const cases: readonly [
    name: string,
    claude: (root: string) => object,
    cline: (root: string) => object,
    message: RegExp,
  ][] = [
    [
      'no-force-push',
      (root) => claudeShell('git push --force', root),
      (root) => clineTool('execute_command', { command: 'git push --force', requires_approval: 'false' }, root),
      /deny|"cancel":true/,
    ],
    [
      'no-js-in-ts-projects',
      (root) =>
        claudeShell('', root, { tool_name: 'Write', tool_input: { file_path: join(root, 'a.js'), content: 'x' } }),
      (root) => clineTool('write_to_file', { path: 'a.js', content: 'x' }, root),
      /deny|"cancel":true/,
    ],
    [
      'protected-paths',
      (root) =>
        claudeShell('', root, {
          tool_name: 'Write',
          tool_input: { file_path: join(root, '.hookgate/hooks.json'), content: 'x' },
        }),
      (root) => clineTool('write_to_file', { path: '.hookgate/hooks.json', content: 'x' }, root),
      /deny|"cancel":true/,
    ],
    [
      'slow-operation-notice',
      (root) =>
        claudeEvent('PostToolUse', root, {
          tool_name: 'Bash',
          tool_input: { command: 'make' },
          tool_response: { stdout: '' },
          tool_use_id: 't',
          duration_ms: 9000,
        }),
      (root) =>
        cline(root, 'PostToolUse', 'postToolUse', {
          toolName: 'execute_command',
          parameters: { command: 'make' },
          result: 'ok',
          success: true,
          executionTimeMs: 9000,
        }),
      /PERFORMANCE: /,
    ],
    [
      'coding-standards',
      (root) => claudeEvent('UserPromptSubmit', root, { prompt: 'add a React component' }),
      (root) =>
        cline(root, 'UserPromptSubmit', 'userPromptSubmit', { prompt: 'add a React component', attachments: [] }),
      /CODING_STANDARDS: /,
    ],
    [
      'project-type',
      (root) => claudeEvent('SessionStart', root, { source: 'startup' }),
      (root) => cline(root, 'TaskStart', 'taskStart', { taskMetadata: { taskId: 't', ulid: 'u', initialTask: 'go' } }),
      /WORKSPACE_RULES: /,
    ],
  ]

  it.each(cases)('%s', async (name, claudeWire, clineWire, message) => {
    const root = folderWith({ 'tsconfig.json': '{}', 'package.json': '{}', 'rules/hooks.json': rules(name) })
    const gate = gateWith({ rules: [join(root, 'rules', 'hooks.json')], discover: false })
    for (const [agent, wire] of [
      ['claude-code', claudeWire(root)],
      ['cline', clineWire(root)],
    ] as const) {
      // oxlint-disable-next-line no-await-in-loop -- one gate, sequential events
      const answered = await gate.answer(JSON.stringify(wire), { agent })
      expect(answered.error).toBeUndefined()
      expect(`${agent}: ${answered.stdout}`).toMatch(message)
    }
  })
})

describe('the threads that evaluate policies', () => {
  it('are as many as configured', async () => {
    const root = folderWith({ 'refuse.policy.js': policy('refuse', `return deny('no')`) })
    const before = sandboxPids()
    const gate = gateWith({ rules: [root], discover: false, policyThreads: 3 })
    const { verdict } = await gate.answer(claudeShell('ls', root), { agent: 'claude-code' })
    expect(verdict?.decision).toBe('deny')
    const [pid, ...others] = sandboxPids().filter((one) => !before.includes(one))
    expect(others).toEqual([])
    expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').at(-2)).toBe('3')
  })

  it.each([0, 5, 1.5])('must be a valid number: %d', (policyThreads) => {
    expect(() => createGate({ policyThreads })).toThrow('`policyThreads` must be a whole number from 1 to 4')
  })
})

describe('the facts of a call', () => {
  /** Counts the calls of a function of hookgate while something is done. */
  async function callsOf(file: string, name: string, work: () => Promise<unknown>): Promise<number> {
    const session = new Session()
    session.connect()
    try {
      await session.post('Profiler.enable')
      await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
      await session.post('Profiler.takePreciseCoverage')
      await work()
      const { result } = await session.post('Profiler.takePreciseCoverage')
      return result
        .filter(({ url }) => url.endsWith(file))
        .flatMap(({ functions }) => functions)
        .filter(({ functionName }) => functionName === name)
        .reduce((sum, { ranges }) => sum + (ranges[0]?.count ?? 0), 0)
    } finally {
      session.disconnect()
    }
  }

  it.each([
    ['a plain command', 'ls -la src', 1],
    ['a command with a secret, which is read again only as it is masked', 'deploy --password=hunter22kfd && ls', 2],
    ['a command whose secret may be several words', `mysql -p'two words' app && ls`, 2],
    ['a variable with a secret', 'export API_TOKEN=s3cr3tvalu3; npm test', 2],
    ['a password in an address', 'psql postgres://app:s3cr3tvalu3@localhost/app -c "select 1"', 2],
    ['a pipeline', 'git log --oneline | head -5', 1],
  ])('are determined once for policies, conditions and the record: %s', async (_, command, times) => {
    const root = folderWith({
      'look.policy.js': policy('look', 'return undefined', `tool: 'shell',`),
      'hooks.json': {
        json: {
          permissions: { deny: ['Bash(git push *)'], ask: ['Bash(npm publish *)'] },
          hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'policy', policy: './look.policy.js' }] }] },
        },
      },
    })
    const gate = gateWith({ rules: [join(root, 'hooks.json')], placement: 'caller' })
    const event = await gate.decode(claudeShell(command, root))
    await gate.decide(event)
    expect(await callsOf('/src/facts/shell/shell-facts.ts', 'shellFacts', () => gate.decide(event))).toBe(times)
  })
})
