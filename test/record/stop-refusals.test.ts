import { mkdirSync, mkdtempSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { abstention } from '../../src/combine/combine.ts'
import type { EventName, HookEvent } from '../../src/model/event.ts'
import { limits } from '../../src/model/limits.ts'
import type { Verdict } from '../../src/model/verdict.ts'
import { openStopRefusals, type StopRefusals } from '../../src/record/stop-refusals.ts'
import { sampleEvent } from '../support/samples.ts'

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

/** Refuses until it is let go; how often it was refused before. */
function refusalsUntilLetGo(settle: () => StopRefusals['settle']): number {
  for (let times = 0; times < 100; times += 1) if (settle()(stop, refusal).decision !== 'deny') return times
  throw new Error('it is never let go')
}

describe.each([
  ['a gate that stays', () => openStopRefusals()],
  ['a gate for each event', () => openStopRefusals(newFolder())],
])('the end of a turn, by %s', (name, open) => {
  it('is refused as often in a row as is allowed, then let go with a notice, and refused again', () => {
    const { settle } = open()
    expect(refusalsUntilLetGo(() => settle)).toBe(limits.stopRefusalsMax)
    expect(refusalsUntilLetGo(() => settle)).toBe(limits.stopRefusalsMax)
    for (let times = 0; times < limits.stopRefusalsMax; times += 1) settle(stop, refusal)
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
    ['an end that nobody refuses', stop, abstention],
    ['a prompt of a person', event('UserPromptSubmit', { prompt: 'go on' }), abstention],
  ])('is counted anew after %s', (_what, between, verdict) => {
    const { settle } = open()
    for (let times = 0; times < limits.stopRefusalsMax; times += 1) settle(stop, refusal)
    settle(between, verdict)
    expect(refusalsUntilLetGo(() => settle)).toBe(limits.stopRefusalsMax)
  })

  it.each([
    ['an empty prompt, which Qwen Code sends after every batch of tools', event('UserPromptSubmit', { prompt: '' })],
    ['a tool call', event('PreToolUse')],
  ])('is not counted anew after %s', (_what, between) => {
    const { settle } = open()
    for (let times = 0; times < limits.stopRefusalsMax; times += 1) settle(stop, refusal)
    settle(between, abstention)
    expect(settle(stop, refusal).decision).toBe('abstain')
  })

  it('is counted by session and sub-agent', () => {
    const { settle } = open()
    for (let times = 0; times < limits.stopRefusalsMax; times += 1) settle(stop, refusal)
    for (const session of [
      { ...stop.session, id: 'other' },
      { ...stop.session, agentId: 'sub' },
    ])
      expect(settle({ ...stop, session }, refusal).decision).toBe('deny')
    expect(settle({ ...stop, agent: 'droid' }, refusal).decision).toBe('deny')
    expect(settle(stop, refusal).decision).toBe('abstain')
  })

  it('is counted apart from that of the sub-agents that come to their end in between', () => {
    const { settle } = open()
    const subagent = event('SubagentStop')
    for (let times = 0; times < limits.stopRefusalsMax; times += 1) {
      settle(stop, refusal)
      settle(subagent, abstention)
    }
    expect(settle(subagent, refusal).decision).toBe('deny')
    expect(settle(stop, refusal).decision).toBe('abstain')
    settle(event('UserPromptSubmit', { prompt: 'go on' }), abstention)
    for (let times = 0; times < limits.stopRefusalsMax; times += 1) settle(subagent, refusal)
    expect(settle(subagent, refusal).decision).toBe('abstain')
  })

  it(`lets no other event go (${name})`, () => {
    const { settle } = open()
    for (let times = 0; times < 20; times += 1) expect(settle(event('PreToolUse'), refusal).decision).toBe('deny')
  })
})

describe('a gate for each event', () => {
  it('remembers what the one before it has counted, and nothing of sessions that are long over', () => {
    const folder = newFolder()
    expect(refusalsUntilLetGo(() => openStopRefusals(folder).settle)).toBe(limits.stopRefusalsMax)
    expect(readdirSync(folder)).toEqual([])
    const old = join(folder, 'old')
    writeFileSync(old, '3')
    utimesSync(old, 0, 0)
    openStopRefusals(folder).settle(stop, refusal)
    expect(readdirSync(folder)).toHaveLength(1)
    expect(readdirSync(folder)).not.toContain('old')
  })

  it('counts on beside what is none of its own, and where another one removes what is old at the same time', () => {
    const folder = newFolder()
    mkdirSync(join(folder, 'folder', 'full'), { recursive: true })
    utimesSync(join(folder, 'folder'), 0, 0)
    symlinkSync(join(folder, 'gone'), join(folder, 'link'))
    expect(refusalsUntilLetGo(() => openStopRefusals(folder).settle)).toBe(limits.stopRefusalsMax)
  })

  it('refuses all the same where nothing can be kept', () => {
    const file = join(newFolder(), 'file')
    writeFileSync(file, '')
    expect(openStopRefusals(file).settle(stop, refusal).decision).toBe('deny')
  })

  it.each([{ stop_hook_active: true }, { loop_count: 1 }])(
    'is let go where nothing can be kept and the event itself says that it was refused before: %j',
    (said) => {
      const file = join(newFolder(), 'file')
      writeFileSync(file, '')
      const again = { ...stop, raw: { ...stop.raw, ...said } }
      const { decision, notices } = openStopRefusals(file).settle(again, refusal)
      expect(decision).toBe('abstain')
      expect(notices).toEqual([expect.stringMatching(/refused again and again.*the tests fail/)])
      expect(openStopRefusals(newFolder()).settle(again, refusal).decision).toBe('deny')
    },
  )
})

describe('a gate that stays and shares what it counts', () => {
  it('lets an agent go that was refused by others, or by the one before it', () => {
    const folder = newFolder()
    const gates = [openStopRefusals(folder), openStopRefusals(folder)]
    let turn = 0
    expect(refusalsUntilLetGo(() => gates[(turn += 1) % 2]?.settle ?? openStopRefusals(folder).settle)).toBe(
      limits.stopRefusalsMax,
    )
  })

  it('still lets one go where nothing can be written', () => {
    const file = join(newFolder(), 'file')
    writeFileSync(file, '')
    const { settle } = openStopRefusals(file)
    expect(refusalsUntilLetGo(() => settle)).toBe(limits.stopRefusalsMax)
    settle(stop, refusal)
    settle(event('UserPromptSubmit', { prompt: 'go on' }), abstention)
    expect(refusalsUntilLetGo(() => settle)).toBe(limits.stopRefusalsMax)
  })
})
