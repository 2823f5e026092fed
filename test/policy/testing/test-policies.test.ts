import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openToolFacts } from '../../../src/facts/tool-call.ts'
import { openSandbox } from '../../../src/policy/open-sandbox.ts'
import { testPolicy, coveredPercent, isGood, totalsOf } from '../../../src/policy/testing/test-policies.ts'
import { testPolicies } from '../../../src/library/testing.ts'
import { folderWith } from '../../support/workspace.ts'
import { mutantsAtOnceMax } from '../../../src/policy/testing/mutation.ts'

const sandbox = openSandbox('process', openToolFacts())
afterAll(() => sandbox.close())

const policy = (
  decide: string,
  examples: string,
  more = '',
) => `import { ask, context, deny, definePolicy, notice } from 'hookgate/policy'
export default definePolicy({
  id: 'a', description: 'a', on: 'PreToolUse', tool: 'shell', ${more}
  decide({ tool, facts, params }) { ${decide} },
  examples: [${examples}],
})
`
const example = (command: string, want: string) =>
  `{ name: ${JSON.stringify(command)}, given: { input: { command: ${JSON.stringify(command)} } }, want: ${want} }`

async function tested(source: string, name = 'a.policy.ts') {
  const root = folderWith({ [name]: source })
  return testPolicy({ file: join(root, name), folder: root }, sandbox, true)
}

const survivors = async (source: string) =>
  ((await tested(source)).mutation?.survivors ?? []).map(({ was, now }) => `${was} → ${now}`)

describe('the examples of a policy', () => {
  it('pass or fail one by one, with the expected and actual result and the place', async () => {
    const decide = "if (tool.command === 'x') return deny('no')"
    const { examples, mutation } = await tested(
      policy(decide, [example('x', "'deny'"), example('y', "'ask'")].join(',\n')),
    )
    expect(examples).toMatchObject([
      { name: 'x', passed: true },
      { name: 'y', passed: false, wanted: '`ask`', got: '`abstain`', place: { line: 6, column: 1 } },
    ])
    // The effect of a mutant cannot be judged on a policy that fails its examples.
    expect(mutation).toBeUndefined()
  })

  it.each([
    ['does not parse', 'export default definePolicy({', 'it is not'],
    ['throws when it is defined', 'export default null.oh', 'oh'],
    ['has an invalid definition', 'export default { id: 7, decide() {} }', 'id'],
  ])('are not run if it %s, and the report has the reason', async (_, source, why) => {
    const { problems, id } = await tested(source)
    expect(id).toBeUndefined()
    expect(problems.map(({ message }) => message).join()).toContain(why)
  })
})

describe('coverage', () => {
  it('is reported by file, including imported ones, and without what only examples use', async () => {
    const root = folderWith({
      'a.policy.ts': policy('return isBad(tool.command) ? deny("no") : undefined', '...cases').replace(
        'import {',
        "import { isBad } from './lib/bad.ts'\nimport { cases } from './cases.ts'\nimport {",
      ),
      'lib/bad.ts': "export const isBad = (text?: string): boolean =>\n  text === 'bad' ||\n  text === 'worse'\n",
      'cases.ts': `const wanted = true ? 'deny' : 'ask'\nexport const cases = [${example('bad', 'wanted')}]`,
    })
    const [report] = await testPolicies(['a.policy.ts'], { cwd: root })
    expect(report?.coverage).toEqual([
      {
        file: join(root, 'lib/bad.ts'),
        lines: { total: 2, covered: 2, uncovered: [] },
        branches: {
          total: 2,
          covered: 1,
          uncovered: [{ line: 2, column: 3, untaken: "`text === 'bad'` always holds" }],
        },
      },
      {
        file: join(root, 'a.policy.ts'),
        lines: { total: 2, covered: 2, uncovered: [] },
        branches: {
          total: 2,
          covered: 1,
          uncovered: [{ line: 6, column: 44, untaken: '`isBad(tool.command)` always holds' }],
        },
      },
    ])
    expect(report?.mutation?.survivors.some(({ file }) => file.endsWith('cases.ts'))).toBe(false)
    expect(report?.mutation?.survivors.some(({ file }) => file.endsWith('bad.ts'))).toBe(true)
  })

  it('counts what ran before an error, and works with the maximum number of answers', async () => {
    const decide = "if (tool.command === 'x') { tool.url.deep }\n return Array.from({ length: 16 }, () => notice('n'))"
    const { coverage } = await tested(policy(decide, [example('x', "'abstain'"), example('y', "'notice'")].join()))
    expect(coverage[0]?.lines.uncovered).toEqual([])
    expect(coverage[0]?.branches.uncovered).toEqual([])
  })

  it('is zero without examples', async () => {
    const { coverage, mutation } = await tested(policy("if (tool.command === 'x') return deny('no')", ''))
    expect(coveredPercent(coverage)).toBeLessThan(50)
    expect(mutation).toMatchObject({ killed: 0 })
    expect(mutation?.survivors).toHaveLength(mutation?.made ?? 0)
  })
})

