import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { answerMsFor } from '../../src/agents/last-resort.ts'
import { createGate } from '../../src/library/index.ts'
import { limits } from '../../src/model/limits.ts'
import { findPolicies } from '../../src/rules/find/policies.ts'
import { makeDisk } from '../../src/files/disk.ts'
import { trustWorkspace } from '../../src/rules/index.ts'
import { answersLaterBy } from '../support/answer-wait.ts'
import { hookgate } from '../support/cli.ts'
import { policyMachine, policyRules, policyText } from '../support/policies.ts'
import { testPolicies } from '../support/sandbox.ts'
import { claudeShell, clineTool } from '../support/wire.ts'
import { folderWith, rulesWith } from '../support/workspace.ts'

// Untrusted repositories may have policies and rules that are small to store and expensive to load. The user's own guard
// must still refuse, or the event is refused because of them, soon: an agent that waits too long goes ahead. Soon is told
// by processor time, since a busy machine gives a fraction of it.

type Files = Readonly<Record<string, string>>

const kilobytes = (count: number, text: string) => text.repeat((count * 1024) / text.length)
const folder = '.hookgate/policies'

/** Builds a policy that abstains, with something expensive at its top level. */
const heavy = (id: string, weight: string) => `${weight}\n${policyText(id, '', 'return undefined')}`
const many = (count: number, of: (n: number) => string): Files =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`${folder}/p${n}.policy.js`, of(n)]))

/** Returns Cline's answer for a `git push --force` that the user's own rules refuse. */
async function answerForCline(files: Files): Promise<string> {
  const machine = folderWith({
    'home/.config/hookgate/hooks.json': policyRules('hookgate/no-force-push'),
    ...Object.fromEntries(Object.entries(files).map(([name, text]) => [`work/${name}`, text])),
  })
  const work = join(machine, 'work')
  const later = answersLaterBy(machine, 600_000)
  const ended = await hookgate(['run', '--agent', 'cline'], {
    stdin: JSON.stringify(clineTool('execute_command', { command: 'git push --force' }, work)),
    env: { HOME: join(machine, 'home'), ...later.env },
  })
  expect(JSON.parse(ended.stdout)).toMatchObject({ cancel: true })
  expect(later.cpuMs()).toBeLessThan(answerMsFor('cline', '') ?? 0)
  return ended.stderr.replaceAll(`${work}/`, '')
}

/** The guard refuses; on a busy machine, the policy may exceed the limits of compiling or loading, which refuses too. */
const refused =
  /user:hooks\.json\/no-force-push|the policies that are not trusted take more than|the policy cannot be defined: took more than/

