import { describe, expect, it } from 'vitest'
import { decodeAnswer } from '../../../src/agents/claude-code/decode-answer.ts'
import { EventName } from '../../../src/model/event.ts'
import type { Advice } from '../../../src/model/evaluation.ts'
import type { Failure } from '../../../src/model/failure.ts'
import { answerOf, applicable, failureAt, fielded, hookHandler, noticed, silent } from '../../support/claude-hooks.ts'
import { claudeHookEvent } from '../../support/claude-wires.ts'
import { reasonCharactersMax } from '../../../src/model/text.ts'

const denyBecause = {
  hookSpecificOutput: {
    hookEventName: 'PreToolUse',
    permissionDecision: 'deny',
    permissionDecisionReason: 'not here',
  },
}

const refused = (reason: string, more: { failure?: Failure } = {}) => applicable({ effect: 'deny', reason, ...more })
const advised = (...advice: Advice[]) => applicable({ advice })
const worktreeAt = (value: string) => advised(fielded('worktreePath', value))

describe('exit code 2', () => {
  const honored: readonly EventName[] = [
    'PreToolUse',
    'PostToolUse',
    'PostToolUseFailure',
    'PostToolBatch',
    'UserPromptSubmit',
    'UserPromptExpansion',
    'Stop',
    'SubagentStop',
    'TaskCreated',
    'TaskCompleted',
    'TeammateIdle',
    'ConfigChange',
    'PreCompact',
    'PreModelSwitch',
    'Elicitation',
    'ElicitationResult',
    'WorktreeCreate',
  ]
  it('is void at UserPromptSubmit beside an answer for another event, as in Claude Code', () => {
    const stdout = '{"hookSpecificOutput": {"hookEventName": "Setup"}}'
    expect(answerOf('UserPromptSubmit', stdout, { exitCode: 2 })).toMatchObject({
      kind: 'indeterminate',
      failure: { code: 'badOutput', message: expect.stringContaining('must be `UserPromptSubmit`, not `Setup`') },
    })
  })

  describe.each(honored)('at %s', (name) => {
    it('refuses with stderr as its reason, whatever is on stdout', () => {
      for (const stdout of ['', 'text', '{}']) {
        expect(answerOf(name, stdout, { exitCode: 2, stderr: ' not\nso \n' })).toEqual(refused('not\nso'))
      }
    })

    it('prefers the reason of a JSON block to the one on stderr', () => {
      const stdout = JSON.stringify({ decision: 'block', reason: 'by rule' })
      expect(answerOf(name, stdout, { exitCode: 2, stderr: 'noise' })).toEqual(refused('by rule'))
    })

    it('refuses without a reason, and says that none was given', () => {
      expect(answerOf(name, '', { exitCode: 2 })).toEqual(refused('blocked with exit code 2 and no reason'))
      expect(answerOf(name, '{"decision": "block"}', { exitCode: 2 })).toEqual(
        refused('blocked with exit code 2 and no reason'),
      )
    })

    it('refuses although stdout holds an invalid answer', () => {
      const ofOtherEvent = '{"hookSpecificOutput": {"hookEventName": "Setup"}}'
      const isVoid = name === 'UserPromptSubmit'
      for (const stdout of ['{"decision"', '{"decision": "deny"}', ...(isVoid ? [] : [ofOtherEvent])]) {
        expect(answerOf(name, stdout, { exitCode: 2, stderr: 'no' })).toMatchObject({
          ...refused('no'),
          failure: { code: 'badOutput' },
        })
      }
    })
  })

  const ignored = EventName.options.filter((name) => !honored.includes(name))
  it.each(ignored)('has no effect at %s, where stderr becomes a notice', (name) => {
    expect(answerOf(name, '', { exitCode: 2, stderr: 'oh no' })).toEqual(advised(noticed('oh no')))
    expect(answerOf(name, '', { exitCode: 2 })).toEqual(advised(noticed(`exit code 2 has no effect at ${name}`)))
    expect(answerOf(name, '{}', { exitCode: 2, stderr: 'oh no' })).toEqual(advised(noticed('oh no')))
  })

  it('refuses a call that the JSON on stdout allows and rewrites', () => {
    const stdout = JSON.stringify({
      systemMessage: 'hello',
      continue: false,
      hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow', updatedInput: { command: 'x' } },
    })
    expect(answerOf('PreToolUse', stdout, { exitCode: 2, stderr: 'no' })).toEqual(
      applicable({
        effect: 'deny',
        reason: 'no',
        obligations: [{ kind: 'stop', reason: '' }],
        advice: [noticed('hello')],
      }),
    )
  })

  it('leaves the answer to a permission request as its JSON has it', () => {
    const decision = { hookEventName: 'PermissionRequest', decision: { behavior: 'deny', message: 'no' } }
    const stdout = JSON.stringify({ hookSpecificOutput: decision })
    expect(answerOf('PermissionRequest', stdout, { exitCode: 2, stderr: 'noise' })).toEqual(refused('no'))
  })

  it('escapes control characters in the reason and limits its length', () => {
    const stderr = `\u001b]0;title\u0007${'x'.repeat(reasonCharactersMax + 10)}`
    const outcome = answerOf('PreToolUse', '', { exitCode: 2, stderr })
    const reason = outcome.kind === 'applicable' ? (outcome.reason ?? '') : ''
    expect(reason.startsWith('\\x1b]0;title\\x07xxx')).toBe(true)
    expect(reason.length).toBeLessThan(reasonCharactersMax + 10)
  })
})

