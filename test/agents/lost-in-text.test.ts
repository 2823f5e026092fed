import { describe, expect, it } from 'vitest'
import { combine } from '../../src/gate/combine/combine.ts'
import type { KnownAgent } from '../../src/agents/registry.ts'
import type { EventName } from '../../src/model/event.ts'
import type { Outcome } from '../../src/model/evaluation.ts'
import { limits } from '../../src/model/limits.ts'
import { dialects } from '../support/dialects.ts'
import { planOf, ruleNamed, shellEvent } from '../support/plans.ts'
import { sampleEvent } from '../support/samples.ts'

/** Decodes the stdout of an agent's hook that was given a Claude Code event. */
function decoded(agent: string, stdout: string, name: EventName = 'PreToolUse', spelled?: string): Outcome {
  const event = name === 'PreToolUse' ? shellEvent : sampleEvent(name, 'claude-code')
  const [sent = {}] = dialects[agent as KnownAgent].encodeEvent(event, spelled)
  const exit = { kind: 'exited', exitCode: 0, stdout, stderr: '', failure: undefined, durationMs: 1 } as const
  return dialects[agent as KnownAgent].decodeAnswer(event, sent, exit, { ...ruleNamed('r').handler, dialect: agent })
}

const lost = {
  kind: 'indeterminate',
  failure: { code: 'badOutput', message: expect.stringContaining('its decision is lost') as unknown },
}
const abstained = { kind: 'notApplicable' }

const all = Object.values(dialects)
/** Every agent but Cline, which scans text for objects and has its own messages. */
const ofWholeStdout = all.filter(({ agent }) => agent !== 'cline')

describe.each(ofWholeStdout)('a hook for $agent that prints text', ({ agent }) => {
  it.each(['hookSpecificOutput', 'permissionDecision', 'decision', 'permission'])(
    'with `%s` in it has lost a decision, which is not an abstention',
    (field) => {
      expect(decoded(agent, `checking\n{"${field}": "deny"}`)).toMatchObject(lost)
    },
  )

  it.each([
    'checking\n{"status":"deny","reason":"no"}',
    'checking\n{"behavior":"deny","message":"no"}',
    'checking\n{"continue":false,"stopReason":"no"}',
    'LOG {"cancel":true}',
    'LOG {"shouldContinue":false,"errorMessage":"no"} done',
    String.raw`LOG {"\u0070ermissionDecision":"deny"}`,
    '[{"cancel":true}]',
    JSON.stringify('{"cancel":true}'),
    "checking\n{'permissionDecision': 'deny'}",
    'checking\n{"cancel": true, "errorMess',
  ])('with a refusal in any agent’s format has lost it, too: %s', (stdout) => {
    expect(decoded(agent, stdout)).toMatchObject(lost)
  })

  it.each([
    'all fine',
    'read {"status": 200, "continue": true, "action": "retry"}',
    'LOG {"level": "info", "tool": {"cancel": true}}',
    "checked {'cancel': False, 'status': 'ok'}",
    '"all fine"',
    '[1, 2]',
    'cancel: true',
  ])('without a field of an answer abstains: %s', (stdout) => {
    expect(decoded(agent, stdout)).toEqual(abstained)
  })
})

describe('a decision after a line of log output', () => {
  it.each<[KnownAgent, string, EventName, string | undefined]>([
    ['copilot-cli', '{"behavior":"deny","message":"no"}', 'PermissionRequest', undefined],
    ['copilot-cli', '{"behavior":"ask"}', 'PermissionRequest', undefined],
    ['cursor', '{"continue":false,"user_message":"no"}', 'UserPromptSubmit', undefined],
    ['cursor', '{"followup_message":"go on"}', 'Stop', undefined],
    ['claude-code', '{"continue":false,"stopReason":"no"}', 'PostToolUse', undefined],
    ['codex', '{"continue":false,"stopReason":"no"}', 'SessionStart', undefined],
    ['opencode', '{"status":"allow"}', 'PermissionRequest', undefined],
  ])('is lost in the format of %s: %s at %s', (agent, answer, event, spelled) => {
    expect(decoded(agent, `checking\n${answer}`, event, spelled)).toMatchObject(lost)
  })

  it('is denied where `onFailure` is block', () => {
    const evaluation = { ...decoded('opencode', 'checking\n{"status":"deny"}'), ruleId: 'r', durationMs: 1 }
    expect(combine(planOf(ruleNamed('r', 'block')), [evaluation], shellEvent).decision).toBe('deny')
  })

  it('is not lost where the event cannot be denied and the text is context for the model', () => {
    const context = { kind: 'applicable', advice: [{ kind: 'addContext' }] }
    for (const agent of ['claude-code', 'droid'] as const) {
      expect(decoded(agent, 'to refuse, print {"cancel": true}', 'SessionStart')).toMatchObject(context)
    }
  })
})

describe('a hook that floods its stdout with objects', () => {
  it.each([
    ['without a meaning', '{"a":1}'],
    ['with fields of answers', '{"cancel":1}'],
  ])('%s, is decoded before the test runs out of time', (_what, object) => {
    const flood = `log ${object.repeat(limits.hookOutputBytesMax / object.length)}`
    expect(decoded('claude-code', flood)).toEqual(abstained)
  })
})
