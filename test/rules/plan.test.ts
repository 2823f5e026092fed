import { describe, expect, it } from 'vitest'
import type { HookEvent } from '../../src/model/event.ts'
import type { CommandHandler, PolicyHandler, Rule } from '../../src/model/rule.ts'
import { matchRule, needsShellFacts, planFor, untrustedConditionStepsMax } from '../../src/rules/plan.ts'
import { ruleSet } from '../../src/rules/merge.ts'
import { noShellFacts } from '../../src/model/tool-facts.ts'
import { ruleNamed, shellEvent } from '../support/plans.ts'

const program = (command: string) => ({ form: 'shell', shell: 'sh', command }) as const

interface Change {
  readonly command?: string
  readonly match?: Partial<Rule['match']>
  readonly handler?: Partial<CommandHandler>
  readonly rule?: Partial<Rule>
}

function rule(id: string, { command = id, match, handler, rule: more }: Change = {}): Rule {
  const plain = ruleNamed(id)
  return {
    ...plain,
    match: { ...plain.match, ...match },
    handler: { ...plain.handler, program: program(command), ...handler },
    ...more,
  }
}

const exec = (...args: string[]) => ({ program: { form: 'exec', file: 'x', args } }) as const
const planned = (rules: readonly Rule[], event = shellEvent) => planFor(event, ruleSet(rules), noShellFacts).rules
const why = (match: Partial<Rule['match']>, event = shellEvent) => matchRule(rule('a', { match }), event, noShellFacts)
const idsOf = (rules: readonly Rule[]) => rules.map(({ id }) => id)

const session = (trigger?: string): HookEvent => {
  const { tool: _action, ...rest } = shellEvent
  return { ...rest, name: 'SessionStart', ...(trigger !== undefined && { trigger }) }
}

describe('the plan of an event', () => {
  it('contains the rules that apply, in order, and is frozen', () => {
    const write = rule('c', { match: { matcher: { kind: 'names', names: ['Write'] } } })
    const plan = planFor(shellEvent, ruleSet([rule('b'), write, rule('a')]))
    expect(idsOf(plan.rules)).toEqual(['b', 'a'])
    expect(Object.isFrozen(plan) && Object.isFrozen(plan.rules)).toBe(true)
  })

  it('is the same empty plan wherever nothing applies', () => {
    const none = planFor(shellEvent, ruleSet([]))
    expect(none.rules).toEqual([])
    expect(planFor(session(), ruleSet([rule('a')]))).toBe(none)
    const write = rule('c', { match: { matcher: { kind: 'names', names: ['Write'] } } })
    expect(planFor(shellEvent, ruleSet([write]))).toBe(none)
  })

  it('omits rules for other triggers of the event', () => {
    const start = rule('start', {
      match: { spelled: 'TaskStart', events: ['SessionStart'], triggers: ['startup', 'clear'] },
    })
    expect(idsOf(planned([start], session('startup')))).toEqual(['start'])
    expect(idsOf(planned([start], session('resume')))).toEqual([])
    expect(idsOf(planned([start], session()))).toEqual([])
  })

  it('keeps untrusted rules, so that they can be reported', () => {
    expect(planned([rule('a', { rule: { untrustedReason: 'why' } })])).toMatchObject([
      { id: 'a', untrustedReason: 'why' },
    ])
  })
})

describe('the same hook from several sources', () => {
  it('runs once, as the first', () => {
    const set = ruleSet([
      rule('first', { command: 'x' }),
      rule('other', { command: 'x ' }),
      rule('second', { command: 'x' }),
    ])
    const { rules } = planFor(shellEvent, set)
    expect(idsOf(rules)).toEqual(['first', 'other'])
    expect(rules[0]).toBe(set.rules[0])
  })

  it('is another hook with other arguments, another `if`, another dialect or another plugin', () => {
    const condition = { text: 'Bash', tool: 'Bash', pattern: undefined }
    const rules = [
      rule('a', { command: 'x' }),
      rule('b', { command: 'x', match: { condition } }),
      rule('c', { command: 'x', handler: { dialect: 'cline' } }),
      rule('d', { command: 'x', handler: { env: { CLAUDE_PLUGIN_ROOT: '/p' } } }),
      rule('e', { handler: exec('1') }),
      rule('f', { handler: exec('2') }),
    ]
    expect(idsOf(planned(rules))).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
  })

  it('is one hook with another timeout, or in another group that matches too', () => {
    const later = rule('b', {
      command: 'x',
      rule: { timeoutMs: 5 },
      match: { matcher: { kind: 'names', names: ['Bash'] } },
    })
    expect(idsOf(planned([rule('a', { command: 'x' }), later]))).toEqual(['a'])
  })

  it('has the strictest `onFailure` of its copies', () => {
    const copies = (['continue', 'block', 'ask'] as const).map((onFailure, index) =>
      rule(`${index}`, { command: 'x', rule: { onFailure } }),
    )
    expect(planned(copies)).toMatchObject([{ id: '0', onFailure: 'block' }])
  })

  it('is waited for if one copy is', () => {
    const copies = [true, false].map((async, index) => rule(`${index}`, { command: 'x', handler: { async } }))
    expect(planned(copies)).toMatchObject([{ id: '0', handler: { async: false } }])
  })

  it('is trusted if one copy is, and keeps the first position', () => {
    const untrusted = rule('a', { command: 'x', rule: { untrustedReason: 'why', onFailure: 'block' } })
    const trusted = rule('c', { command: 'x' })
    expect(planned([untrusted, rule('b'), trusted])).toMatchObject([
      { id: 'c', untrustedReason: undefined, onFailure: 'block' },
      { id: 'b' },
    ])
    expect(planned([trusted, rule('b'), untrusted])).toMatchObject([
      { id: 'c', untrustedReason: undefined, onFailure: 'block' },
      { id: 'b' },
    ])
  })
})

