import { describe, expect, it } from 'vitest'
import { applicable, saying } from '../../support/claude-hooks.ts'

const told = (...names: readonly [old: string, today: string][]) =>
  names.map(([old, today]) => ({ kind: 'notice' as const, text: `\`${old}\` is an old name for \`${today}\`` }))

describe('an old name', () => {
  it.each(['should_continue', 'shouldContinue'])('%s is read as continue, and told', (name) => {
    expect(saying('Stop', { [name]: false, stop_reason: 'enough' })).toEqual(
      applicable({
        obligations: [{ kind: 'stop', reason: 'enough' }],
        advice: told([name, 'continue'], ['stop_reason', 'stopReason']),
      }),
    )
  })

  it('of hookSpecificOutput and of what is in it is read, and told', () => {
    const outcome = saying('PreToolUse', {
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
          ...told(
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

  it('inside of a permission decision is read, and told', () => {
    const decision = { behavior: 'allow', updated_input: { command: 'x' } }
    expect(
      saying('PermissionRequest', { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } }),
    ).toEqual(
      applicable({
        effect: 'allow',
        obligations: [{ kind: 'replaceInput', input: { command: 'x' } }],
        advice: told(['updated_input', 'updatedInput']),
      }),
    )
  })

  it('does not count where the name of today is there as well', () => {
    expect(saying('Stop', { continue: true, should_continue: false })).toEqual({ kind: 'notApplicable' })
  })

  it('has to have a value of the right type, too', () => {
    expect(saying('Stop', { should_continue: 'no' })).toEqual({
      kind: 'indeterminate',
      failure: { code: 'badOutput', message: '`continue` must be a boolean, not a string' },
    })
  })

  it('is not looked for where Claude Code knows no such field', () => {
    expect(saying('PreToolUse', { permission_decision: 'allow', additional_context: 'x' })).toEqual({
      kind: 'notApplicable',
    })
  })
})
