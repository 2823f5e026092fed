import { describe, expect, it } from 'vitest'
import { dialect as cline, clineContextCharactersMax } from '../../../src/agents/cline/wire.ts'
import { Decision } from '../../../src/model/effect.ts'
import type { Obligation, Outcome } from '../../../src/model/evaluation.ts'
import type { EventName, HookEvent } from '../../../src/model/event.ts'
import { type JsonObject, parseJsonObject } from '../../../src/model/json.ts'
import { abstention, type Verdict } from '../../../src/model/verdict.ts'
import { classicWire, clineHook, exited, surroundings, wires } from '../../support/cline-events.ts'

const decode = (wire: JsonObject) => cline.decodeEvent(wire, surroundings)
const events = Object.entries(wires).flatMap(([engine, all]) =>
  all.map((wire) => ({ engine, hookName: wire.hookName, event: decode(wire) })),
)
const eventOf = (engine: string, hookName: string) => {
  const found = events.find((row) => row.engine === engine && row.hookName === hookName)
  if (found === undefined) throw new Error(`no event ${hookName} of ${engine}`)
  return found.event
}
const preToolUse = eventOf('classic', 'PreToolUse')
const toolCall = eventOf('sdk', 'tool_call')
const encode = (event: HookEvent, verdict: Partial<Verdict>) => {
  const answer = cline.encodeVerdict(event, { ...abstention, ...verdict })
  return { ...answer, output: parseJsonObject(answer.stdout) }
}

describe('where Cline honors a cancel', () => {
  const refusable: Readonly<Record<string, readonly EventName[]>> = {
    classic: ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PreCompact'],
    extension: ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse'],
    sdk: ['PreToolUse', 'PostToolUse'],
  }

  it.each(events)('is known for each event: $hookName of $engine', ({ engine, event }) => {
    const refuses = refusable[engine]?.includes(event.name) ?? false
    expect(cline.support(event)).toEqual({
      deny: refuses ? 'native' : 'unsupported',
      defer: refuses ? 'asDeny' : 'unsupported',
      ask: refuses ? 'asDeny' : 'unsupported',
      allow: 'implicit',
      replaceInput: event === toolCall ? 'native' : refuses ? 'asDeny' : 'unsupported',
      // A refusal would end the task.
      replaceOutput: refuses && event.name !== 'PostToolUse' ? 'asDeny' : 'unsupported',
      stop: refuses ? 'asDeny' : 'unsupported',
      context: refuses ? 'native' : 'dropped',
      notice: 'dropped',
    })
  })

  it.each([
    ['3.89.2', 'native'],
    ['4.0.0', 'unsupported'],
    ['', 'native'],
  ])('depends on the agent’s version: %s', (clineVersion, deny) => {
    expect(cline.support(decode(classicWire('PreCompact', { clineVersion }))).deny).toBe(deny)
    expect(cline.support(decode({ hookName: 'PreCompact', cline_version: clineVersion })).deny).toBe(deny)
    expect(cline.support(decode({ hookName: 'PreCompact' })).deny).toBe('native')
  })

  it('follows the published protocol for an event of an unknown engine', () => {
    expect(cline.support({ ...preToolUse, agent: 'claude-code', raw: {} })).toEqual(cline.support(preToolUse))
  })
})