describe('the same command from several folders', () => {
  const root = '/home/someone/project'
  const from = (workspaceRoot: string | undefined): Partial<Rule> => ({
    source: { ...ruleNamed('a').source, workspaceRoot },
  })
  const guard = '"$CLAUDE_PROJECT_DIR"/.hookgate/guard.sh'
  const below: HookEvent = { ...shellEvent, session: { ...shellEvent.session, cwd: `${root}/sub` } }
  const inTwo: HookEvent = { ...shellEvent, workspaceRoots: [root, '/home/someone/other'] }

  it.each([
    ['in shell form', { command: guard }],
    ['in exec form', { handler: exec('${CLAUDE_PROJECT_DIR}/guard.js') }],
    ['that names a program alone', { command: 'guard' }],
  ])('%s is a hook of each workspace that has it', (_, command) => {
    const rules = [root, '/home/someone/other', `${root}/sub`].map((at) => rule(at, { ...command, rule: from(at) }))
    for (const event of [shellEvent, below, inTwo]) {
      expect(idsOf(planned(rules, event))).toEqual(idsOf(rules))
      expect(idsOf(planned(rules.toReversed(), event))).toEqual(idsOf(rules.toReversed()))
    }
  })

  it('is one hook within one workspace, and outside of all workspaces, wherever the agent is', () => {
    const user = [rule('a', { command: './guard.sh', rule: from(undefined) }), rule('b', { command: './guard.sh' })]
    const own = ['c', 'd'].map((id) => rule(id, { command: guard, rule: from(root) }))
    expect(idsOf(planned([...user, ...own], below))).toEqual(['a', 'c'])
  })

  it('is one hook of user and workspace rules while the agent is at the workspace’s root', () => {
    const rules = [undefined, root].map((at) => rule(`${at}`, { command: './guard.sh', rule: from(at) }))
    const set = ruleSet(rules)
    const at = (event: HookEvent) => idsOf(planFor(event, set).rules)
    expect(at(shellEvent)).toEqual(['undefined'])
    expect(at(below)).toEqual(idsOf(rules))
    expect(at({ ...shellEvent, workspaceRoots: ['/home/someone/other'] })).toEqual(idsOf(rules))
    expect(at(shellEvent)).toEqual(['undefined'])
  })

  it('is two hooks where the untrusted one runs in another folder', () => {
    const rules = [
      rule('a', { command: 'x' }),
      rule('b', { command: 'x', rule: { ...from(root), untrustedReason: 'why' } }),
    ]
    expect(planned(rules, below)).toMatchObject([{ id: 'a' }, { id: 'b', untrustedReason: 'why' }])
  })
})

