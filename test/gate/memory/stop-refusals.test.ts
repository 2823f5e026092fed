import { mkdirSync, mkdtempSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { EventName, HookEvent } from '../../../src/model/event.ts'
import { abstention, type Verdict } from '../../../src/model/verdict.ts'
import { openStops } from '../../../src/gate/gate-memory.ts'
import type { StopRefusals } from '../../../src/gate/memory/stop-refusals.ts'
import { sampleEvent } from '../../support/samples.ts'
import { stopRefusalsMax } from '../../../src/gate/memory/stop-refusals.ts'

const refusal: Verdict = {
  ...abstention,
  decision: 'deny',
  cancel: true,
  reason: 'the tests fail',
  determining: ['rule'],
}
const event = (name: EventName, more: Partial<HookEvent> = {}): HookEvent => ({
  ...sampleEvent(name, 'codex'),
  ...more,
})
const stop = event('Stop')
const newFolder = () => mkdtempSync(join(tmpdir(), 'hookgate-stops-'))

/** Refuses until the stop is permitted, and counts the refusals before. */
function refusalsUntilPermitted(settle: () => StopRefusals['settle']): number {
  for (let times = 0; times < 100; times += 1) if (settle()(stop, refusal).decision !== 'deny') return times
  throw new Error('it is never let go')
}

describe.each([
  ['a gate that stays', () => openStops()],
  ['a gate for each event', () => openStops(newFolder())],
])('the end of a turn, by %s', (name, open) => {
  it('is refused up to the limit in a row, then permitted with a notice, then refused again', () => {
    const { settle } = open()
    expect(refusalsUntilPermitted(() => settle)).toBe(stopRefusalsMax)
    expect(refusalsUntilPermitted(() => settle)).toBe(stopRefusalsMax)
    for (let times = 0; times < stopRefusalsMax; times += 1) settle(stop, refusal)
    const { decision, cancel, reason, determining, notices } = settle(stop, refusal)
    expect({ decision, cancel, reason, determining }).toEqual({
      decision: 'abstain',
      cancel: false,
      reason: '',
      determining: [],
    })
    expect(notices).toEqual([expect.stringMatching(/refused 8 times in a row.*the tests fail/)])
  })

  it.each([
    ['a stop that no rule refuses', stop, abstention],
    ['a prompt of a person', event('UserPromptSubmit', { prompt: 'go on' }), abstention],
  ])('is counted anew after %s', (_what, between, verdict) => {
    const { settle } = open()
    for (let times = 0; times < stopRefusalsMax; times += 1) settle(stop, refusal)
    settle(between, verdict)
    expect(refusalsUntilPermitted(() => settle)).toBe(stopRefusalsMax)
  })

  it.each([
    ['an empty prompt, which Qwen Code sends after every batch of tools', event('UserPromptSubmit', { prompt: '' })],
    ['a tool call', event('PreToolUse')],
  ])('is not counted anew after %s', (_what, between) => {
    const { settle } = open()
    for (let times = 0; times < stopRefusalsMax; times += 1) settle(stop, refusal)
    settle(between, abstention)
    expect(settle(stop, refusal).decision).toBe('abstain')
  })

  it('is counted by session and sub-agent', () => {
    const { settle } = open()
    for (let times = 0; times < stopRefusalsMax; times += 1) settle(stop, refusal)
    for (const session of [
      { ...stop.session, id: 'other' },
      { ...stop.session, agentId: 'sub' },
    ])
      expect(settle({ ...stop, session }, refusal).decision).toBe('deny')
    expect(settle({ ...stop, agent: 'droid' }, refusal).decision).toBe('deny')
    expect(settle(stop, refusal).decision).toBe('abstain')
  })

  it('is counted apart from its sub-agents that stop in between', () => {
    const { settle } = open()
    const subagent = event('SubagentStop')
    for (let times = 0; times < stopRefusalsMax; times += 1) {
      settle(stop, refusal)
      settle(subagent, abstention)
    }
    expect(settle(subagent, refusal).decision).toBe('deny')
    expect(settle(stop, refusal).decision).toBe('abstain')
    settle(event('UserPromptSubmit', { prompt: 'go on' }), abstention)
    for (let times = 0; times < stopRefusalsMax; times += 1) settle(subagent, refusal)
    expect(settle(subagent, refusal).decision).toBe('abstain')
  })

  it(`permits no other event (${name})`, () => {
    const { settle } = open()
    for (let times = 0; times < 20; times += 1) expect(settle(event('PreToolUse'), refusal).decision).toBe('deny')
  })
})

describe('a gate for each event', () => {
  it('keeps the counts of the previous gate, except for sessions long over', () => {
    const folder = newFolder()
    expect(refusalsUntilPermitted(() => openStops(folder).settle)).toBe(stopRefusalsMax)
    expect(readdirSync(folder)).toEqual([])
    const old = join(folder, 'old')
    writeFileSync(old, '3')
    utimesSync(old, 0, 0)
    openStops(folder).settle(stop, refusal)
    expect(readdirSync(folder)).toHaveLength(1)
    expect(readdirSync(folder)).not.toContain('old')
  })

  it('keeps counting beside foreign files, and while another gate removes old ones', () => {
    const folder = newFolder()
    mkdirSync(join(folder, 'folder', 'full'), { recursive: true })
    utimesSync(join(folder, 'folder'), 0, 0)
    symlinkSync(join(folder, 'gone'), join(folder, 'link'))
    expect(refusalsUntilPermitted(() => openStops(folder).settle)).toBe(stopRefusalsMax)
  })

  it('still refuses if nothing can be stored', () => {
    const file = join(newFolder(), 'file')
    writeFileSync(file, '')
    expect(openStops(file).settle(stop, refusal).decision).toBe('deny')
  })

  it.each([{ stop_hook_active: true }, { stopHookActive: true }, { loop_count: 1 }])(
    'is permitted if nothing can be stored and the event itself reports a previous refusal: %j',
    (fields) => {
      const file = join(newFolder(), 'file')
      writeFileSync(file, '')
      const again = { ...stop, raw: { ...stop.raw, ...fields } }
      const { decision, notices } = openStops(file).settle(again, refusal)
      expect(decision).toBe('abstain')
      expect(notices).toEqual([expect.stringMatching(/refused again and again.*the tests fail/)])
      expect(openStops(newFolder()).settle(again, refusal).decision).toBe('deny')
    },
  )
})

describe('a resident gate that shares its counts', () => {
  it('permits a stop that other gates, or the previous one, have refused', () => {
    const folder = newFolder()
    const gates = [openStops(folder), openStops(folder)]
    let turn = 0
    expect(refusalsUntilPermitted(() => gates[(turn += 1) % 2]?.settle ?? openStops(folder).settle)).toBe(
      stopRefusalsMax,
    )
  })

  it('still permits a stop if nothing can be written', () => {
    const file = join(newFolder(), 'file')
    writeFileSync(file, '')
    const { settle } = openStops(file)
    expect(refusalsUntilPermitted(() => settle)).toBe(stopRefusalsMax)
    settle(stop, refusal)
    settle(event('UserPromptSubmit', { prompt: 'go on' }), abstention)
    expect(refusalsUntilPermitted(() => settle)).toBe(stopRefusalsMax)
  })
})
