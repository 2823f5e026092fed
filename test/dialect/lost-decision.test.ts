import { describe, expect, it } from 'vitest'
import { combine } from '../../src/combine/combine.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { dialects } from '../support/dialects.ts'
import { saying, specifically } from '../support/claude-hooks.ts'
import { planOf, ruleNamed, shellEvent } from '../support/plans.ts'

const complaint = (outcome: ReturnType<typeof saying>) =>
  'failure' in outcome && outcome.failure?.code === 'badOutput' ? outcome.failure.message : undefined

describe('a hook that decides, and not in the words of the agent it was written for', () => {
  it.each<[string, JsonObject]>([
    ['cancel', { cancel: true, errorMessage: 'no' }],
    ['review', { review: true }],
    ['permission', { permission: 'deny', agentMessage: 'no' }],
    ['permissionDecision', { permissionDecision: 'ask', permissionDecisionReason: 'sure?' }],
    ['hookSpecificOutput.decision.behavior', inside({ decision: { behavior: 'deny' } })],
    ['hookSpecificOutput.decision', inside({ decision: 'deny' })],
  ])('has failed, and is told of `%s`', (path, answer) => {
    expect(complaint(saying('PreToolUse', answer))).toBe(
      `its decision is lost: a hook for claude-code cannot decide with \`${path}\` at PreToolUse; ` +
        "answer in that agent's format, or set `dialect` to the agent that it is written for",
    )
  })

  it('keeps what it says beside the decision', () => {
    expect(saying('PreToolUse', { cancel: true, systemMessage: 'careful' })).toMatchObject({
      kind: 'applicable',
      advice: [{ kind: 'notice', text: 'careful' }],
      failure: { code: 'badOutput' },
    })
  })

  it('refuses where a failure of it is to block', () => {
    const evaluation = { ...saying('PreToolUse', { cancel: true }), ruleId: 'r', durationMs: 1 }
    expect(combine(planOf(ruleNamed('r', 'block')), [evaluation], shellEvent).decision).toBe('deny')
  })

  it.each<[string, JsonObject]>([
    ['lets go', { cancel: false, permission: 'allow', permissionDecision: 'allow' }],
    ['decides in its own words as well', { cancel: true, decision: 'block' }],
    ['ends the turn', { cancel: true, continue: false }],
  ])('has not failed where it %s', (_what, answer) => {
    expect(complaint(saying('PreToolUse', answer))).toBeUndefined()
  })

  it('has lost nothing where nothing can be refused', () => {
    expect(complaint(specifically('SessionStart', { permissionDecision: 'deny' }))).toBeUndefined()
  })

  it('is told so whichever agent it was written for', () => {
    // Each has words of its own, and none has all of these.
    const told = Object.values(dialects).map((dialect) => {
      const [sent = {}] = dialect.encodeEvent(shellEvent)
      const stdout = JSON.stringify(dialect.agent === 'cline' ? { permission: 'deny' } : { cancel: true })
      const exit = { kind: 'exited', exitCode: 0, stdout, stderr: '', failure: undefined, durationMs: 1 } as const
      return dialect.decodeAnswer(shellEvent, sent, exit, { ...ruleNamed('r').handler, dialect: dialect.agent })
    })
    for (const outcome of told) expect(outcome).toMatchObject({ kind: 'indeterminate', failure: { code: 'badOutput' } })
  })
})

function inside(specific: JsonObject): JsonObject {
  return { hookSpecificOutput: { hookEventName: 'PreToolUse', ...specific } }
}
