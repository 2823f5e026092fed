import { describe, expect, it } from 'vitest'
import { combine } from '../../src/gate/combine/combine.ts'
import type { KnownAgent } from '../../src/agents/registry.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { dialects } from '../support/dialects.ts'
import { outcomeOf, specificOutcomeOf } from '../support/claude-hooks.ts'
import { planOf, ruleNamed, shellEvent } from '../support/plans.ts'

const complaint = (outcome: ReturnType<typeof outcomeOf>) =>
  'failure' in outcome && outcome.failure?.code === 'badOutput' ? outcome.failure.message : undefined

describe("a hook that decides in another format than its agent's", () => {
  it.each<[string, JsonObject]>([
    ['cancel', { cancel: true, errorMessage: 'no' }],
    ['review', { review: true }],
    ['permission', { permission: 'deny', agentMessage: 'no' }],
    ['permissionDecision', { permissionDecision: 'ask', permissionDecisionReason: 'sure?' }],
    ['hookSpecificOutput.decision.behavior', inside({ decision: { behavior: 'deny' } })],
    ['hookSpecificOutput.decision', inside({ decision: 'deny' })],
    ['status', { status: 'deny', reason: 'no' }],
    ['followup_message', { followup_message: 'no' }],
    ['action', { action: 'cancel' }],
    ['result.cancel', { result: { cancel: true } }],
    ['shouldContinue', { shouldContinue: false, errorMessage: 'no' }],
    ['Decision', { Decision: 'block', reason: 'no' }],
    ['Permission', { Permission: 'DENY' }],
    ['permission_decision', { permission_decision: 'deny' }],
    ['Continue', { Continue: false }],
    ['HookSpecificOutput.permissionDecision', { HookSpecificOutput: { permissionDecision: 'deny' } }],
  ])('fails with a message that names `%s`', (path, answer) => {
    expect(complaint(outcomeOf('PreToolUse', answer))).toBe(
      `its decision is lost: a hook for claude-code cannot decide with \`${path}\` at PreToolUse; ` +
        "answer in that agent's format, or set `dialect` to the agent that it is written for",
    )
  })

  it('keeps its advice', () => {
    expect(outcomeOf('PreToolUse', { cancel: true, systemMessage: 'careful' })).toMatchObject({
      kind: 'applicable',
      advice: [{ kind: 'notice', text: 'careful' }],
      failure: { code: 'badOutput' },
    })
  })

  it('is denied where `onFailure` is block', () => {
    const evaluation = { ...outcomeOf('PreToolUse', { cancel: true }), ruleId: 'r', durationMs: 1 }
    expect(combine(planOf(ruleNamed('r', 'block')), [evaluation], shellEvent).decision).toBe('deny')
  })

  it.each<[string, JsonObject]>([
    ['lets go', { cancel: false, permission: 'allow', permissionDecision: 'allow' }],
    ['also decides in its own format', { cancel: true, decision: 'block' }],
    ['ends the turn', { cancel: true, continue: false }],
  ])('does not fail where it %s', (_what, answer) => {
    expect(complaint(outcomeOf('PreToolUse', answer))).toBeUndefined()
  })

  it.each<[KnownAgent, JsonObject, string]>([
    ['gemini-cli', { decision: 'DENY', reason: 'no' }, 'decision'],
    ['copilot-cli', { continue: false, stopReason: 'no' }, 'continue'],
    ['cursor', { continue: false, user_message: 'no' }, 'continue'],
    ['opencode', { continue: false }, 'continue'],
    ['windsurf', { continue: false }, 'continue'],
    ['windsurf', { status: 'deny' }, 'status'],
    ['droid', { permissionDecision: 'defer' }, 'permissionDecision'],
    ['cline', { result: { cancel: true } }, 'result.cancel'],
    ['cline', { status: 'ask' }, 'status'],
  ])('fails where it is written for %s and prints %j', (agent, answer, path) => {
    expect(complaint(of(agent, JSON.stringify(answer)))).toContain(`cannot decide with \`${path}\``)
  })

  it('fails with an answer for Cline in a list, before another object, or beside context', () => {
    for (const stdout of ['[{"cancel":true}]', '{"permission":"deny"}\n{"done":1}', '"{\\"cancel\\":true}"']) {
      expect(of('cline', stdout)).toMatchObject({ kind: 'indeterminate', failure: { code: 'badOutput' } })
    }
    expect(of('cline', '{"contextModification":"know this","permission":"deny"}')).toMatchObject({
      kind: 'applicable',
      advice: [{ kind: 'addContext', text: 'know this' }],
      failure: { code: 'badOutput' },
    })
  })

  it('keeps a stop in an older form of Claude Code’s', () => {
    expect(outcomeOf('PreToolUse', { should_continue: false, stop_reason: 'enough' })).toMatchObject({
      obligations: [{ kind: 'stop', reason: 'enough' }],
    })
    expect(complaint(outcomeOf('PreToolUse', { should_continue: false, stop_reason: 'enough' }))).toBeUndefined()
  })

  it('has lost nothing where the event cannot be denied', () => {
    expect(complaint(specificOutcomeOf('SessionStart', { permissionDecision: 'deny' }))).toBeUndefined()
  })

  it('fails whichever agent it was written for', () => {
    // Every format differs, and none has all of these fields.
    const outcomes = Object.values(dialects).map(({ agent }) =>
      of(agent, JSON.stringify(agent === 'cline' ? { permission: 'deny' } : { cancel: true })),
    )
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ kind: 'indeterminate', failure: { code: 'badOutput' } })
  })
})

/** Decodes an agent's hook answer to a shell command. */
function of(agent: string, stdout: string) {
  const [sent = {}] = dialects[agent as KnownAgent].encodeEvent(shellEvent)
  const exit = { kind: 'exited', exitCode: 0, stdout, stderr: '', failure: undefined, durationMs: 1 } as const
  return dialects[agent as KnownAgent].decodeAnswer(shellEvent, sent, exit, {
    ...ruleNamed('r').handler,
    dialect: agent,
  })
}

function inside(specific: JsonObject): JsonObject {
  return { hookSpecificOutput: { hookEventName: 'PreToolUse', ...specific } }
}