describe('a policy', () => {
  const policy = (
    id: string,
    handler: Partial<PolicyHandler> = {},
    more: Partial<Rule> = {},
    match: Partial<Rule['match']> = {},
  ): Rule => {
    const plain = ruleNamed(id)
    const own = {
      kind: 'policy',
      policy: id,
      severity: undefined,
      file: '/a.ts',
      files: ['/a.ts'],
      digest: '0',
      domain: 1,
      index: 0,
      onCaller: false,
      ignoresToolFacts: true,
      interest: undefined,
      carried: [],
      facts: {},
      state: {},
      params: {},
      changedParams: [],
    } as const
    return { ...plain, match: { ...plain.match, ...match }, handler: { ...own, ...handler }, ...more }
  }
  const condition = { text: 'Bash(git *)', tool: 'Bash', pattern: 'git *' }
  const names = (...list: string[]) => ({ kind: 'names', names: list }) as const

  it('of one file, params and condition is evaluated once, strictest and trusted', () => {
    const rules = [
      policy('a', {}, { untrustedReason: 'why', onFailure: 'continue' }),
      policy('b', { domain: 2 }, { onFailure: 'ask' }),
      policy('c', { params: { x: 1 } }),
      policy('d', { file: '/b.ts' }),
      policy('e', {}, {}, { condition: { ...condition, text: 'Bash', pattern: undefined } }),
    ]
    expect(planned(rules)).toMatchObject([
      { id: 'b', untrustedReason: undefined, onFailure: 'ask', handler: { domain: 2 } },
      { id: 'c' },
      { id: 'd' },
      { id: 'e' },
    ])
  })

  it('runs for what both its group and it itself match, and for every event without a tool', () => {
    expect(idsOf(planned([policy('a', {}, {}, { matcher: names('Bash'), subject: names('shell') })]))).toEqual(['a'])
    expect(idsOf(planned([policy('a', {}, {}, { matcher: names('Write'), subject: names('shell') })]))).toEqual([])
    expect(idsOf(planned([policy('a', {}, {}, { subject: names('write', 'mcp__a__b') })]))).toEqual([])
    const onStart = policy('a', {}, {}, { events: ['SessionStart'], subject: names('write') })
    expect(idsOf(planned([onStart], session('startup')))).toEqual(['a'])
    expect(why({ subject: names('write') })).toEqual({
      applies: false,
      why: 'the policy is for `write`, not for `Bash`',
    })
  })

  it('that is untrusted still needs its condition to be met, since it is evaluated', () => {
    expect(planned([policy('a', {}, { untrustedReason: 'why' }, { condition })])).toEqual([])
    expect(idsOf(planned([rule('hook', { match: { condition }, rule: { untrustedReason: 'why' } })]))).toEqual(['hook'])
  })

  it('that is untrusted is evaluated where its condition takes too long to check', () => {
    const command = 'x'.repeat(untrustedConditionStepsMax)
    const event: HookEvent = { ...shellEvent, tool: { kind: 'shell', name: 'Bash', input: { command }, command } }
    expect(idsOf(planned([policy('a', {}, { untrustedReason: 'why' }, { condition })], event))).toEqual(['a'])
  })
})

describe('the facts of a shell command', () => {
  const needs = (match: Partial<Rule['match']>, event = shellEvent) =>
    needsShellFacts(event, ruleSet([rule('a', { match })]))
  const onCommand = { condition: { text: 'Bash(git *)', tool: 'Bash', pattern: 'git *' } }

  it('are needed where a rule that matches has an `if` on commands, and nowhere else', () => {
    expect(needs(onCommand)).toBe(true)
    expect(needs({})).toBe(false)
    expect(needs({ condition: { text: 'Bash', tool: 'Bash', pattern: undefined } })).toBe(false)
    expect(needs({ ...onCommand, matcher: { kind: 'names', names: ['Write'] } })).toBe(false)
    const tool = { kind: 'shell', name: 'PowerShell', input: {}, command: 'git push' } as const
    expect(needs(onCommand, { ...shellEvent, tool })).toBe(false)
  })

  it('are not needed for an untrusted hook, which is not run', () => {
    const untrusted = rule('a', { match: onCommand, rule: { untrustedReason: 'new' } })
    expect(needsShellFacts(shellEvent, ruleSet([untrusted]))).toBe(false)
  })

  it('that cannot be determined meet every `if`', () => {
    expect(planFor(shellEvent, ruleSet([rule('a', { match: onCommand })])).rules).toHaveLength(1)
  })
})

describe('the reason why a rule does not apply', () => {
  it('is reported', () => {
    expect(why({})).toEqual({ applies: true })
    expect(why({ spelled: 'Stop', events: ['Stop'] })).toEqual({ applies: false, why: 'it is for Stop' })
    expect(why({ matcher: { kind: 'names', names: ['Edit', 'Write'] } })).toEqual({
      applies: false,
      why: 'its matcher `Edit|Write` does not match `Bash`',
    })
    expect(why({ matcher: { kind: 'pattern', pattern: /^mcp__/ } })).toEqual({
      applies: false,
      why: 'its matcher `^mcp__` does not match `Bash`',
    })
    expect(why({ condition: { text: 'Bash(git *)', tool: 'Bash', pattern: 'git *' } })).toEqual({
      applies: false,
      why: 'its condition `Bash(git *)` is not met',
    })
    expect(
      why({ spelled: 'TaskStart', events: ['SessionStart'], triggers: ['startup', 'clear'] }, session('resume')),
    ).toEqual({
      applies: false,
      why: 'TaskStart is SessionStart only with the trigger startup or clear, not with resume',
    })
  })
})
