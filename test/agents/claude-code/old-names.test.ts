import { describe, expect, it } from 'vitest'
import { applicable, outcomeOf } from '../../support/claude-hooks.ts'

const renamed = (...names: readonly [old: string, today: string][]) =>
  names.map(([old, today]) => ({ kind: 'notice' as const, text: `\`${old}\` is an old name for \`${today}\`` }))

describe('a deprecated field name', () => {
  it.each(['should_continue', 'shouldContinue'])('%s is decoded as continue, with a notice', (name) => {
    expect(outcomeOf('Stop', { [name]: false, stop_reason: 'enough' })).toEqual(
      applicable({
        obligations: [{ kind: 'stop', reason: 'enough' }],
        advice: renamed([name, 'continue'], ['stop_reason', 'stopReason']),
      }),
    )
  })

  it('for hookSpecificOutput and its fields is decoded, with a notice', () => {
    const outcome = outcomeOf('PreToolUse', {
      system_message: 'hello',
      hook_specific_output: {
        hook_event_name: 'PreToolUse',
        permission_decision: 'ask',
        permission_decision_reason: 'is this right?',
        updated_input: { command: 'ls' },
        additional_context: 'c',
      },
    })
    expect(outcome).toEqual(
      applicable({
        effect: 'ask',
        reason: 'is this right?',
        obligations: [{ kind: 'replaceInput', input: { command: 'ls' } }],
        advice: [
          { kind: 'addContext', text: 'c' },
          { kind: 'notice', text: 'hello' },
          ...renamed(
            ['system_message', 'systemMessage'],
            ['hook_specific_output', 'hookSpecificOutput'],
            ['hook_event_name', 'hookEventName'],
            ['permission_decision', 'permissionDecision'],
            ['permission_decision_reason', 'permissionDecisionReason'],
            ['updated_input', 'updatedInput'],
            ['additional_context', 'additionalContext'],
          ),
        ],
      }),
    )
  })

  it('inside a permission decision is decoded, with a notice', () => {
    const decision = { behavior: 'allow', updated_input: { command: 'x' } }
    expect(
      outcomeOf('PermissionRequest', { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } }),
    ).toEqual(
      applicable({
        effect: 'allow',
        obligations: [{ kind: 'replaceInput', input: { command: 'x' } }],
        advice: renamed(['updated_input', 'updatedInput']),
      }),
    )
  })

  it('is ignored where the current name is present', () => {
    expect(outcomeOf('Stop', { continue: true, should_continue: false })).toEqual({ kind: 'notApplicable' })
  })

  it('requires a value of the right type, too', () => {
    expect(outcomeOf('Stop', { should_continue: 'no' })).toEqual({
      kind: 'indeterminate',
      failure: { code: 'badOutput', message: '`continue` must be a boolean, not a string' },
    })
  })

  it('is ignored where Claude Code has no such field', () => {
    expect(outcomeOf('PreToolUse', { permission_decision: 'allow', additional_context: 'x' })).toEqual({
      kind: 'notApplicable',
    })
  })
})
