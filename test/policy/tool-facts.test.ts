import { describe, expect, it, onTestFinished } from 'vitest'
import { createGate } from '../../src/library/index.ts'
import type { HookEvent } from '../../src/model/event.ts'
import type { PolicyRequest, PolicyResult } from '../../src/model/policy.ts'
import { isPolicyRule, type PolicyRule, Plan } from '../../src/model/rule.ts'
import type { ToolFacts } from '../../src/model/tool-facts.ts'
import { combine } from '../../src/gate/combine/combine.ts'
import { evaluatePolicies, PolicyList } from '../../src/policy/policies.ts'
import { policyMachine, policyText } from '../support/policies.ts'
import { claudeShell } from '../support/wire.ts'
import { folderWith } from '../support/workspace.ts'

const decideWith = (params: string, decide: string) =>
  policyText('one', "severity: 'high', examples: [],", decide).replace('{ tool, facts, params }', params)

/** Returns the answer of a policy with this `decide` to a shell command. */
async function answered(params: string, decide: string, command = 'cat a | tee b') {
  const cwd = folderWith({ 'one.policy.ts': decideWith(params, decide) })
  const gate = createGate({ placement: 'caller', rules: [`${cwd}/one.policy.ts`], discover: false, home: '/nobody' })
  onTestFinished(() => gate.close())
  const { verdict } = await gate.answer(claudeShell(command, cwd), { agent: 'claude-code' })
  return verdict?.reason.replace(/ \(explicit:.*/, '').replaceAll(cwd, '')
}

describe('what `decide` gets about a tool call', () => {
  it('includes the commands that the shell would run, and the paths that they touch', async () => {
    const decide = 'return deny(JSON.stringify([shell.commands.map((c) => c.program), paths.map((p) => p.inRoot)]))'
    expect(await answered('{ shell, paths }', decide)).toBe('[["cat","tee"],["a","b"]]')
  })

  it('is deeply frozen', async () => {
    const decide = `const parts = [shell, shell.commands, shell.commands[0], shell.commands[0].args, paths, paths[0]]
      return deny(String(parts.every(Object.isFrozen)))`
    expect(await answered('{ shell, paths }', decide)).toBe('true')
  })

  it.each([
    ['input', 'return deny(String(input.shell.commands.length))'],
    ['{ tool, ...rest }', 'return deny(String(rest.shell.commands.length))'],
    ["{ ['shell']: found }", 'return deny(String(found.commands.length))'],
    ['', 'return deny(String(arguments[0].shell.commands.length))'],
    ['...all', 'return deny(String(all[0].shell.commands.length))'],
    ["{ ['sh' + 'ell']: found }", 'return deny(String(found.commands.length))'],
  ])('is available however it is destructured: decide(%s)', async (params, decide) => {
    expect(await answered(params, decide)).toBe('2')
  })

  it('is empty for a tool that touches nothing, and never absent', async () => {
    const decide = 'return deny(JSON.stringify([shell, paths]))'
    expect(await answered('{ shell, paths }', decide, ' ')).toBe('[{"commands":[],"flows":[],"uncertain":[]},[]]')
  })

  it('can be referenced in the answer, by the index of a command', async () => {
    const cwd = folderWith({
      'one.policy.ts': decideWith('{ shell }', "return deny('no', { at: shell.commands.length - 1 })"),
    })
    const gate = createGate({ placement: 'caller', rules: [`${cwd}/one.policy.ts`], discover: false, home: '/nobody' })
    onTestFinished(() => gate.close())
    const { verdict } = await gate.answer(claudeShell('a; b; c', cwd), { agent: 'claude-code' })
    expect(verdict?.evaluations).toMatchObject([{ kind: 'applicable', commands: [2], severity: 'high' }])
  })

  it('can be referenced by the indices of several commands', async () => {
    const cwd = folderWith({ 'one.policy.ts': decideWith('{ shell }', "return deny('no', { at: [2, 0, 2] })") })
    const gate = createGate({ placement: 'caller', rules: [`${cwd}/one.policy.ts`], discover: false, home: '/nobody' })
    onTestFinished(() => gate.close())
    const { verdict } = await gate.answer(claudeShell('a; b; c', cwd), { agent: 'claude-code' })
    expect(verdict?.evaluations).toMatchObject([{ kind: 'applicable', commands: [2, 0] }])
  })

  it('may be given the `by` of any impact: one that is no command is of the whole call', async () => {
    expect(await answered('{ shell }', "return deny('no', { at: 'name' })")).toBe('no')
  })

  it.each(['-1', '0.5', 'NaN', '2 ** 60', '{}', '[-1]', '[0, {}]', '[[0]]', '[,]'])(
    'and not by anything else: %s',
    async (at) => {
      expect(await answered('{ shell }', `return deny('no', { at: ${at} })`)).toMatch(
        /decide returned an answer whose `at` is .*: it must be the index of a command/,
      )
    },
  )
})

describe('if the facts of a tool call cannot be determined', () => {
  const event: HookEvent = {
    name: 'PreToolUse',
    agent: 'claude-code',
    session: { id: 's', cwd: '/w' },
    workspaceRoots: ['/w'],
    atMs: 0,
    raw: {},
    tool: { kind: 'shell', name: 'Bash', input: { command: 'x' }, command: 'x' },
  }

  /** Evaluates one rule's policy, and returns its requests and the verdict. */
  async function asking(decide: string, onFailure: string, toolFacts: () => Promise<ToolFacts>) {
    const { read } = policyMachine({
      'work/.hookgate/policies/one.policy.ts': decideWith('{ shell }', decide).replace(
        '\n  on:',
        `onFailure: '${onFailure}', on:`,
      ),
    })
    const rules: readonly PolicyRule[] = (await read()).rules.filter(isPolicyRule)
    const requests: PolicyRequest[] = []
    const evaluate = (request: PolicyRequest): Promise<readonly PolicyResult[]> => {
      requests.push(request)
      return Promise.resolve([{ answers: [], durationMs: 0 }])
    }
    const evaluations = await evaluatePolicies(new PolicyList(rules), event, {
      evaluate,
      gatherFacts: () => Promise.resolve([]),
      toolFacts,
      withHarmless: async (found) => found,
      signal: undefined,
    })
    return { requests, evaluations, verdict: combine(new Plan(rules), evaluations, event) }
  }
  const broken = () => Promise.reject(new RangeError('a defect'))

  it.each(['block', 'ask', 'continue'])(
    'the call is refused, whatever the rule’s onFailure is: %s',
    async (onFailure) => {
      const { requests, evaluations, verdict } = await asking(
        'return deny(String(shell.commands.length))',
        onFailure,
        broken,
      )
      expect(requests).toEqual([])
      expect(evaluations).toMatchObject([
        { kind: 'indeterminate', failure: { code: 'factsFailed', message: expect.stringContaining('a defect') } },
      ])
      expect(verdict.decision).toBe('deny')
    },
  )

  it('a policy that cannot use them is evaluated all the same, and they are not computed', async () => {
    const { read } = policyMachine({ 'work/.hookgate/policies/one.policy.ts': policyText('one') })
    const rules = (await read()).rules.filter(isPolicyRule)
    const evaluations = await evaluatePolicies(new PolicyList(rules), event, {
      evaluate: () => Promise.resolve([{ answers: [], durationMs: 0 }]),
      gatherFacts: () => Promise.resolve([]),
      toolFacts: broken,
      withHarmless: async (found) => found,
      signal: undefined,
    })
    expect(evaluations).toMatchObject([{ kind: 'notApplicable' }])
  })
})