describe('any other exit', () => {
  it.each<[string, number | null]>([
    ['exit code 1', 1],
    ['exit code 3', 3],
    ['exit code 127', 127],
    ['a signal', null],
  ])('with %s is a failure without an object', (_what, exitCode) => {
    for (const stdout of ['', 'text', `text\n${JSON.stringify(denyBecause)}`]) {
      expect(answerOf('PreToolUse', stdout, { exitCode, stderr: 'why' })).toEqual({
        kind: 'indeterminate',
        failure: failureAt(exitCode),
      })
    }
  })

  it.each([1, 127, null])('keeps the decoded object, and is reported with it: %j', (exitCode) => {
    expect(answerOf('PreToolUse', JSON.stringify(denyBecause), { exitCode })).toEqual(
      refused('not here', { failure: failureAt(exitCode) }),
    )
  })

  it.each([1, 127, null])('is a failure where the object decides nothing: %j', (exitCode) => {
    expect(answerOf('PreToolUse', '{}', { exitCode })).toEqual({
      kind: 'indeterminate',
      failure: failureAt(exitCode),
    })
  })

  it('is reported in the same message as the invalid output', () => {
    const output = JSON.stringify(answerOf('PreToolUse', '{"dec', { exitCode: 1 }))
    expect(output).toMatch(/"code":"badOutput".*not one JSON object: .+; exited with 1"/)
  })

  it('with stdout that is not UTF-8 is reported with an object, and is a failure without one', () => {
    const failure: Failure = { code: 'outputNotUtf8', message: 'stdout is not UTF-8' }
    expect(answerOf('PreToolUse', JSON.stringify(denyBecause), { failure })).toEqual(refused('not here', { failure }))
    expect(answerOf('SessionStart', 'caf\ufffd', { failure })).toEqual({ kind: 'indeterminate', failure })
  })

  it('before the hook could answer is its failure, whatever it had printed', () => {
    const failure: Failure = { code: 'timeout', message: 'did not answer within 1 s' }
    const exit = { kind: 'failed', failure, stderr: 'noise', durationMs: 1000 } as const
    const event = claudeHookEvent('PreToolUse')
    expect(decodeAnswer(event, event.raw, exit, hookHandler)).toEqual({ kind: 'indeterminate', failure })
  })
})

describe('WorktreeCreate', () => {
  it.each<[string, string, string]>([
    ['the only line', '/w/x\n', '/w/x'],
    ['the last line that is not empty', 'Preparing\r\n/w/x y\r\n\r\n', '/w/x y'],
    ['a line in colour', '\u001b[32m/w/x\u001b[0m\n\u001b[0m\n', '/w/x'],
    ['a path in JSON', '{"hookSpecificOutput": {"hookEventName": "WorktreeCreate", "worktreePath": "/w/x"}}', '/w/x'],
  ])('takes the path from %s', (_what, stdout, value) => {
    expect(answerOf('WorktreeCreate', stdout)).toEqual(worktreeAt(value))
  })

  it('abstains where nothing is printed', () => {
    expect(answerOf('WorktreeCreate', '\n')).toEqual(silent)
  })

  it.each<[number | null, string, string]>([
    [1, 'no room', 'no room'],
    [1, '', 'blocked with exit code 1 and no reason'],
    [128, 'fatal', 'fatal'],
    [null, '', 'killed by a signal'],
  ])('is refused by any exit code but 0: %j', (exitCode, stderr, reason) => {
    expect(answerOf('WorktreeCreate', '/w/x', { exitCode, stderr })).toEqual(
      refused(reason, { failure: failureAt(exitCode) }),
    )
  })
})
