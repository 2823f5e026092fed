import { describe, expect, it } from 'vitest'
import { supportTable } from '../../../src/agents/claude-code/index.ts'
import { lastResortBy } from '../../../src/agents/last-resort.ts'
import { lastResortTable } from '../../../src/agents/last-resort-table.ts'
import { EventName } from '../../../src/model/event.ts'
import { answerOf, failureAt } from '../../support/claude-hooks.ts'

const lastResort = (name: string | undefined, message: string, stopHookActive = false) =>
  lastResortBy(lastResortTable['claude-code']).respond(
    { hook_event_name: name, stop_hook_active: stopHookActive },
    message,
  )

/** Decodes the answer as Claude Code does. */
function read(name: EventName, answer: ReturnType<typeof lastResort>) {
  return answerOf(name, answer.stdout, { ...answer, failure: failureAt(answer.exitCode) })
}

const refusable = EventName.options.filter((name) => supportTable[name].deny === 'native' && name !== 'TeammateIdle')

describe.each(refusable)('at %s, which can be denied', (name) => {
  it('refuses in the form of the event, on stderr and by exit code 2', () => {
    const answer = lastResort(name, 'the rules are broken')
    expect(answer).toMatchObject({ stderr: 'the rules are broken\n', exitCode: 2 })
    expect(answer.stdout).toMatch(/^\{.+\}\n$/)
    expect(read(name, answer)).toMatchObject({ effect: 'deny', reason: 'the rules are broken' })
  })
})

describe.each(EventName.options.filter((name) => !refusable.includes(name)))(
  'at %s, which cannot be denied',
  (name) => {
    it('tells the user what is wrong', () => {
      expect(lastResort(name, 'the rules are broken')).toEqual({
        stdout: '{"systemMessage":"the rules are broken"}\n',
        stderr: 'the rules are broken\n',
        exitCode: 1,
      })
    })
  },
)

it.each([undefined, '', 'EventOfTomorrow', 'constructor', '__proto__'])('refuses an unknown event: %s', (name) => {
  expect(lastResort(name, 'm')).toEqual({
    stdout: '{"decision":"block","reason":"m"}\n',
    stderr: 'm\n',
    exitCode: 2,
  })
})

describe('an agent that was already kept from stopping', () => {
  it.each(['Stop', 'SubagentStop'])('is allowed to stop at %s, so that it does not run forever', (name) => {
    expect(lastResort(name, 'm', true)).toMatchObject({ stdout: '{"systemMessage":"m"}\n', exitCode: 1 })
    expect(lastResort(name, 'm', false).exitCode).toBe(2)
  })

  it('is still denied everything else', () => {
    expect(lastResort('PreToolUse', 'm', true).exitCode).toBe(2)
  })
})

it('prints one non-empty line without terminal control characters', () => {
  const answer = lastResort('PreToolUse', ' a\n\tb\u001b[31m\u202ec\u2028d ')
  expect(answer.stderr).toBe('a b [31m c d\n')
  expect(lastResort('PreToolUse', ' \n').stderr).toBe('hookgate cannot answer\n')
})