describe('mutants of a policy', () => {
  const both = [example('x', "'deny'"), example('y', "'abstain'")].join()

  it('are all killed if the examples are on both sides of every boundary', async () => {
    expect(await survivors(policy("if (tool.command === 'x') return deny('no')", both))).toEqual([])
  })

  it.each([
    ['a boundary', "if ((tool.command ?? '').length > 3) return deny('no')", ['xxxxx:deny', 'x:abstain'], '> → >='],
    [
      'an effect',
      "if (tool.command === 'x') return deny('no')\n if (tool.command === 'z') return ask('?')",
      ['x:deny', 'y:abstain'],
      "ask('?') → deny('?')",
    ],
    [
      'an operand',
      "if (tool.command?.startsWith('x') && tool.command.length > 1) return deny('no')",
      ['xx:deny', 'y:abstain'],
      "tool.command?.startsWith('x') && tool.command.length > 1 → tool.command?.startsWith('x')",
    ],
    ['an anchor', "if (/^x$/.test(tool.command ?? '')) return deny('no')", ['x:deny', 'y:abstain'], '/^x$/ → /x$/'],
    ['a flag', "if (/^x$/i.test(tool.command ?? '')) return deny('no')", ['x:deny', 'y:abstain'], '/^x$/i → /^x$/'],
    [
      'a method',
      "if (tool.command?.startsWith('x')) return deny('no')",
      ['x:deny', 'y:abstain'],
      'startsWith → endsWith',
    ],
    [
      'a dropped method',
      "if (tool.command?.toLowerCase() === 'x') return deny('no')",
      ['x:deny', 'y:abstain'],
      '?.toLowerCase() → nothing',
    ],
    ['a text', "if (['x', 'z'].includes(tool.command ?? '')) return deny('no')", ['x:deny', 'y:abstain'], "'z' → ''"],
  ])('that move %s survive if no example is near', async (_, decide, cases, survivor) => {
    const examples = cases
      .map((one) => one.split(':'))
      .map(([command = '', want = '']) => example(command, `'${want}'`))
    expect(await survivors(policy(decide, examples.join()))).toContain(survivor)
  })

  it('of a param’s default are killed only by an example that relies on it', async () => {
    const decide = "if (String(tool.command).length > params.most) return deny('no')"
    const more = "params: { most: { type: 'number', default: 2 } },"
    const near = [example('xx', "'abstain'"), example('xxx', "'deny'")]
    expect(await survivors(policy(decide, near.join(), more))).toEqual([])
    const given = near.map((one) => one.replace('given: {', 'given: { params: { most: 2 },'))
    expect(await survivors(policy(decide, given.join(), more))).toEqual(['2 → 3', '2 → 1'])
  })

  it('of what a state counts are killed by the examples on both sides of its cap, window and start', async () => {
    const stateful = (state: string, decide: string, examples: readonly (readonly [before: string, want: string])[]) =>
      policy(
        decide,
        examples
          .map(
            ([before, want], at) =>
              `{ name: '${at}', given: { before: [${before}], input: { command: 'x' } }, want: ${want} }`,
          )
          .join(),
        `state: { ${state} },`,
      )
        .replace('deny,', 'budget, count, custom, deny,')
        .replace('facts, params', 'state')
    const xs = (times: number, ago = '1m') => `{ input: { command: 'x' }, ago: '${ago}', times: ${times} }`
    const budget = stateful(
      "used: budget({}, { cap: 2, window: '1h' })",
      "if (state.used.exhausted) return deny('no')",
      [
        [xs(1), "'abstain'"],
        [xs(2), "'deny'"],
        [xs(2, '2h'), "'abstain'"],
      ],
    )
    expect(await survivors(budget)).toEqual([])
    const own = stateful(
      'own: custom({ initial: 1, reduce: (sum) => sum + 1 })',
      "if (state.own > 2) return deny('no')",
      [
        [xs(1), "'abstain'"],
        [xs(2), "'deny'"],
      ],
    )
    expect(await survivors(own)).toEqual([])
    const unused = stateful('used: budget({}, { cap: 9 })', "if (state.used.spent > 1) return deny('no')", [
      [xs(1), "'abstain'"],
      [xs(2), "'deny'"],
    ])
    expect(await survivors(unused)).toEqual(['9 → 10', '9 → 8'])
  })

  it('that make a param reject an example’s value are killed by that example, in any file', async () => {
    const decide = "if (tool.command === 'x') return params.answer === 'deny' ? deny('no') : ask('no')"
    const given = example('x', "'deny'").replace('given: {', "given: { params: { answer: 'deny' },")
    const root = folderWith({
      'a.policy.ts': policy(decide, [given, example('y', "'abstain'")].join(), 'params,').replace(
        'import {',
        "import { params } from './params.ts'\nimport {",
      ),
      'params.ts':
        "export const params = { answer: { type: 'string', default: 'ask', oneOf: ['ask', 'deny'] } } as const\n",
    })
    const { mutation } = await testPolicy({ file: join(root, 'a.policy.ts'), folder: root }, sandbox, true)
    expect(mutation?.made).toBeGreaterThan(5)
    expect(mutation?.survivors.map(({ was, now }) => `${was} → ${now}`)).not.toContain("'deny' → ''")
  })

  it('that never end, exhaust memory, or do not load are killed without delaying others', async () => {
    const decide = `
      let n = 0
      while (n !== 3) n++
      const list = []
      for (let i = 0; i !== 4; i++) list.push(i)
      if (list.length === 4 && n === 3 && tool.command === 'x') return deny('no')`
    const parts = `const parts = ['a', 'b'].map((a) => a.length)\n`
    const { mutation } = await tested(policy(decide, both).replace(/^import.*\n/, (line) => line + parts))
    expect(mutation?.made).toBeGreaterThan(20)
    const places = mutation?.survivors.map(({ was, now }) => `${was} → ${now}`)
    expect(places).not.toContain('n++ → nothing')
    expect(places).not.toContain('!== → ===')
  })

  it('are reported by place, however many there are', async () => {
    const lines = Array.from(
      { length: mutantsAtOnceMax + 1 },
      (_, n) => `if (tool.command === 'x${n}') return deny('no')`,
    )
    const { mutation } = await tested(policy(lines.join('\n'), example('y', "'abstain'")))
    const unnoticed = mutation?.survivors.filter(({ now }) => now === 'false').map(({ line }) => line)
    expect(unnoticed).toEqual(lines.map((_, n) => n + 4))
  })

  it('work with names that collide with the counters', async () => {
    const decide =
      "const $hits = [tool.command], $holds = 'hookgate-counters'\n if ($hits[0] === 'x' && $holds) return deny('no')"
    const report = await tested(policy(decide, both))
    expect(report.examples.every(({ passed }) => passed)).toBe(true)
    expect(report.coverage[0]?.branches.uncovered.map(({ untaken }) => untaken)).toEqual([])
  })

  it('are reported with an example that would kill them, or as not covered', async () => {
    const decide = "if (tool.command === 'x')\n return deny('no')\n return undefined"
    const report = await tested(policy(decide, example('y', "'abstain'")))
    const hints = report.mutation?.survivors.map(({ line, was, now, hint }) => [line, was, now, hint])
    expect(hints).toContainEqual([
      4,
      "tool.command === 'x'",
      'false',
      "an example in which `tool.command === 'x'` holds",
    ])
    expect(hints).toContainEqual([5, "deny('no')", "ask('no')", 'an example that reaches this line'])
  })
})

describe('totals', () => {
  it('pass if everything loads, passes and has the demanded coverage', async () => {
    const reports = [await tested(policy("if (tool.command === 'x') return deny('no')", example('x', "'deny'")))]
    expect(totalsOf(reports)).toMatchObject({ policies: 1, unloaded: 0, passed: 1, failed: 0 })
    expect(isGood(reports, { strict: false, coverageMin: 0 })).toBe(true)
    expect(isGood(reports, { strict: false, coverageMin: 90 })).toBe(false)
    expect(isGood(reports, { strict: true, coverageMin: 0 })).toBe(false)
  })
})
