import { describe, expect, it, vi } from 'vitest'
import { dialectBySight } from '../../src/agents/index.ts'
import { dialects } from '../support/dialects.ts'
import { lastResort } from '../../src/agents/last-resort.ts'
import { agentNames, descriptorOf } from '../../src/agents/registry.ts'
import type { Dialect } from '../../src/model/dialect.ts'
import { Decision } from '../../src/model/effect.ts'
import { type EventName, type HookEvent, HookEvent as HookEventSchema } from '../../src/model/event.ts'
import type { Obligation } from '../../src/model/evaluation.ts'
import { abstention, type Verdict } from '../../src/model/verdict.ts'
import { ruleNamed } from '../support/plans.ts'
import { sampleEvent } from '../support/samples.ts'

const surroundings = { nowMs: 1_790_000_000_000, env: {}, cwd: '/' }
const foreign = (dialect: Dialect) => agentNames.find((agent) => agent !== dialect.agent) ?? dialect.agent

/** Encodes and decodes a sample event, as if this agent had sent it. */
function ownEvent(dialect: Dialect, name: EventName): HookEvent {
  const [wire] = dialect.encodeEvent(sampleEvent(name, foreign(dialect)))
  if (wire === undefined) throw new Error(`${dialect.agent} cannot express ${name}`)
  return dialect.decodeEvent(wire, surroundings)
}

const obligations: Readonly<Record<Obligation['kind'], Obligation>> = {
  replaceInput: { kind: 'replaceInput', input: { command: 'ls' } },
  replaceOutput: { kind: 'replaceOutput', output: 'hidden' },
  stop: { kind: 'stop', reason: 'enough' },
}

function verdictOf(decision: Decision, demanded: readonly Obligation[] = [], more: Partial<Verdict> = {}): Verdict {
  return {
    ...abstention,
    decision,
    cancel: decision === 'deny',
    reason: decision === 'abstain' ? '' : 'because of the test',
    determining: decision === 'abstain' ? [] : ['rule'],
    obligations: demanded,
    ...more,
  }
}

/** The events that this dialect can encode. */
const expressible = (dialect: Dialect) =>
  dialect.events.filter((name) => dialect.encodeEvent(sampleEvent(name, foreign(dialect))).length > 0)

