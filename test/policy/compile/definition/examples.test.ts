import { describe, expect, it } from 'vitest'
import { policyMachine, policyText } from '../../../support/policies.ts'

/** Lists the problems of a policy with this `decide` and one example. */
async function example(decide: string, want: unknown, given: object = {}, more = '') {
  const examples = `${more} examples: [{ name: 'x', given: ${JSON.stringify(given)}, want: ${JSON.stringify(want)} }],`
  const { read } = policyMachine({ 'work/.hookgate/policies/a.policy.ts': policyText('a', examples, decide) })
  return (await read()).problems.map((problem) => problem.replace(/^.*its example `x` /, ''))
}

describe('an example', () => {
  it.each([
    ["return deny('no force')", 'deny'],
    ["return [context('c'), deny('no')]", 'deny'],
    ['', 'abstain'],
    ["return context('c')", 'context'],
    ["return notice('n')", 'notice'],
    ["return rewrite({ command: 'ls' })", 'rewrite'],
    ["return stop('enough')", 'stop'],
    [
      "return [ask('sure?'), context('more'), notice('look')]",
      { effect: 'ask', reason: 'sure', context: 'mor', notice: 'ook' },
    ],
    ["return rewrite({ command: 'ls' })", { input: { command: 'ls' } }],
    ["return [deny('a'), allow('b'), deny('c')]", { effect: 'deny', reason: 'c' }],
    ["return stop('enough')", { stop: 'en' }],
  ])('passes with %j where %j is wanted', async (decide, want) => {
    expect(await example(decide, want)).toEqual([])
  })

  it.each([
    ["return ask('sure?')", 'deny', 'wants `deny`, but got `ask`, `sure?`'],
    ['', 'deny', 'wants `deny`, but got `abstain`'],
    ["return notice('n')", 'abstain', 'wants `abstain`, but got notice `n`'],
    ["return [context('c'), deny('no')]", 'context', 'wants `context`, but got context `c` and `deny`, `no`'],
    [
      "return deny('no')",
      { effect: 'deny', reason: 'yes' },
      'wants effect `deny` and reason `yes`, but got `deny`, `no`',
    ],
    [
      "return rewrite({ command: 'ls -a' })",
      { input: { command: 'ls' } },
      'wants input `{"command":"ls"}`, but got rewrite `{"command":"ls -a"}`',
    ],
    ['return allow()', { stop: '' }, 'wants stop ``, but got `allow`'],
    ["throw new Error('oops')", 'deny', /^wants `deny`, but got .*Error: oops/],
    ['for (;;);', 'abstain', /CPU/],
  ])('fails with %j where %j is wanted', async (decide, want, message) => {
    const [first = '', ...more] = await example(decide, want)
    expect(more).toEqual([])
    expect(first).toMatch(message)
  })

  it('gives facts by name, and omits those that it does not give', async () => {
    const facts = "facts: { one: { exists: 'a' }, branch: { gitBranch: true } },"
    const decide = "if (facts.branch === 'main' && facts.one === undefined) return deny('no')"
    expect(await example(decide, 'deny', { facts: { branch: 'main' } }, facts)).toEqual([])
    expect(await example(decide, 'abstain', { facts: { branch: 'main', one: true } }, facts)).toEqual([])
  })

  it('gives params on top of their defaults', async () => {
    const params =
      "params: { a: { type: 'number', default: 1 }, b: { type: 'string', default: 'x', oneOf: ['x', 'y'] } },"
    const decide = 'return deny(`${params.a}${params.b}`)'
    expect(await example(decide, { reason: '1y' }, { params: { b: 'y' } }, params)).toEqual([])
    expect(await example(decide, 'deny', { params: { b: 'z' } }, params)).toEqual([
      expect.stringMatching(/a\.policy\.ts:7:\d+: `b` must be `x` or `y`, not `z`/),
    ])
  })
})
