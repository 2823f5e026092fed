import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createGate } from '../../src/index.ts'
import { limits } from '../../src/model/limits.ts'
import { findPolicies } from '../../src/rules/find/policies.ts'
import { makeDisk } from '../../src/files/disk.ts'
import { trustWorkspace } from '../../src/rules/index.ts'
import { hookgate } from '../support/cli.ts'
import { policyMachine, policyRules, policyText } from '../support/policies.ts'
import { testPolicies } from '../support/sandbox.ts'
import { claudeShell, clineTool } from '../support/wire.ts'
import { folderWith, rulesWith } from '../support/workspace.ts'

// Policies and rules come with somebody's repository, packed small and large to read. Whatever they are, the user's own
// guard gets to refuse, or the event is refused because of them, soon: an agent that waits too long goes ahead. The time
// limit of each test is one of its assertions.

type Files = Readonly<Record<string, string>>

const kilobytes = (count: number, text: string) => text.repeat((count * 1024) / text.length)
const folder = '.hookgate/policies'

/** A policy that says nothing, with a weight of some kind at its top level. */
const heavy = (id: string, weight: string) => `${weight}\n${policyText(id, '', 'return undefined')}`
const many = (count: number, of: (n: number) => string): Files =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`${folder}/p${n}.policy.js`, of(n)]))

/** What Cline is told of a `git push --force` that the user's own rules refuse. */
async function toldCline(files: Files): Promise<string> {
  const machine = folderWith({
    'home/.config/hookgate/hooks.json': policyRules('hookgate/no-force-push'),
    ...Object.fromEntries(Object.entries(files).map(([name, text]) => [`work/${name}`, text])),
  })
  const work = join(machine, 'work')
  const ended = await hookgate(['run', '--agent', 'cline'], {
    stdin: JSON.stringify(clineTool('execute_command', { command: 'git push --force' }, work)),
    env: { HOME: join(machine, 'home') },
  })
  expect(JSON.parse(ended.stdout)).toMatchObject({ cancel: true })
  return ended.stderr.replaceAll(`${work}/`, '')
}

/** The guard refuses; on a busy machine, compiling or loading the policy may cost more than allowed, which refuses too. */
const refused =
  /user:hooks\.json#PreToolUse\[0\]\.hooks\[0\]|the policies that are not trusted take more than|the policy cannot be defined: took more than/

describe('an untrusted workspace does not keep the user’s guard from refusing', () => {
  it('with many large policies', async () => {
    const told = await toldCline(many(40, (n) => heavy(`p${n}`, `const big = [${kilobytes(1000, '0,')}]`)))
    expect(told).toContain(`${folder}/p0.policy.js:1:1: the policies that are not trusted are larger than 524288 bytes`)
    expect(told).toContain('review them and run `hookgate trust`')
  })

  it('with many small policies', async () => {
    const told = await toldCline(many(3000, (n) => policyText(`p${n}`)))
    expect(told).toContain('there are more than 500 policies that are not trusted')
  })

  it.each([
    ['one expression', `const big = ${kilobytes(900, '1+')}1`],
    ['nothing but statements', `const f = () => { let o\n${kilobytes(900, 'o=1;')} }`],
  ])('with a policy that is %s', async (_, weight) => {
    expect(await toldCline({ [`${folder}/p.policy.ts`]: heavy('p', weight) })).toContain('are larger than 524288 bytes')
  })

  it.each([
    ['one expression', `const big = [${kilobytes(490, '-1,')}]`],
    ['nothing but statements', `const f = () => { let o\n${kilobytes(490, 'o=1;')} }`],
  ])('with a policy that is %s, and just small enough to be read', async (_, weight) => {
    expect(await toldCline({ [`${folder}/p.policy.ts`]: heavy('p', weight) })).toMatch(refused)
  })

  it('with one large module that is linked into hundreds of policies', async () => {
    const shared = { [`${folder}/shared.js`]: `export const big = [${kilobytes(200, '0,')}]` }
    const told = await toldCline({
      ...many(400, (n) => `import { big } from './shared.js'\n${heavy(`p${n}`, 'export const own = () => big')}`),
      ...shared,
    })
    expect(told).toMatch(/the policies that are not trusted (?:compile to more than|take more than)/)
  })

  it('with names that are handed on from file to file', async () => {
    const names = Array.from({ length: 12_000 }, (_, n) => `export const v${n}=0`).join('\n')
    const chain: Files = Object.fromEntries(
      Array.from({ length: 190 }, (_, n) => [`${folder}/m${n + 1}.js`, `export * from './m${n}.js'\n`] as const),
    )
    const told = await toldCline({
      [`${folder}/m0.js`]: names,
      ...chain,
      [`${folder}/p.policy.js`]: heavy('p', `import { v0 } from './m190.js'\nexport const own = () => v0`),
    })
    // The engine links them, which it cannot be interrupted in: the sandbox is ended.
    expect(told).toMatch(/the policy cannot be defined: took more than 100 ms of CPU time/)
  })

  it('with policies in each of its folders', async () => {
    const folders = Array.from({ length: 30 }, (_, n) => 'd/'.repeat(n))
    const weight = heavy('p', `const big = [${kilobytes(100, '0,')}]`)
    const machine = policyMachine(
      Object.fromEntries(folders.map((one) => [`work/${one}${folder}/p.policy.js`, weight])),
    )
    const gate = createGate({ home: join(machine.folder, 'home'), managedFolder: machine.folder, env: {} })
    const cwd = join(machine.work, 'd/'.repeat(29))
    const { stderr } = await gate.answer(JSON.stringify(claudeShell('ls', cwd)), { agent: 'claude-code' })
    await gate.close()
    expect(stderr).toContain('the policies that are not trusted are larger than 524288 bytes in total')
  })

  it('with a rules file of thousands of rules', async () => {
    const group = JSON.stringify({ matcher: '.*.!x', hooks: [{ type: 'command', command: 'true' }] })
    const groups = Array.from({ length: 10_000 }, () => group).join(',')
    expect(await toldCline({ '.hookgate/hooks.json': `{"hooks":{"PreToolUse":[${groups}]}}` })).toContain(
      '.hookgate/hooks.json: the rules that are not trusted are larger than 262144 bytes in total',
    )
  })

  it('with one pack that is turned on by the ten thousand', async () => {
    const packs = Array.from({ length: 10_000 }, () => ({ pack: 'git-safety' }))
    expect(await toldCline({ '.hookgate/hooks.json': JSON.stringify({ packs }) })).toContain(
      'it turns on more than 100 packs',
    )
  })

  it('with large files that may be policies by another name', () => {
    const machine = folderWith(
      Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`p/${n}.js`, kilobytes(1000, 'export default 0\n')])),
    )
    const disk = makeDisk()
    const origin = { scope: 'project', prefix: '', base: machine, workspaceRoot: machine } as const
    expect(findPolicies(disk, origin, join(machine, 'p'))).toEqual({ found: [], problems: [] })
    expect(disk.searched.misnamedBytes).toBeLessThan(limits.misnamedBytesMax + limits.policyFileBytesMax)
  })
})

