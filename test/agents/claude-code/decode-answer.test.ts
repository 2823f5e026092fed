import { describe, expect, it } from 'vitest'
import { decodeAnswer } from '../../../src/agents/claude-code/decode-answer.ts'
import { EventName } from '../../../src/model/event.ts'
import type { Advice } from '../../../src/model/evaluation.ts'
import type { Failure } from '../../../src/model/failure.ts'
import { limits } from '../../../src/model/limits.ts'
import { answerOf, applicable, failureAt, fielded, hookHandler, noticed, silent } from '../../support/claude-hooks.ts'
import { claudeHookEvent } from '../../support/claude-wires.ts'

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
  const heeded: readonly EventName[] = [
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
  describe.each(heeded)('at %s', (name) => {
    it('refuses with what is on stderr, whatever is on stdout', () => {
      for (const stdout of ['', 'text', '{}']) {
        expect(answerOf(name, stdout, { exitCode: 2, stderr: ' not\nso \n' })).toEqual(refused('not\nso'))
      }
    })

    it('refuses with the reason of a JSON block before that on stderr', () => {
      const stdout = JSON.stringify({ decision: 'block', reason: 'by rule' })
      expect(answerOf(name, stdout, { exitCode: 2, stderr: 'noise' })).toEqual(refused('by rule'))
    })

    it('refuses without any reason, and says that there was none', () => {
      expect(answerOf(name, '', { exitCode: 2 })).toEqual(refused('blocked with exit code 2 and no reason'))
      expect(answerOf(name, '{"decision": "block"}', { exitCode: 2 })).toEqual(
        refused('blocked with exit code 2 and no reason'),
      )
    })

    it('refuses beside an answer that cannot be used', () => {
      for (const stdout of [
        '{"decision"',
        '{"decision": "deny"}',
        '{"hookSpecificOutput": {"hookEventName": "Setup"}}',
      ]) {
        expect(answerOf(name, stdout, { exitCode: 2, stderr: 'no' })).toMatchObject({
          ...refused('no'),
          failure: { code: 'badOutput' },
        })
      }
    })
  })

  const unheeded = EventName.options.filter((name) => !heeded.includes(name))
  it.each(unheeded)('at %s has no effect, and what is on stderr is told', (name) => {
    expect(answerOf(name, '', { exitCode: 2, stderr: 'oh no' })).toEqual(advised(noticed('oh no')))
    expect(answerOf(name, '', { exitCode: 2 })).toEqual(advised(noticed(`exit code 2 has no effect at ${name}`)))
    expect(answerOf(name, '{}', { exitCode: 2, stderr: 'oh no' })).toEqual(advised(noticed('oh no')))
  })

  it('refuses a call that the JSON beside it allows and rewrites', () => {
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

  it('leaves the answer to a permission request as its JSON gives it', () => {
    const decision = { hookEventName: 'PermissionRequest', decision: { behavior: 'deny', message: 'no' } }
    const stdout = JSON.stringify({ hookSpecificOutput: decision })
    expect(answerOf('PermissionRequest', stdout, { exitCode: 2, stderr: 'noise' })).toEqual(refused('no'))
  })

  it('gives a reason no terminal acts on, and no longer one than can be read', () => {
    const stderr = `\u001b]0;title\u0007${'x'.repeat(limits.reasonCharactersMax + 10)}`
    const outcome = answerOf('PreToolUse', '', { exitCode: 2, stderr })
    const reason = outcome.kind === 'applicable' ? (outcome.reason ?? '') : ''
    expect(reason.startsWith('\\x1b]0;title\\x07xxx')).toBe(true)
    expect(reason.length).toBeLessThan(limits.reasonCharactersMax + 10)
  })
})

describe('any other end', () => {
  it.each<[string, number | null]>([
    ['exit code 1', 1],
    ['exit code 3', 3],
    ['exit code 127', 127],
    ['a signal', null],
  ])('by %s is a failure where there is no object', (_what, exitCode) => {
    for (const stdout of ['', 'text', `text\n${JSON.stringify(denyBecause)}`]) {
      expect(answerOf('PreToolUse', stdout, { exitCode, stderr: 'why' })).toEqual({
        kind: 'indeterminate',
        failure: failureAt(exitCode),
      })
    }
  })

  it.each([1, 127, null])('leaves an object in force, and is told beside it: %j', (exitCode) => {
    expect(answerOf('PreToolUse', JSON.stringify(denyBecause), { exitCode })).toEqual(
      refused('not here', { failure: failureAt(exitCode) }),
    )
  })

  it.each([1, 127, null])('is all there is where the object says nothing: %j', (exitCode) => {
    expect(answerOf('PreToolUse', '{}', { exitCode })).toEqual({
      kind: 'indeterminate',
      failure: failureAt(exitCode),
    })
  })

  it('is told in the same line as what is wrong with the output', () => {
    const told = JSON.stringify(answerOf('PreToolUse', '{"dec', { exitCode: 1 }))
    expect(told).toMatch(/"code":"badOutput".*not one JSON object: .+; exited with 1"/)
  })

  it('of a hook whose stdout was not UTF-8 is told beside an object, and is a failure without one', () => {
    const failure: Failure = { code: 'outputNotUtf8', message: 'stdout is not UTF-8' }
    expect(answerOf('PreToolUse', JSON.stringify(denyBecause), { failure })).toEqual(refused('not here', { failure }))
    expect(answerOf('SessionStart', 'caf\ufffd', { failure })).toEqual({ kind: 'indeterminate', failure })
  })

  it('of a hook that did not get to answer is its failure, whatever it had printed', () => {
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

  it('says nothing where nothing is printed', () => {
    expect(answerOf('WorktreeCreate', '\n')).toEqual(silent)
  })

  it.each<[number | null, string, string]>([
    [1, 'no room', 'no room'],
    [1, '', 'blocked with exit code 1 and no reason'],
    [128, 'fatal', 'fatal'],
    [null, '', 'killed by a signal'],
  ])('is refused by any end but exit code 0: %j', (exitCode, stderr, reason) => {
    expect(answerOf('WorktreeCreate', '/w/x', { exitCode, stderr })).toEqual(
      refused(reason, { failure: failureAt(exitCode) }),
    )
  })
})
