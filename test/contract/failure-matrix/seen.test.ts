import { describe, expect, it } from 'vitest'
import { judge } from './judge.ts'
import { rows } from './rows.ts'
import { type Heard, type Seen, seenIn } from './seen.ts'
import { agentNames } from '../../../src/agents/registry.ts'

const denied = {
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'no' },
}
const said = (answer: object | string, exitCode: number | null = 0, stderr = ''): Heard => ({
  by: 'process',
  exitCode,
  stdout: typeof answer === 'string' ? answer : JSON.stringify(answer),
  stderr,
})
const posted = (answer: object | string, status = 200): Heard => ({
  by: 'http',
  status,
  body: typeof answer === 'string' ? answer : JSON.stringify(answer),
})
const refusal: Seen = { kind: 'refusal', because: 'no' }
const unheeded = { kind: 'unheeded' }

describe('what Claude Code sees', () => {
  it.each<[string, Heard, object]>([
    ['a refusal with its JSON, its reason on stderr and exit code 2', said(denied, 2, 'no'), refusal],
    [
      'a refusal of an event that does not say which it is',
      said({ decision: 'block', reason: 'no' }, 2, 'no'),
      refusal,
    ],
    ['a refusal by HTTP', posted(denied), refusal],
    ['nothing at all as no objection', said(''), { kind: 'pass', told: undefined }],
    ['a message as a notice', said({ systemMessage: 'look' }), { kind: 'pass', told: 'look' }],
    ['nobody as no answer', { by: 'nobody', why: 'away' }, { kind: 'noAnswer', why: 'away' }],
    ['a refusal without its exit code as none', said(denied, 0), unheeded],
    ['a refusal without a word on stderr as none', said(denied, 2), unheeded],
    ['an exit code alone as none', said('', 1), unheeded],
    ['death by a signal as none', said(denied, null, 'no'), unheeded],
    ['text around the JSON as none', said(`well: ${JSON.stringify(denied)}`, 2, 'no'), unheeded],
    ['consent as nothing that the doctor looks for', said({ decision: 'approve' }), unheeded],
    ['another status as no refusal', posted(denied, 503), unheeded],
  ])('%s', async (_, heard, seen) => {
    expect(await seenIn(heard, 'claude-code')).toMatchObject(seen)
  })
})

describe('what Cline sees', () => {
  it.each<[string, Heard, object]>([
    ['a cancel with exit code 0', said({ cancel: true, errorMessage: 'no' }), refusal],
    ['a word on stderr as a notice', said({ cancel: false }, 0, 'look\n'), { kind: 'pass', told: 'look' }],
    ['a cancel with another exit code as none', said({ cancel: true, errorMessage: 'no' }, 2), unheeded],
    ['a cancel that is no boolean as none', said({ cancel: 'true' }), unheeded],
    ['nothing at all as nothing that hookgate said', said(''), unheeded],
  ])('%s', async (_, heard, seen) => {
    expect(await seenIn(heard, 'cline')).toMatchObject(seen)
  })
})

describe('what is made of it', () => {
  const expectations = rows.flatMap(({ sees }) => Object.values(sees).filter((one) => one !== undefined))

  it.each(agentNames)('never takes what %s does not heed for right', async (agent) => {
    const broken = [said('', 1), said('garbage'), said(denied, null), posted('', 500), posted('garbage')]
    const seen = await Promise.all(broken.map((heard) => seenIn(heard, agent)))
    for (const expected of expectations) {
      for (const one of seen) expect(judge(expected, one).kind).toBe('notSafe')
    }
  })

  it('finds no row safe in which an agent goes ahead that must not', () => {
    const passed: Seen = { kind: 'pass', told: 'anything' }
    for (const expected of expectations.filter(({ kind }) => kind !== 'pass')) {
      expect(judge(expected, passed).kind).toBe('notSafe')
    }
  })

  it('tells a refusal for another reason, for which nothing need have failed, from the one that should come', () => {
    for (const expected of expectations) {
      expect(judge(expected, { kind: 'refusal', because: 'I just do not like it' }).kind).toBe('wrong')
    }
  })

  it('wants a person told of what failed', () => {
    expect(judge({ kind: 'pass', told: 'is missing' }, { kind: 'pass', told: undefined }).kind).toBe('notSafe')
    expect(judge({ kind: 'pass', told: 'is missing' }, { kind: 'pass', told: 'it is missing' }).kind).toBe('ok')
  })
})
