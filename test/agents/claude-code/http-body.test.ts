import { describe, expect, it } from 'vitest'
import { lastResort } from '../../../src/agents/last-resort.ts'
import { httpBody } from '../../../src/agents/index.ts'

const printed = (stdout: string, exitCode = 0) => ({ stdout, stderr: '', exitCode })

describe('an answer without an exit code', () => {
  it("is the hook's stdout, or empty", () => {
    const deny = '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"}}\n'
    expect(httpBody('claude-code', printed(deny, 2), 'PreToolUse')).toBe(deny)
    expect(httpBody('claude-code', printed(''), 'PreToolUse')).toBe('')
    expect(httpBody('cline', printed('{"cancel":true}\n'), 'PreToolUse')).toBe('{"cancel":true}\n')
  })

  it('keeps a task open by `continue`, the only field that does', () => {
    const refusal = printed('{"decision":"block","reason":"tests fail"}\n', 2)
    expect(JSON.parse(httpBody('claude-code', refusal, 'TaskCompleted'))).toEqual({
      continue: false,
      stopReason: 'tests fail',
      decision: 'block',
      reason: 'tests fail',
    })
    expect(httpBody('claude-code', refusal, 'Stop')).toBe(refusal.stdout)
    expect(httpBody('claude-code', printed('{"systemMessage":"x"}\n'), 'TaskCompleted')).toBe('{"systemMessage":"x"}\n')
  })

  it('encodes a worktree’s folder as JSON, and omits instructions, which have no JSON form', () => {
    expect(JSON.parse(httpBody('claude-code', printed('/w/x y\n'), 'WorktreeCreate'))).toEqual({
      hookSpecificOutput: { hookEventName: 'WorktreeCreate', worktreePath: '/w/x y' },
    })
    expect(httpBody('claude-code', printed('keep the plan\n'), 'PreCompact')).toBe('')
  })

  it('is never empty for a gate that cannot answer', () => {
    for (const wire of ['', '{}', '{"hook_event_name":"PreToolUse"}', '{"hook_event_name":"SessionEnd"}']) {
      expect(JSON.parse(httpBody('claude-code', lastResort('claude-code', wire, 'why'), undefined))).toBeTypeOf(
        'object',
      )
      expect(JSON.parse(httpBody('cline', lastResort('cline', wire, 'why'), undefined))).toHaveProperty('cancel')
    }
  })
})
