import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EventName } from '../../../src/model/event.ts'
import { type Advice, Outcome } from '../../../src/model/evaluation.ts'
import { limits } from '../../../src/model/limits.ts'
import { answerOf, applicable, failureAt, hookHandler, noticed, silent } from '../../support/claude-hooks.ts'
import { claudeWire } from '../../support/claude-wires.ts'
import { runsOf } from '../../support/sample.ts'

const deny = { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny' } }
const denyBecause = {
  hookSpecificOutput: { ...deny.hookSpecificOutput, permissionDecisionReason: 'not here' },
}

const refused = (reason: string) => applicable({ effect: 'deny', reason })
const advised = (...advice: Advice[]) => applicable({ advice })
const nested = (depth: number) => `{"a": ${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`

/** Returns the message of a `badOutput` failure, or the whole outcome for any other. */
function complaint(outcome: Outcome): string {
  const isBad = outcome.kind === 'indeterminate' && outcome.failure.code === 'badOutput'
  return isBad ? outcome.failure.message : JSON.stringify(outcome)
}

describe('stdout is one JSON object between white space, or plain text', () => {
  const object = JSON.stringify(denyBecause)
  it.each<[string, string]>([
    ['alone', object],
    ['over several lines', JSON.stringify(denyBecause, null, 2)],
    ['with a line break after it', `${object}\n`],
    ['with carriage returns', `\r\n${object}\r\n`],
    ['after a byte order mark', `\ufeff${object}`],
    ['with unknown fields', JSON.stringify({ ...denyBecause, tool_input: {}, permissionDecision: 'allow' })],
    ['with a duplicate key, where the last wins', object.replace('{', '{"hookSpecificOutput":{},')],
  ])('decodes an object %s', (_what, stdout) => {
    expect(answerOf('PreToolUse', stdout)).toEqual(refused('not here'))
  })

  // Claude Code takes these for plain text and goes ahead, so a lost decision has to be reported.
  it.each<[string, string]>([
    ['text before an object', `checking\n${object}`],
    ['an object behind an escape sequence', `\u001b[0m${object}`],
    ['a list', `[${object}]`],
    ['a JSON string', JSON.stringify(object)],
  ])('reports a lost decision in %s', (_what, stdout) => {
    expect(complaint(answerOf('PreToolUse', stdout))).toContain('its decision is lost')
  })

  it.each<[string, string]>([
    ['nothing', ''],
    ['white space', ' \r\n\t'],
    ['an empty object', '{}'],
    ['text', 'all fine'],
    ['a JSON string', JSON.stringify('{}')],
    ['a number', '42'],
    ['null', 'null'],
    ['fields in the wrong place', '{"permissionDecision": "allow", "additionalContext": "x"}'],
    ['its own input', JSON.stringify(claudeWire('PreToolUse'))],
  ])('finds no decision in %s', (_what, stdout) => {
    expect(answerOf('PreToolUse', stdout)).toEqual(silent)
  })

  it.each<[string, string]>([
    ['half an object', object.slice(0, -1)],
    ['a single brace', '{'],
    ['two objects', `${object}\n${object}`],
    ['an object with text after it', `${object} done`],
    ['an object with a trailing comma', '{"decision": "block",}'],
    ['an object in single quotes', "{'decision': 'block'}"],
    ['a shell brace expansion', '{a,b}'],
  ])('treats %s as bad output, not as an abstention', (_what, stdout) => {
    expect(complaint(answerOf('PreToolUse', stdout))).toMatch(/^stdout starts with `\{` but is not one JSON object: ./)
  })

  it('reports what is wrong in one line, without quoting the hook’s output', () => {
    expect(complaint(answerOf('PreToolUse', '{"a": \u001b[31m\n\n'))).toMatch(/^[\x20-\x7e]+$/)
  })

  it('rejects an object nested deeper than the call stack', () => {
    const levels = limits.jsonDepthMax
    expect(answerOf('PreToolUse', nested(levels))).toEqual(silent)
    expect(complaint(answerOf('PreToolUse', nested(levels + 1)))).toMatch(/nested deeper than 128 levels/)
    expect(complaint(answerOf('PreToolUse', nested(300_000)))).toMatch(/nested deeper/)
  })
})

describe('plain text is context for the model', () => {
  const contextEvents: readonly EventName[] = [
    'SessionStart',
    'UserPromptSubmit',
    'UserPromptExpansion',
    'PostModelSwitch',
    'PreCompact',
  ]
  it.each(contextEvents)('at %s, where the hook succeeded', (name) => {
    expect(answerOf(name, ' note\nwell \n')).toEqual(advised({ kind: 'addContext', text: 'note\nwell' }))
    expect(answerOf(name, 'note', { exitCode: 1 })).toEqual({ kind: 'indeterminate', failure: failureAt(1) })
  })

  const others = EventName.options.filter((name) => !contextEvents.includes(name) && name !== 'WorktreeCreate')
  it.each(others)('but not at %s', (name) => {
    expect(answerOf(name, 'note')).toEqual(silent)
  })

  it('where the format of the hook says so', () => {
    const handler = { ...hookHandler, plainTextEvents: ['PostToolUse' as const] }
    expect(answerOf('PostToolUse', 'WARNING', {}, handler)).toEqual(advised({ kind: 'addContext', text: 'WARNING' }))
    expect(answerOf('PreToolUse', 'WARNING', {}, handler)).toEqual(silent)
  })

  it('with its control characters escaped', () => {
    expect(answerOf('SessionStart', 'a\u001b[31mb')).toEqual(advised({ kind: 'addContext', text: 'a\\x1b[31mb' }))
  })
})

describe('a hook that answers asynchronously', () => {
  const full = {
    continue: false,
    systemMessage: 'hello',
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      updatedInput: { command: 'x' },
      additionalContext: 'c',
    },
  }
  const advice = advised({ kind: 'addContext', text: 'c' }, noticed('hello'))
  const firstLine = '{"async": true, "asyncTimeout": 5000}\n'

  it('has no decision and no obligations, but may advise', () => {
    expect(answerOf('PreToolUse', firstLine + JSON.stringify(full))).toEqual(advice)
    expect(answerOf('PreToolUse', firstLine + JSON.stringify(deny))).toEqual(silent)
    expect(answerOf('PreToolUse', firstLine, { exitCode: 2, stderr: 'no' })).toEqual(silent)
  })

  it.each<[string, string]>([
    ['in its first line', firstLine + JSON.stringify(full, null, 2)],
    ['in its answer', JSON.stringify({ ...full, async: true })],
  ])('may declare it %s', (_what, stdout) => {
    expect(answerOf('PreToolUse', stdout)).toEqual(advice)
  })

  it('may consist of that field alone', () => {
    expect(answerOf('PreToolUse', '{"async": true}')).toEqual(silent)
    expect(answerOf('PreToolUse', '{"async": true}\n')).toEqual(silent)
  })

  it('is synchronous where the field has any other value', () => {
    expect(answerOf('PreToolUse', JSON.stringify({ ...deny, async: false }))).toEqual(applicable({ effect: 'deny' }))
    expect(complaint(answerOf('PreToolUse', `{"async": false}\n${JSON.stringify(deny)}`))).toMatch(
      /not one JSON object/,
    )
  })

  it('can still fail', () => {
    expect(complaint(answerOf('PreToolUse', '{"async": true}\n{"dec'))).toMatch(/not one JSON object/)
  })
})

