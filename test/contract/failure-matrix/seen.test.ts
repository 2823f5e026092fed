import { describe, expect, it } from 'vitest'
import { judge } from './judge.ts'
import { rows } from './rows.ts'
import { type AgentResponse, type Seen, seenIn } from './seen.ts'
import { agentNames } from '../../../src/agents/registry.ts'

const denied = {
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'no' },
}
const printed = (answer: object | string, exitCode: number | null = 0, stderr = ''): AgentResponse => ({
  by: 'process',
  exitCode,
  stdout: typeof answer === 'string' ? answer : JSON.stringify(answer),
  stderr,
})
const posted = (answer: object | string, status = 200): AgentResponse => ({
  by: 'http',
  status,
  body: typeof answer === 'string' ? answer : JSON.stringify(answer),
})
const refusal: Seen = { kind: 'refusal', because: 'no' }
const ignored = { kind: 'unheeded' }

describe('what Claude Code sees', () => {
  it.each<[string, AgentResponse, object]>([
    ['a refusal with its JSON, its reason on stderr and exit code 2', printed(denied, 2, 'no'), refusal],
    ['a refusal of an event without a name', printed({ decision: 'block', reason: 'no' }, 2, 'no'), refusal],
    ['a refusal by HTTP', posted(denied), refusal],
    ['nothing at all as no objection', printed(''), { kind: 'pass', notice: undefined }],
    ['a message as a notice', printed({ systemMessage: 'look' }), { kind: 'pass', notice: 'look' }],
    ['no response as no answer', { by: 'none', why: 'down' }, { kind: 'noAnswer', why: 'down' }],
    ['a refusal without its exit code as none', printed(denied, 0), ignored],
    ['a refusal with an empty stderr as none', printed(denied, 2), ignored],
    ['an exit code alone as none', printed('', 1), ignored],
    ['death by a signal as none', printed(denied, null, 'no'), ignored],
    ['text around the JSON as none', printed(`well: ${JSON.stringify(denied)}`, 2, 'no'), ignored],
    ['an approval as unexpected', printed({ decision: 'approve' }), ignored],
    ['another status as no refusal', posted(denied, 503), ignored],
  ])('%s', async (_, response, seen) => {
    expect(await seenIn(response, 'claude-code')).toMatchObject(seen)
  })
})

describe('what Cline sees', () => {
  it.each<[string, AgentResponse, object]>([
    ['a cancel with exit code 0', printed({ cancel: true, errorMessage: 'no' }), refusal],
    ['text on stderr as a notice', printed({ cancel: false }, 0, 'look\n'), { kind: 'pass', notice: 'look' }],
    ['a cancel with another exit code as none', printed({ cancel: true, errorMessage: 'no' }, 2), ignored],
    ['a cancel that is no boolean as none', printed({ cancel: 'true' }), ignored],
    ['an empty answer as not hookgate’s', printed(''), ignored],
  ])('%s', async (_, response, seen) => {
    expect(await seenIn(response, 'cline')).toMatchObject(seen)
  })
})

describe('the judgement', () => {
  const expectations = rows.flatMap(({ sees }) => Object.values(sees).filter((one) => one !== undefined))

  it.each(agentNames)('never accepts what %s ignores', async (agent) => {
    const broken = [printed('', 1), printed('garbage'), printed(denied, null), posted('', 500), posted('garbage')]
    const seen = await Promise.all(broken.map((response) => seenIn(response, agent)))
    for (const expected of expectations) {
      for (const one of seen) expect(judge(expected, one).kind).toBe('notSafe')
    }
  })

  it('is not safe where an agent goes ahead that must be blocked', () => {
    const passed: Seen = { kind: 'pass', notice: 'anything' }
    for (const expected of expectations.filter(({ kind }) => kind !== 'pass')) {
      expect(judge(expected, passed).kind).toBe('notSafe')
    }
  })

  it('distinguishes a refusal for another reason from the expected one', () => {
    for (const expected of expectations) {
      expect(judge(expected, { kind: 'refusal', because: 'I just do not like it' }).kind).toBe('wrong')
    }
  })

  it('requires a notice about what failed', () => {
    expect(judge({ kind: 'pass', notice: 'is missing' }, { kind: 'pass', notice: undefined }).kind).toBe('notSafe')
    expect(judge({ kind: 'pass', notice: 'is missing' }, { kind: 'pass', notice: 'it is missing' }).kind).toBe('ok')
  })
})
