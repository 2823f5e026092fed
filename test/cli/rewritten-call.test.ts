import { describe, expect, it } from 'vitest'
import { hookgateHere } from '../support/cli.ts'
import { policyText } from '../support/policies.ts'
import { personWith, pushRules, userFile } from '../support/refused.ts'

const id = 'user:policies#rewrites'

function rewritingPerson(command: string) {
  const decide = `if (tool.command === 'ls -l') return rewrite({ command: '${command}' })`
  const policy = policyText('rewrites', "tool: 'shell',", decide)
  const person = personWith({ [userFile]: pushRules, '.config/hookgate/policies/rewrites.policy.js': policy })
  const { env, cwd } = person
  return { ...person, ask: async (...argv: string[]) => (await hookgateHere(argv, { env, cwd })).stdout }
}

describe('a call that a rule rewrites', () => {
  it('is explained as both calls, each with its commands and rules', async () => {
    const { ask } = rewritingPerson('git push --force')
    const text = await ask('explain', '--agent', 'claude-code', 'ls -l')
    expect(text).toMatch(/^denied: /)
    expect(text).toMatch(
      /PreToolUse Bash \(shell\): ls -l[^]*\nrewritten Bash: git push --force\nby +user:policies#rewrites\n/,
    )
    expect(text).toMatch(/rewritten Bash[^]*\ncommands\n[^]*\^ deny: user:hooks\.json#permissions\.deny/)
    expect(text).toMatch(/rules, of the rewritten call\n +deny +user:hooks\.json#permissions\.deny/)
    expect(JSON.parse(await ask('explain', '--json', '--agent', 'claude-code', 'ls -l'))).toMatchObject({
      verdict: { rewritten: { by: [id], tool: { command: 'git push --force' } } },
      rewritten: { shell: { commands: [{}] } },
    })
  })

  it('is recorded as both, which `log` lists and `why` decides again by the rules of today', async () => {
    const { ask, call } = rewritingPerson('git push --force')
    expect((await call('ls -l')).decision).toBe('deny')
    const log = await ask('log')
    expect(log).toContain('ls -l')
    expect(log).toContain(`rewritten by rewrites into git push --force`)
    expect(await ask('log', '--text', 'push --force', '--json')).toContain('"subject":"ls -l"')
    const why = await ask('why')
    expect(why).toMatch(/\nrewritten\n +git push --force\n +by user:policies#rewrites\n/)
    expect(why).toContain('of the rewritten call')
    expect(why).not.toContain('decided now, it would be')
    expect(JSON.parse(await ask('why', '--json'))).toMatchObject({
      today: { decision: 'deny' },
      rewrittenFacts: { shell: { commands: [{}] } },
      lift: { rules: [{ exceptions: [{ command: 'git push --force' }] }] },
    })
  })

  it('and lets pass is listed with what ran', async () => {
    const { ask, call } = rewritingPerson('ls -a')
    expect((await call('ls -l')).decision).toBe('abstain')
    expect(await ask('log')).toContain(`rewritten by rewrites into ls -a`)
  })
})