describe.each(Object.values(dialects))('the dialect of $agent', (dialect) => {
  const events = expressible(dialect)
  const hook = { ...ruleNamed('r').handler, dialect: dialect.agent }

  /** Decodes the gate's encoded verdict as if a hook of this agent had printed it. */
  const roundTripped = (event: HookEvent, verdict: Verdict) => {
    const { stdout, stderr, exitCode } = dialect.encodeVerdict(event, verdict)
    const failure =
      exitCode === 0 ? undefined : ({ code: 'nonzeroExit', message: `exited with code ${exitCode}` } as const)
    const exit = { kind: 'exited', exitCode, stdout, stderr, failure, durationMs: 1 } as const
    return dialect.decodeAnswer(event, event.raw, exit, hook)
  }

  it.each(Object.entries(descriptorOf(dialect.agent)?.events ?? {}))('can encode %s', (_ownName, described) => {
    const samples = described.events.flatMap((name) => {
      const sample = sampleEvent(name, foreign(dialect))
      return described.triggers?.map((trigger) => ({ ...sample, trigger })) ?? [sample]
    })
    expect(samples.flatMap((sample) => dialect.encodeEvent(sample))).not.toEqual([])
  })

  it.each(events)('decodes what it encodes: %s', (name) => {
    const event = sampleEvent(name, foreign(dialect))
    const wires = dialect.encodeEvent(event)
    expect(wires).toHaveLength(1)
    const { raw: _raw, agent, ...decoded } = dialect.decodeEvent(wires[0] ?? {}, surroundings)
    const { raw: _, agent: __, ...expected } = event
    expect(agent).toBe(dialect.agent)
    expect(decoded.name).toBe(expected.name)
    expect(decoded.session).toMatchObject(expected.session)
    expect({ ...decoded, session: undefined, tool: undefined }).toEqual({
      ...expected,
      session: undefined,
      tool: undefined,
    })
    if (expected.tool !== undefined) expect(decoded.tool).toMatchObject({ kind: 'shell', command: 'ls -l' })
  })

  it.each(events)('passes %s unchanged to a hook of the same agent', (name) => {
    const event = ownEvent(dialect, name)
    const futureKey = { ...event.raw, added_in_a_later_version: { kept: true } }
    const decoded = dialect.decodeEvent(futureKey, surroundings)
    expect(dialect.encodeEvent(decoded)).toEqual([futureKey])
  })

  it.each(events)('decodes %s into a frozen event that matches the schema', (name) => {
    const event = ownEvent(dialect, name)
    expect(HookEventSchema.safeParse(event).error).toBeUndefined()
    expect(Object.isFrozen(event)).toBe(true)
  })

  it.each(events)('recognises its own %s, and is the only one to', async (name) => {
    expect(await dialectBySight(ownEvent(dialect, name).raw)).toBe(dialect)
  })

  const cases = events.flatMap((name) => Decision.options.map((decision) => ({ name, decision })))
  it.each(cases)('round-trips $decision at $name', ({ name, decision }) => {
    const event = ownEvent(dialect, name)
    const support = dialect.support(event)
    const verdict = verdictOf(decision)
    const { stdout, stderr, exitCode } = dialect.encodeVerdict(event, verdict)
    if (stdout.trim().startsWith('{')) expect(JSON.parse(stdout)).toBeTypeOf('object')
    if (name === 'WorktreeCreate') return // Its answer is a path; see its own test.
    const outcome = roundTripped(event, verdict)
    const effect = outcome.kind === 'applicable' ? outcome.effect : undefined
    const expected = decision === 'abstain' ? 'implicit' : support[decision]
    switch (expected) {
      case 'native':
        expect(effect).toBe(decision)
        if (decision === 'deny') expect(stderr).toContain('because of the test')
        break
      case 'asDeny':
        expect(effect).toBe('deny')
        expect(outcome).toMatchObject({
          reason: expect.stringMatching(/because of the test[^]* cannot ask the person/),
        })
        break
      case 'implicit':
        expect([effect, exitCode]).toEqual([undefined, 0])
        break
      case 'unsupported':
        expect(effect).toBeUndefined()
        expect(stderr).toContain('because of the test')
        break
    }
  })

  const demands = events.flatMap((name) =>
    Object.values(obligations).map((demanded) => ({ name, kind: demanded.kind, demanded })),
  )
  it.each(demands)('carries out a $kind at $name, refuses, or names it on stderr', ({ name, kind, demanded }) => {
    const event = ownEvent(dialect, name)
    const decision = name === 'PermissionRequest' && kind === 'replaceInput' ? 'allow' : 'abstain'
    const verdict = verdictOf(decision, [demanded])
    if (name === 'WorktreeCreate') return
    const outcome = roundTripped(event, verdict)
    switch (dialect.support(event)[kind]) {
      case 'native':
        expect(outcome).toMatchObject({ kind: 'applicable', obligations: [{ kind }] })
        break
      case 'asReason':
        expect(outcome).toMatchObject({ effect: 'deny', reason: expect.stringMatching(/which is:\nhidden$/) })
        break
      case 'asDeny':
        expect(outcome).toMatchObject({ kind: 'applicable', effect: 'deny' })
        break
      case 'unsupported':
        expect(dialect.encodeVerdict(event, verdict).stderr).toContain('a rule demands')
        break
    }
  })

  it.each(events)('encodes a context at %s, or reports on stderr that it can’t', (name) => {
    const event = ownEvent(dialect, name)
    const verdict = verdictOf('abstain', [], { context: 'know this' })
    if (name === 'WorktreeCreate') return
    if (dialect.support(event).context === 'native') {
      expect(roundTripped(event, verdict)).toMatchObject({ advice: [{ kind: 'addContext', text: 'know this' }] })
    } else {
      expect(dialect.encodeVerdict(event, verdict).stderr).toContain('a context of 9 characters')
    }
  })

  it.each(events)('encodes a notice at %s, or prints it on stderr', (name) => {
    const event = ownEvent(dialect, name)
    const { stdout, stderr } = dialect.encodeVerdict(event, verdictOf('abstain', [], { notices: ['a hook broke'] }))
    expect(dialect.support(event).notice === 'native' ? stdout : stderr).toContain('a hook broke')
  })

  it.each(events)('prints no terminal control character at %s', (name) => {
    const event = ownEvent(dialect, name)
    const evil = '\u001b[2J\u009b31m\u0007\u202e'
    const verdict = verdictOf('deny', [obligations.stop], { reason: evil, context: evil, notices: [evil] })
    const { stdout, stderr } = dialect.encodeVerdict(event, verdict)
    // oxlint-disable-next-line no-control-regex -- they are what must not be there
    expect(stdout + stderr).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/)
  })

  it.each(events)('has a last resort for %s that refuses where the event can be denied', (name) => {
    const event = ownEvent(dialect, name)
    const { stdout, stderr, exitCode } = lastResort(dialect.agent, JSON.stringify(event.raw), 'it broke')
    expect(JSON.parse(stdout)).toBeTypeOf('object')
    expect(stderr).toMatch(/^hookgate cannot answer: it broke\n$/)
    const refuses = exitCode === 2 || stdout.includes('"cancel":true')
    // A broken gate cannot see earlier refusals, and must not keep an agent running forever.
    if (name !== 'TeammateIdle') expect(refuses).toBe(dialect.support(event).deny === 'native')
    if (!refuses) expect(exitCode).toBe(1)
  })

  it.each(['', '{', '[]', 'null', '{"x":1}', '\u0000'])('has a last resort for %j too, which refuses', (wire) => {
    const { stdout, stderr, exitCode } = lastResort(dialect.agent, wire, 'it broke')
    expect(exitCode === 2 || stdout.includes('"cancel":true')).toBe(true)
    expect(stderr).toContain('it broke')
  })
})

