import { describe, expect, it } from 'vitest'
import { combine } from '../../src/combine/combine.ts'
import type { KnownAgent } from '../../src/agents/registry.ts'
import type { EventName } from '../../src/model/event.ts'
import type { Outcome } from '../../src/model/evaluation.ts'
import { limits } from '../../src/model/limits.ts'
import { dialects } from '../support/dialects.ts'
import { planOf, ruleNamed, shellEvent } from '../support/plans.ts'
import { sampleEvent } from '../support/samples.ts'

/** What a hook of the agent says by printing this, where it is told of an event of Claude Code's. */
function heard(agent: string, stdout: string, name: EventName = 'PreToolUse', spelled?: string): Outcome {
  const event = name === 'PreToolUse' ? shellEvent : sampleEvent(name, 'claude-code')
  const [sent = {}] = dialects[agent as KnownAgent].encodeEvent(event, spelled)
  const exit = { kind: 'exited', exitCode: 0, stdout, stderr: '', failure: undefined, durationMs: 1 } as const
  return dialects[agent as KnownAgent].decodeAnswer(event, sent, exit, { ...ruleNamed('r').handler, dialect: agent })
}

const lost = {
  kind: 'indeterminate',
  failure: { code: 'badOutput', message: expect.stringContaining('its decision is lost') as unknown },
}
const silence = { kind: 'notApplicable' }

const all = Object.values(dialects)
/** Cline looks for objects between all kinds of text, and says of what it does not find something of its own. */
const ofWholeStdout = all.filter(({ agent }) => agent !== 'cline')

describe.each(ofWholeStdout)('a hook for $agent that prints text', ({ agent }) => {
  it.each(['hookSpecificOutput', 'permissionDecision', 'decision', 'permission'])(
    'with `%s` in it has lost a decision, which is not silence',
    (word) => {
      expect(heard(agent, `checking\n{"${word}": "deny"}`)).toMatchObject(lost)
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
  ])('with a refusal in it by whatever agent’s words has lost that, too: %s', (stdout) => {
    expect(heard(agent, stdout)).toMatchObject(lost)
  })

  it.each([
    'all fine',
    'read {"status": 200, "continue": true, "action": "retry"}',
    'LOG {"level": "info", "tool": {"cancel": true}}',
    "checked {'cancel': False, 'status': 'ok'}",
    '"all fine"',
    '[1, 2]',
    'cancel: true',
  ])('with nothing of an answer in it says nothing: %s', (stdout) => {
    expect(heard(agent, stdout)).toEqual(silence)
  })
})

describe('a decision behind a line of a log', () => {
  it.each<[KnownAgent, string, EventName, string | undefined]>([
    ['copilot-cli', '{"behavior":"deny","message":"no"}', 'PermissionRequest', undefined],
    ['copilot-cli', '{"behavior":"ask"}', 'PermissionRequest', undefined],
    ['cursor', '{"continue":false,"user_message":"no"}', 'UserPromptSubmit', undefined],
    ['cursor', '{"followup_message":"go on"}', 'Stop', undefined],
    ['claude-code', '{"continue":false,"stopReason":"no"}', 'PostToolUse', undefined],
    ['codex', '{"continue":false,"stopReason":"no"}', 'SessionStart', undefined],
    ['opencode', '{"status":"allow"}', 'PermissionRequest', undefined],
  ])('is lost, in the words of %s: %s at %s', (agent, answer, event, spelled) => {
    expect(heard(agent, `checking\n${answer}`, event, spelled)).toMatchObject(lost)
  })

  it('refuses where a failure of the hook is to block', () => {
    const evaluation = { ...heard('opencode', 'checking\n{"status":"deny"}'), ruleId: 'r', durationMs: 1 }
    expect(combine(planOf(ruleNamed('r', 'block')), [evaluation], shellEvent).decision).toBe('deny')
  })

  it('is none where nothing can be refused, and the text is for the model', () => {
    const context = { kind: 'applicable', advice: [{ kind: 'addContext' }] }
    for (const agent of ['claude-code', 'droid'] as const) {
      expect(heard(agent, 'to refuse, print {"cancel": true}', 'SessionStart')).toMatchObject(context)
    }
  })
})

describe('a hook that floods its stdout with objects', () => {
  it.each([
    ['that mean nothing', '{"a":1}'],
    ['that name fields of answers', '{"cancel":1}'],
  ])('%s, is heard in no time', (_what, object) => {
    const flood = `log ${object.repeat(limits.hookOutputBytesMax / object.length)}`
    const startedMs = performance.now()
    expect(heard('claude-code', flood)).toEqual(silence)
    expect(performance.now() - startedMs).toBeLessThan(5000)
  })
})
