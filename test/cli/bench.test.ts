import { describe, expect, it } from 'vitest'
import { type BenchReport, timesOf } from '../../src/policy/testing/bench-policies.ts'
import { hookgateHere as hookgate } from '../support/cli.ts'
import { folderWith } from '../support/workspace.ts'

const policy = (id: string, decide: string, examples: string) => `import { definePolicy, deny } from 'hookgate/policy'
export default definePolicy({
  id: '${id}', description: 'a', on: 'PreToolUse', tool: 'shell',
  params: { most: { type: 'number', default: 1 } }, facts: { fact: { exists: 'a' } },
  decide() { ${decide} },
  examples: [${examples}],
})
`
const one = "{ name: 'one', given: { facts: { fact: true } }, want: 'abstain' }"
const loop = 'let n = 0; for (let i = 0; i < 1e6; i++) n += i; if (n < 0) return deny(String(n))'

describe('hookgate bench', () => {
  it('measures each policy and example against a policy that does nothing, the slowest first', async () => {
    const cwd = folderWith({
      'policies/a.policy.ts': policy('cheap', '', one),
      'policies/b.policy.ts': policy('dear', loop, one),
    })
    const ended = await hookgate(['bench', '--seconds', '0.2', '--json'], { cwd })
    expect(ended).toMatchObject({ exitCode: 0, stderr: '' })
    const { policies } = JSON.parse(ended.stdout) as BenchReport
    expect(policies.map(({ id }) => id).toSorted()).toEqual(['cheap', 'dear'])
    // Which of the two is slower differs from run to run.
    expect(policies).toEqual(policies.toSorted((a, b) => b.insideUs.p50 - a.insideUs.p50))
    for (const { samples, examples, floor, insideUs, timesFloor } of policies) {
      expect(samples).toBeGreaterThan(0)
      expect(examples).toMatchObject([{ name: 'one', samples }])
      expect(floor.samples).toBe(samples)
      expect(timesFloor).toBe(timesOf(insideUs, floor.insideUs))
    }
  })

  it('prints a table that marks which figures are reliable', async () => {
    const cwd = folderWith({ 'a.policy.ts': policy('cheap', '', one) })
    const ended = await hookgate(['bench', 'a.policy.ts', '--seconds', '0.1'], { cwd })
    expect(ended.stdout).toMatch(
      /^µs +round trip p50\/p95\/p99 +inside p50\/p95\/p99 +× floor\ncheap .* ×\n {2}one .*\n {2}\(floor\)/,
    )
    expect(ended.stdout).toContain('rely on the ratio')
  })

  it('names policies that it cannot measure, and fails', async () => {
    const cwd = folderWith({ 'a.policy.ts': policy('cheap', '', ''), 'b.policy.ts': '{' })
    const ended = await hookgate(['bench', '.', '--seconds', '0.1'], { cwd })
    expect(ended.exitCode).toBe(1)
    expect(ended.stdout).toMatch(
      /^not measured: a\.policy\.ts: it has no examples to measure; .*\nnot measured: b\.policy\.ts:1:2: /,
    )
  })

  it.each(['0', '601', 'long'])('refuses `%s` as a time', async (seconds) => {
    const ended = await hookgate(['bench', '--seconds', seconds], { cwd: folderWith() })
    expect(ended).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('--seconds must be above 0') })
  })
})
