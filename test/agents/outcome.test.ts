import { describe, expect, it } from 'vitest'
import { combine } from '../../src/gate/combine/combine.ts'
import type { Dialect } from '../../src/model/dialect.ts'
import type { Outcome } from '../../src/model/evaluation.ts'
import { dialects } from '../support/dialects.ts'
import { planOf, ruleNamed, shellEvent } from '../support/plans.ts'

const all = Object.values(dialects)

/** Decodes the outcome of an agent's hook at a shell command from its stdout and exit code. */
function decoded(dialect: Dialect, stdout: string, exitCode: number | null = 0): Outcome {
  const [sent = {}] = dialect.encodeEvent(shellEvent)
  const message = exitCode === null ? 'killed by a signal' : `exited with code ${exitCode}`
  const failure = exitCode === 0 ? undefined : ({ code: 'nonzeroExit', message } as const)
  const exit = { kind: 'exited', exitCode, stdout, stderr: '', failure, durationMs: 1 } as const
  return dialect.decodeAnswer(shellEvent, sent, exit, { ...ruleNamed('r').handler, dialect: dialect.agent })
}

describe.each(all)('a hook for $agent', (dialect) => {
  it.each([1, 3, null])('that prints nothing and exits with %j fails or refuses', (exitCode) => {
    for (const stdout of ['', '{}']) {
      const outcome = decoded(dialect, stdout, exitCode)
      if (outcome.kind === 'applicable') expect(outcome.effect).toBe('deny')
      else expect(outcome).toMatchObject({ kind: 'indeterminate', failure: { code: 'nonzeroExit' } })
    }
  })

  it('that failed under `onFailure: block` reports it once', () => {
    const evaluation = { ...decoded(dialect, '{}', 1), ruleId: 'r', durationMs: 1 }
    const { decision, notices } = combine(planOf(ruleNamed('r', 'block')), [evaluation], shellEvent)
    expect({ decision, notices }).toEqual({ decision: 'deny', notices: [] })
  })
})