describe('an untrusted workspace does not keep the user’s guard from refusing', () => {
  it('with many large policies', async () => {
    const answer = await answerForCline(many(40, (n) => heavy(`p${n}`, `const big = [${kilobytes(1000, '0,')}]`)))
    expect(answer).toContain(
      `${folder}/p0.policy.js:1:1: the policies that are not trusted are larger than 524288 bytes`,
    )
    expect(answer).toContain('review them and run `hookgate trust`')
  })

  it('with many small policies', async () => {
    const answer = await answerForCline(many(3000, (n) => policyText(`p${n}`)))
    expect(answer).toContain('there are more than 500 policies that are not trusted')
  })

  it.each([
    ['one expression', `const big = ${kilobytes(900, '1+')}1`],
    ['nothing but statements', `const f = () => { let o\n${kilobytes(900, 'o=1;')} }`],
  ])('with a policy that is %s', async (_, weight) => {
    expect(await answerForCline({ [`${folder}/p.policy.ts`]: heavy('p', weight) })).toContain(
      'are larger than 524288 bytes',
    )
  })

  it.each([
    ['one expression', `const big = [${kilobytes(490, '-1,')}]`],
    ['nothing but statements', `const f = () => { let o\n${kilobytes(490, 'o=1;')} }`],
  ])('with a policy that is %s, and just small enough to be read', async (_, weight) => {
    expect(await answerForCline({ [`${folder}/p.policy.ts`]: heavy('p', weight) })).toMatch(refused)
  })

  it('with one large module that is linked into hundreds of policies', async () => {
    const shared = { [`${folder}/shared.js`]: `export const big = [${kilobytes(200, '0,')}]` }
    const answer = await answerForCline({
      ...many(400, (n) => `import { big } from './shared.js'\n${heavy(`p${n}`, 'export const own = () => big')}`),
      ...shared,
    })
    expect(answer).toMatch(/the policies that are not trusted (?:compile to more than|take more than)/)
  })

  it('with names that are re-exported from file to file', async () => {
    const names = Array.from({ length: 12_000 }, (_, n) => `export const v${n}=0`).join('\n')
    const chain: Files = Object.fromEntries(
      Array.from({ length: 190 }, (_, n) => [`${folder}/m${n + 1}.js`, `export * from './m${n}.js'\n`] as const),
    )
    const answer = await answerForCline({
      [`${folder}/m0.js`]: names,
      ...chain,
      [`${folder}/p.policy.js`]: heavy('p', `import { v0 } from './m190.js'\nexport const own = () => v0`),
    })
    // The engine cannot be interrupted while it links them: the sandbox is killed.
    expect(answer).toMatch(/the policy cannot be defined: took more than 100 ms of CPU time/)
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
    // The same work takes more processor time beside others.
    expect(stderr).toMatch(/the policies that are not trusted (?:are larger than 524288 bytes in total|take more than)/)
  })

  it('with a rules file of thousands of rules', async () => {
    const group = JSON.stringify({ matcher: '.*.!x', hooks: [{ type: 'command', command: 'true' }] })
    const groups = Array.from({ length: 10_000 }, () => group).join(',')
    expect(await answerForCline({ '.hookgate/hooks.json': `{"hooks":{"PreToolUse":[${groups}]}}` })).toContain(
      '.hookgate/hooks.json: the rules that are not trusted are larger than 262144 bytes in total',
    )
  })

  it('with one pack that is enabled ten thousand times', async () => {
    const packs = Array.from({ length: 10_000 }, () => ({ pack: 'git-safety' }))
    expect(await answerForCline({ '.hookgate/hooks.json': JSON.stringify({ packs }) })).toContain(
      'it turns on more than 100 packs',
    )
  })

  it('with large files that may be policies under another name', () => {
    const machine = folderWith(
      Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`p/${n}.js`, kilobytes(1000, 'export default 0\n')])),
    )
    const disk = makeDisk()
    const origin = { scope: 'project', prefix: '', base: machine, workspaceRoot: machine } as const
    expect(findPolicies(disk, origin, join(machine, 'p'))).toEqual({ found: [], problems: [] })
    expect(disk.searched.misnamedBytes).toBeLessThan(limits.misnamedBytesMax + limits.policyFileBytesMax)
  })
})

describe('policies above the size limit of untrusted ones', () => {
  const weight = (n: number) => heavy(`p${n}`, `const big = [${kilobytes(100, '0,')}]`)
  const files = Object.fromEntries(Array.from({ length: 7 }, (_, n) => [`work/${folder}/p${n}.policy.js`, weight(n)]))

  it('load once they are trusted, and count again if they change', async () => {
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

  it('do not load by being added one by one', async () => {
    const { work, options } = policyMachine({ [`work/${folder}/p0.policy.js`]: weight(0) })
    const gate = createGate({ home: options.home ?? '', managedFolder: work, env: {} })
    const ask = () => gate.answer(JSON.stringify(claudeShell('ls', work)), { agent: 'claude-code' })
    const messageLengths: number[] = []
    // oxlint-disable no-await-in-loop -- adding them one by one is the point
    for (let n = 1; n < 7; n++) {
      messageLengths.push((await ask()).stderr.length)
      // The rules in force stay so, and each answer reports that others do not load.
      appendFileSync(join(work, folder, `p${n}.policy.js`), weight(n))
      await new Promise((resolve) => setTimeout(resolve, limits.rulesFreshMs + 50))
    }
    // oxlint-enable no-await-in-loop
    const { verdict } = await ask()
    await gate.close()
    expect(messageLengths.slice(0, 5)).toEqual([0, 0, 0, 0, 0])
    expect(JSON.stringify(verdict)).toContain('the policies that are not trusted are larger than 524288 bytes in total')
  })
})

describe('while the policies of one workspace load', () => {
  it('events of other sessions are answered', async () => {
    // The last of them ends the test. An event that matches no rule needs no process, which a busy machine may start late:
    // loading and answering then share one thread, and their order does not depend on the machine's load.
    const machine = folderWith({
      'home/x': '',
      'a/.git/HEAD': '',
      // Loads the modules that reading needs with a first policy.
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