describe('a verdict', () => {
  const obligations: readonly (readonly Obligation[])[] = [
    [],
    [{ kind: 'replaceInput', input: { commands: ['ls -l'] } }],
    [{ kind: 'replaceOutput', output: 'hidden' }],
    [{ kind: 'stop', reason: 'enough' }],
  ]
  const verdicts = Decision.options.flatMap((decision) =>
    obligations.flatMap((owed) => ['', 'remember this'].map((context) => ({ decision, owed, context }))),
  )

  it.each(events)('round-trips as far as the protocol can express it: $hookName of $engine', ({ event }) => {
    const support = cline.support(event)
    for (const { decision, owed, context } of verdicts) {
      const reason = decision === 'abstain' ? '' : 'because'
      const answer = encode(event, { decision, cancel: decision === 'deny', reason, context, obligations: owed })
      const unmet = owed.filter(({ kind }) => support[kind] === 'asDeny')
      const denied = support.deny === 'native' && (['deny', 'defer', 'ask'].includes(decision) || unmet.length > 0)

      const isShown = support.replaceOutput === 'unsupported' && event.result !== undefined
      const warns = isShown && owed.some(({ kind }) => kind === 'replaceOutput')
      const told =
        'hookgate: a rule changes this output (), which Cline cannot do: do not repeat it, and do not use it as it is'
      const warning = warns ? `${context === '' ? '' : '\n\n'}${told}` : ''

      expect(answer.exitCode).toBe(0)
      expect(answer.stdout).toMatch(/^\{.*\}\n$/)
      expect(answer.stderr === '' || answer.stderr.startsWith('hookgate: ')).toBe(!denied)
      expect(partsOf(cline.decodeAnswer(event, {}, exited(answer.stdout), clineHook))).toEqual({
        effect: denied ? 'deny' : undefined,
        // A refusal because the protocol can't express an obligation must not start with the reason of an allow.
        reason: denied ? containing(decision === 'deny' ? reason : '') : undefined,
        obligations: denied ? [] : owed.filter(({ kind }) => support[kind] === 'native'),
        context: support.context === 'native' ? `${context}${warning}` : '',
      })
    }
  })

  it('that the protocol can’t express is reported on stderr', () => {
    const verdict: Partial<Verdict> = {
      decision: 'deny',
      cancel: true,
      reason: 'first line\nsecond line',
      context: 'c',
      obligations: [{ kind: 'stop', reason: 'enough' }],
      notices: ['for the person'],
    }
    const answer = encode(eventOf('classic', 'TaskComplete'), verdict)
    expect(answer).toMatchObject({ output: { cancel: false }, exitCode: 0 })
    const lines = answer.stderr.trimEnd().split('\n')
    expect(lines.every((line) => line.startsWith('hookgate: '))).toBe(true)
    for (const part of ['enough', 'first line', 'second line', 'a context of 1 characters', 'for the person']) {
      expect(answer.stderr).toContain(part)
    }
  })

  it('names the obligation where the input cannot be replaced', () => {
    const answer = encode(preToolUse, { obligations: [{ kind: 'replaceInput', input: {} }] })
    expect(answer.output).toEqual({
      cancel: true,
      errorMessage: 'a rule demands a different input, which Cline cannot do at PreToolUse',
    })
  })
})

describe('a refusal', () => {
  it('is one line of JSON, exit code 0, and the reason on stderr', () => {
    expect(encode(preToolUse, { decision: 'deny', cancel: true, reason: 'no\nnever', context: 'c' })).toEqual({
      stdout: '{"cancel":true,"errorMessage":"no\\nnever","contextModification":"c"}\n',
      output: { cancel: true, errorMessage: 'no\nnever', contextModification: 'c' },
      stderr: 'no\nnever\n',
      exitCode: 0,
    })
  })

  it('always has a reason, since Cline would show the context instead', () => {
    const refusals = [{ decision: 'deny', cancel: true } as const, { decision: 'ask' } as const]
    for (const refusal of refusals) {
      expect(encode(preToolUse, { ...refusal, reason: ' ', context: 'c' }).output).toMatchObject({
        cancel: true,
        errorMessage: expect.stringMatching(/^refused without a reason$/m),
      })
    }
  })

  it('has no reason without a refusal, since the SDK would pass it to the model', () => {
    expect(encode(toolCall, { decision: 'allow', reason: 'fine' }).output).toEqual({ cancel: false })
  })
})

describe('a context', () => {
  const max = clineContextCharactersMax

  it('is passed whole up to Cline’s limit', () => {
    const context = 'x'.repeat(max)
    expect(encode(preToolUse, { context })).toMatchObject({ output: { contextModification: context }, stderr: '' })
  })

  it.each(['x'.repeat(max + 1), '😀'.repeat(max), `x${'😀'.repeat(max)}`])(
    'that is longer is cut between characters, visibly, and reported',
    (context) => {
      const { output, stderr } = encode(preToolUse, { context })
      const cut = JSON.stringify(output?.['contextModification'])
        .slice(1, -1)
        .replaceAll(String.raw`\n`, '\n')
      expect(cut.length).toBeLessThanOrEqual(max)
      expect(cut.length).toBeGreaterThan(max - 2)
      expect(cut.isWellFormed()).toBe(true)
      expect(cut.endsWith('[… cut by hookgate: Cline takes 50000 characters]')).toBe(true)
      expect(stderr).toBe(
        `hookgate: the context has ${context.length} characters and was cut to 50000, the most that Cline takes\n`,
      )
    },
  )
})

/** `expect.stringContaining` with a type other than `any`. */
const containing = (text: string): unknown => expect.stringContaining(text)

function partsOf(outcome: Outcome) {
  if (outcome.kind !== 'applicable') return { effect: undefined, reason: undefined, obligations: [], context: '' }
  const { effect, reason, obligations, advice } = outcome
  const context = advice.flatMap((one) => (one.kind === 'addContext' ? [one.text] : [])).join('')
  return { effect, reason, obligations, context }
}