describe('policies that are larger than untrusted ones may be', () => {
  const weight = (n: number) => heavy(`p${n}`, `const big = [${kilobytes(100, '0,')}]`)
  const files = Object.fromEntries(Array.from({ length: 7 }, (_, n) => [`work/${folder}/p${n}.policy.js`, weight(n)]))

  it('load once they are trusted, and those that have changed since are counted again', async () => {
    const { work, options, read } = policyMachine(files)
    expect((await read()).problems).toEqual([
      expect.stringContaining('p5.policy.js:1:1: the policies that are not trusted'),
    ])
    await trustWorkspace(work, options, testPolicies())
    const trusted = await read()
    expect([trusted.problems, trusted.rules.map(({ untrustedReason }) => untrustedReason)]).toEqual([
      [],
      Array(7).fill(undefined),
    ])
    for (let n = 0; n < 6; n++) appendFileSync(join(work, folder, `p${n}.policy.js`), '\n')
    expect((await read()).problems).toEqual([
      expect.stringContaining('p5.policy.js:1:1: the policies that are not trusted'),
    ])
  })

  it('do not load because they came one after the other', async () => {
    const { work, options } = policyMachine({ [`work/${folder}/p0.policy.js`]: weight(0) })
    const gate = createGate({ home: options.home ?? '', managedFolder: work, env: {} })
    const ask = () => gate.answer(JSON.stringify(claudeShell('ls', work)), { agent: 'claude-code' })
    const told: number[] = []
    // oxlint-disable no-await-in-loop -- one after the other is what this is about
    for (let n = 1; n < 7; n++) {
      told.push((await ask()).stderr.length)
      // The rules that were in force stay so, and each answer says that others do not load.
      appendFileSync(join(work, folder, `p${n}.policy.js`), weight(n))
      await new Promise((resolve) => setTimeout(resolve, limits.rulesFreshMs + 50))
    }
    // oxlint-enable no-await-in-loop
    const { verdict } = await ask()
    await gate.close()
    expect(told.slice(0, 5)).toEqual([0, 0, 0, 0, 0])
    expect(JSON.stringify(verdict)).toContain('the policies that are not trusted are larger than 524288 bytes in total')
  })
})

describe('while the policies of one workspace are read', () => {
  it('events of other sessions are answered', async () => {
    // The last of them ends the test. An event that matches no rule needs no process, which a busy machine may start late:
    // reading and answering then share one thread, and their order does not depend on what else the machine does.
    const machine = folderWith({
      'home/x': '',
      'a/.git/HEAD': '',
      // All that reading takes is loaded with its policy.
      [`warm/${folder}/p.policy.js`]: policyText('p'),
      'mine/hook.sh': { script: '#!/bin/sh\necho no >&2\nexit 2\n' },
      'mine/.hookgate/hooks.json': rulesWith('Stop', './hook.sh'),
      ...Object.fromEntries(
        Object.entries(many(60, (n) => `const f = () => { ${kilobytes(9, '-1;')} }\n${policyText(`p${n}`)}`)).map(
          ([name, text]) => [`a/${name}`, text],
        ),
      ),
    })
    const home = join(machine, 'home')
    const gate = createGate({
      home,
      managedFolder: machine,
      env: {},
      trustWorkspace: false,
      rules: [join(machine, 'mine/.hookgate/hooks.json')],
    })
    const ask = (cwd: string) =>
      gate.answer(JSON.stringify(claudeShell('ls', join(machine, cwd))), { agent: 'claude-code' })
    await ask('warm')
    await ask('mine')
    const order: string[] = []
    await Promise.all([
      ask('a').then(({ exitCode }) => order.push(`a ${exitCode}`)),
      ask('mine').then(({ exitCode }) => order.push(`mine ${exitCode}`)),
    ])
    await gate.close()
    expect(order).toEqual(['mine 0', 'a 2'])
  })
})
