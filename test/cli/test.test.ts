import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hookgateHere as hookgate } from '../support/cli.ts'
import { folderWith } from '../support/workspace.ts'

const policy = (id: string, examples: string) => `import { definePolicy, deny } from 'hookgate/policy'
export default definePolicy({
  id: '${id}', description: 'a', on: 'PreToolUse', tool: 'shell',
  decide({ tool }) {
    if (tool.command === 'x')
      return deny('no')
  },
  examples: [${examples}],
})
`
const example = (command: string, want: string) =>
  `{ name: '${command}', given: { input: { command: '${command}' } }, want: '${want}' }`
const whole = policy('whole', [example('x', 'deny'), example('y', 'abstain')].join())

describe('hookgate test', () => {
  it('reads the default folders, and prints a block for each policy, drafts named as such, and a line for all', async () => {
    const cwd = folderWith({
      '.hookgate/policies/deep/whole.draft.policy.ts': whole,
      'policies/b/part.policy.js': policy('part', example('y', 'abstain')),
      'policies/b/other.js': 'not read',
    })
    const ended = await hookgate(['test'], { cwd })
    expect(ended).toMatchObject({ exitCode: 0, stderr: '' })
    expect(ended.stdout).toBe(`whole  .hookgate/policies/deep/whole.draft.policy.ts  a draft, which is not in force
  examples   2 pass
  coverage   100 % of 3 lines and 100 % of 2 branches
  mutants    all 7 killed

part  policies/b/part.policy.js
  examples   1 passes
  coverage   66 % of 3 lines and 50 % of 2 branches
    policies/b/part.policy.js:6  no example reaches this line
    policies/b/part.policy.js:5:5  \`tool.command === 'x'\` never holds
  mutants    5 of 7 survived
    policies/b/part.policy.js:5:9  \`tool.command === 'x'\` → \`false\`; add an example in which \`tool.command === 'x'\` holds
    policies/b/part.policy.js:5:26  \`'x'\` → \`''\`; add an example in which \`'x'\` is matched
    policies/b/part.policy.js:6:14  \`deny('no')\` → \`undefined\`; add an example that reaches this line
    policies/b/part.policy.js:6:14  \`deny('no')\` → \`ask('no')\`; add an example that reaches this line
    policies/b/part.policy.js:6:14  \`deny('no')\` → \`allow('no')\`; add an example that reaches this line

2 policies, 3 examples pass, 83 % of 6 lines and 75 % of 4 branches, 5 of 14 mutants survived
`)
  })

  it('fails where an example fails, with what was expected and what was returned', async () => {
    const cwd = folderWith({ 'a.policy.ts': policy('a', example('y', 'deny')) })
    const ended = await hookgate(['test', 'a.policy.ts'], { cwd })
    expect(ended.exitCode).toBe(1)
    expect(ended.stdout).toContain(
      'examples   0 pass, 1 fails\n    fails  y  a.policy.ts:8:14\n           wanted `deny`\n           got    `abstain`\n',
    )
    expect(ended.stdout).not.toContain('mutants')
  })

  it('fails where a policy does not load, and tests the others', async () => {
    const cwd = folderWith({ 'policies/a.policy.ts': 'export default {', 'policies/b.policy.ts': whole })
    const ended = await hookgate(['test'], { cwd })
    expect(ended.exitCode).toBe(1)
    expect(ended.stdout).toMatch(
      /^does not load {2}policies\/a\.policy\.ts\n {2}error {2}policies\/a\.policy\.ts:1:\d+: it is not/,
    )
    expect(ended.stdout).toContain('2 policies, 1 of which does not load, 2 examples pass')
  })

  it.each([
    ['test', '  error  '],
    ['bench', 'not measured: '],
  ])('reports every mistake of a policy, in order, as `hookgate check` does: %s', async (command, before) => {
    const wrong = whole.replace('PreToolUse', 'PreTolUse').replace("'shell'", "'shel'").replaceAll('tool }', 'tol }')
    const cwd = folderWith({ 'a.policy.ts': wrong })
    const { stdout, exitCode } = await hookgate([command, 'a.policy.ts'], { cwd })
    expect(exitCode).toBe(1)
    const mistakes = stdout.split('\n').filter((line) => line.startsWith(before))
    expect(mistakes.map((line) => line.slice(before.length).replace(/: .*; /, ' '))).toEqual([
      'a.policy.ts:3:34 did you mean `PreToolUse`?',
      'a.policy.ts:3:51 did you mean `shell`?',
      'a.policy.ts:4:12 did you mean `tool`?',
      'a.policy.ts:5:9 did you mean `toolWords`?',
    ])
  })

  it('omits the coverage of a policy that does not load, and names it once', async () => {
    const cwd = folderWith({ 'a.policy.js': `for (;;);\n${whole}`, 'b.policy.js': `null.x\n${whole}` })
    const looping = await hookgate(['test', 'a.policy.js'], { cwd })
    expect(looping.exitCode).toBe(1)
    expect(looping.stdout).toMatch(
      /\n {2}error {2}a\.policy\.js:\d+:\d+: a statement cannot stand at the top level of a policy[^/]*\n/,
    )
    expect(looping.stdout.trimEnd().split('\n').at(-1)).toBe('1 policy, 1 of which does not load, 0 examples pass')
    const { stdout } = await hookgate(['test', 'b.policy.js'], { cwd })
    expect(stdout).toMatch(/\n {2}error {2}b\.policy\.js:1:\d+: the policy cannot be defined: TypeError: [^/]*\n/)
    const { policies } = JSON.parse((await hookgate(['test', '--json', 'b.policy.js'], { cwd })).stdout) as {
      policies: unknown
    }
    const problem = {
      place: { file: join(cwd, 'b.policy.js'), line: 1, column: expect.any(Number) as unknown },
      message: expect.stringMatching(/^the policy cannot be defined: TypeError: [^/]*$/) as unknown,
    }
    expect(policies).toMatchObject([{ problems: [problem] }])
  })

  it('warns that a policy without examples is not tested at all', async () => {
    const cwd = folderWith({ 'a.policy.ts': policy('a', '') })
    const ended = await hookgate(['test', '.'], { cwd })
    expect(ended.exitCode).toBe(0)
    expect(ended.stdout).toContain('examples   none, so nothing checks what it decides')
    expect(ended.stdout).toContain('all 7 survived: there are no examples')
  })

  it('fails for missing coverage and surviving mutants only where that is demanded', async () => {
    const cwd = folderWith({ 'whole.policy.ts': whole, 'part.policy.ts': policy('part', example('y', 'abstain')) })
    const exitCode = async (...argv: string[]) => (await hookgate(['test', ...argv], { cwd })).exitCode
    expect(await exitCode('part.policy.ts', '--strict')).toBe(1)
    expect(await exitCode('whole.policy.ts', '--strict')).toBe(0)
    expect(await exitCode('part.policy.ts', '--min-coverage', '61', '--no-mutants')).toBe(1)
    expect(await exitCode('part.policy.ts', '--min-coverage', '60', '--no-mutants')).toBe(0)
  })

  it('prints the whole report as JSON', async () => {
    const cwd = folderWith({ 'whole.policy.ts': whole })
    const ended = await hookgate(['test', 'whole.policy.ts', '--json'], { cwd })
    expect(JSON.parse(ended.stdout)).toMatchObject({
      passed: true,
      totals: { policies: 1, passed: 2, mutants: { made: 7, survived: 0 } },
      policies: [{ file: join(cwd, 'whole.policy.ts'), id: 'whole', mutation: { killed: 7, survivors: [] } }],
    })
  })

  it('escapes control characters of a policy', async () => {
    const cwd = folderWith({ 'a.policy.ts': policy('a', "{ name: '\\u001b[2J', given: {}, want: 'deny' }") })
    const ended = await hookgate(['test', 'a.policy.ts'], { cwd })
    expect(ended.stdout).toContain(String.raw`\x1b[2J`)
    expect(ended.stdout).not.toContain('\u001b')
  })

  it.each([
    [['nowhere'], 'there is nothing at `nowhere`'],
    [['empty'], 'there is no policy in `empty`; name it `….policy.ts`'],
    [
      [],
      'there is no policy in `.hookgate/policies` nor in `policies`; name its file or folder, or write one with `hookgate new policy NAME`',
    ],
    [['--min-coverage', 'all'], '--min-coverage must be a number from 0 to 100, not `all`'],
  ])('refuses %j and says why', async (argv, why) => {
    const cwd = folderWith({ 'empty/README.md': '' })
    expect(await hookgate(['test', ...argv], { cwd })).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(why),
    })
  })
})