describe('recognising an agent by its event', () => {
  it('fails where none or several recognise it, and names those', async () => {
    const ours = Object.values(dialects).filter((dialect) => ['cline', 'cursor'].includes(dialect.agent))
    const spies = ours.map((dialect) => vi.spyOn(dialect, 'recognises').mockReturnValue(true))
    try {
      await expect(dialectBySight({})).rejects.toMatchObject({
        code: 'agentUnknown',
        message: expect.stringContaining('the event could be from any of these agents: cline, cursor'),
        remedy: 'name it: --agent cline | cursor',
      })
    } finally {
      for (const spy of spies) spy.mockRestore()
    }
    await expect(dialectBySight({})).rejects.toThrow('the event does not say which agent sent it')
  })
})

describe('the last resort', () => {
  it.each([...agentNames, 'nobody'])('for %s prints one line without terminal control characters', (agent) => {
    const { stdout, stderr } = lastResort(agent, '', 'two\nlines\u001b[2J\u202e and a bell\u0007 ')
    expect(stderr).toBe('hookgate cannot answer: two lines [2J and a bell\n')
    expect(stdout).toContain('"hookgate cannot answer: two lines [2J and a bell"')
  })

  it('does not take the event name from text that a model wrote', () => {
    const wire = JSON.stringify({
      tool_input: { command: 'echo \'"hook_event_name":"SessionEnd"\'', hook_event_name: 'SessionEnd' },
      session_id: 's',
      hook_event_name: 'PreToolUse',
    })
    expect(lastResort('claude-code', wire, 'it broke').exitCode).toBe(2)
    expect(lastResort('claude-code', wire.slice(0, -1), 'it broke').exitCode).toBe(2)
  })

  it('lets an agent stop that was kept from stopping before', () => {
    const stop = (active: boolean) => JSON.stringify({ hook_event_name: 'Stop', stop_hook_active: active })
    expect(lastResort('claude-code', stop(false), 'it broke').exitCode).toBe(2)
    expect(lastResort('claude-code', stop(true), 'it broke').exitCode).toBe(1)
  })
})