it('treats a hook’s output as nothing but data', () => {
  const stdout = '{"__proto__": {"decision": "block"}, "constructor": {"name": "x"}}'
  expect(answerOf('Stop', stdout)).toEqual(silent)
})

describe('whatever a hook prints and however it ends', () => {
  const names = [
    'continue',
    'stopReason',
    'systemMessage',
    'decision',
    'reason',
    'async',
    'hookSpecificOutput',
    'hookEventName',
    'permissionDecision',
    'updatedInput',
    'additionalContext',
    'behavior',
    'action',
    'watchPaths',
    'should_continue',
  ]
  const values = fc.oneof(
    fc.constantFrom('block', 'approve', 'deny', 'allow', 'ask', ...EventName.options),
    fc.jsonValue({ maxDepth: 1 }),
  )
  const { answer } = fc.letrec((tie) => ({
    answer: fc.dictionary(fc.constantFrom(...names), fc.oneof({ maxDepth: 3 }, values, tie('answer'))),
  }))
  const printed = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.json(),
    answer.map((object) => JSON.stringify(object)),
    fc.tuple(answer, fc.nat(60)).map(([object, length]) => JSON.stringify(object).slice(0, length)),
  )

  it('its outcome is well-formed', () => {
    const ends = fc.constantFrom(0, 1, 2, null)
    fc.assert(
      fc.property(fc.constantFrom(...EventName.options), printed, printed, ends, (name, stdout, stderr, exitCode) => {
        expect(Outcome.safeParse(answerOf(name, stdout, { stderr, exitCode })).error).toBeUndefined()
      }),
      { numRuns: runsOf(2000) },
    )
  })
})
