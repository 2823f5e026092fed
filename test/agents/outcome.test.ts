import { describe, expect, it } from 'vitest'
import { combine } from '../../src/combine/combine.ts'
import type { Dialect } from '../../src/model/dialect.ts'
import type { Outcome } from '../../src/model/evaluation.ts'
import { dialects } from '../support/dialects.ts'
import { planOf, ruleNamed, shellEvent } from '../support/plans.ts'

const all = Object.values(dialects)

/** What a hook of the agent says of a shell command by printing this and ending so. */
function heard(dialect: Dialect, stdout: string, exitCode: number | null = 0): Outcome {
  const [sent = {}] = dialect.encodeEvent(shellEvent)
  const message = exitCode === null ? 'killed by a signal' : `exited with code ${exitCode}`
  const failure = exitCode === 0 ? undefined : ({ code: 'nonzeroExit', message } as const)
  const exit = { kind: 'exited', exitCode, stdout, stderr: '', failure, durationMs: 1 } as const
  return dialect.decodeAnswer(shellEvent, sent, exit, { ...ruleNamed('r').handler, dialect: dialect.agent })
}

describe.each(all)('a hook for $agent', (dialect) => {
  it.each([1, 3, null])('that says nothing and ends with %j has failed, or refused, and nothing else', (exitCode) => {
    for (const stdout of ['', '{}']) {
      const outcome = heard(dialect, stdout, exitCode)
      if (outcome.kind === 'applicable') expect(outcome.effect).toBe('deny')
      else expect(outcome).toMatchObject({ kind: 'indeterminate', failure: { code: 'nonzeroExit' } })
    }
  })

  it('that failed and is to block tells so once', () => {
    const evaluation = { ...heard(dialect, '{}', 1), ruleId: 'r', durationMs: 1 }
    const { decision, notices } = combine(planOf(ruleNamed('r', 'block')), [evaluation], shellEvent)
    expect({ decision, notices }).toEqual({ decision: 'deny', notices: [] })
  })
})
