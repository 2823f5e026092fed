import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createGate } from '../../src/library/index.ts'
import type { DecisionRecord } from '../../src/record/record.ts'
import { hookgateHere as hookgate } from '../support/cli.ts'
import { policyRules, policyText } from '../support/policies.ts'
import { claudeEvent, claudeShell } from '../support/wire.ts'
import { folderWith } from '../support/workspace.ts'

const observing = () =>
  folderWith({
    'no.policy.ts': policyText('no', '', "return [deny('it would be refused'), context('for the model')]"),
    'hooks.json': policyRules('./no.policy.ts', { mode: 'observe' }),
  })

describe('rules that only observe', () => {
  it.each([
    [true, 'nothing but changes to hookgate itself is refused'],
    [false, 'nothing is refused'],
  ])('are said to, where self-protection is %j', async (selfProtection, said) => {
    const home = folderWith({
      '.config/hookgate/hooks.json': { json: { mode: 'observe', permissions: { deny: ['Bash(x)'] }, selfProtection } },
    })
    const given = { cwd: home, env: { HOME: home, XDG_CONFIG_HOME: '', HOOKGATE_HOME: join(home, 'state') } }
    expect((await hookgate(['explain', 'ls'], given)).stdout).toMatch(new RegExp(`^the rules only observe: ${said}\n`))
    expect((await hookgate(['status'], given)).stdout).toContain(`the rules only observe: ${said}\n`)
  })
})

describe('a rule that only observes', () => {
  it('is evaluated, reported and recorded, and changes nothing', async () => {
    const folder = observing()
    const rules = join(folder, 'hooks.json')
    const records: DecisionRecord[] = []
    const gate = createGate({
      placement: 'caller',
      rules: [rules],
      discover: false,
      onRecord: (record) => records.push(record),
    })
    const verdict = await gate.decide(await gate.decode(claudeShell('ls', folder)))
    const answer = await gate.answer(claudeShell('ls', folder))
    await gate.close()
    expect(verdict).toMatchObject({ decision: 'abstain', cancel: false, context: '', notices: [], determining: [] })
    expect(verdict.evaluations).toMatchObject([{ effect: 'deny', reason: 'it would be refused', observed: true }])
    expect(answer).toMatchObject({ stdout: '', exitCode: 0 })
    const ruleId = `explicit:${rules}/no`
    expect(records[0]?.evaluations).toMatchObject([
      { ruleId, effect: 'deny', reason: 'it would be refused', observed: true },
    ])
  })

  it('is announced when a session starts, and not again', async () => {
    const folder = observing()
    const rules = join(folder, 'hooks.json')
    const gate = createGate({ placement: 'caller', rules: [rules], discover: false })
    const noticesOf = async (wire: object) => (await gate.decide(await gate.decode({ ...wire }))).notices
    const first = await noticesOf(claudeEvent('SessionStart', folder, { source: 'startup' }))
    const second = await noticesOf(claudeShell('ls', folder))
    await gate.close()
    expect([first, second]).toEqual([["1 of hookgate's 1 rule only records what it would refuse"], []])
  })

  it('is shown by `hookgate explain` with what it would have said', async () => {
    const folder = observing()
    const rules = join(folder, 'hooks.json')
    const stdin = JSON.stringify(claudeShell('ls', folder))
    const { stdout } = await hookgate(['explain', '--rules', rules, '--no-discover'], { stdin })
    const lines = stdout.split('\n')
    expect(lines[0]).toBe('the rules only observe: nothing but changes to hookgate itself is refused')
    expect(lines[2]).toBe('passes: the rules that object only observe; Claude Code’s own permissions decide')
    expect(stdout).toMatch(/^ {2}\(deny\) .*\n +only observed: this does not count\n +it would be refused$/m)
  })
})
