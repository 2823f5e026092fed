import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createGate, type Gate, type GateOptions } from '../../src/library/index.ts'
import type { StateDeclaration, Step } from '../../src/model/past.ts'
import { pastLimits } from '../../src/model/past-limits.ts'
import { openPast } from '../../src/past/open-past.ts'
import { emptyHome, missing } from '../support/own-folder.ts'
import { claudeShell } from '../support/wire.ts'
import { folderWith } from '../support/workspace.ts'

const policy = (state: string, body: string) => `
import { count, definePolicy, deny, label } from 'hookgate/policy'
export default definePolicy({
  id: 'counting',
  description: 'part of a test',
  on: 'PreToolUse',
  state: { ${state} },
  decide({ state }) { ${body} },
})
`

function gateWith(source: string, more: GateOptions = {}): { gate: Gate; root: string } {
  const root = folderWith({ 'counting.policy.ts': source })
  const gate = createGate({
    home: emptyHome,
    managedFolder: missing,
    rules: [join(root, 'counting.policy.ts')],
    ...more,
  })
  onTestFinished(() => gate.close())
  return { gate, root }
}

async function decide({ gate, root }: { gate: Gate; root: string }, command: string, more: object = {}) {
  return gate.decide(await gate.decode({ ...claudeShell(command, root), ...more }))
}

const step = (more: Partial<Step>): Step => ({
  atMs: 0,
  agent: 'claude-code',
  session: 's',
  workspace: '/w',
  outcome: 'allowed',
  text: '',
  key: 'k',
  commands: [],
  impacts: [],
  paths: [],
  hosts: [],
  ...more,
})

describe('an agent that floods what happened before', () => {
  it('cannot push a label out of memory by many calls, nor by many sessions', async () => {
    const past = openPast(undefined)
    const secret: StateDeclaration = { kind: 'label', of: { command: 'cat' } }
    const value = (session: string) =>
      past.viewFor(step({ session })).read({ rule: 'r', name: 's', declaration: secret, code: '' })
    past.add(step({ session: 'one', text: 'cat .env', commands: ['cat .env'] }))
    expect(value('one')).toMatchObject({ value: { text: 'cat .env' } })
    for (let at = 0; at < 25_000; at += 1) past.add(step({ session: at % 2 === 0 ? 'one' : `s${at % 3000}` }))
    for (let at = 0; at < 1500; at += 1) value(`s${at}`)
    expect(value('one')).toMatchObject({ value: { text: 'cat .env' } })
  })

  it('has one call of thousands of commands count as one step of bounded size', async () => {
    const world = gateWith(
      policy(
        `seen: { initial: [0, 0], reduce: (seen, step) => [step.commands.length, Math.max(...step.commands.map((one) => one.length))] }`,
        `if (state.seen[0] > 0) return deny(state.seen.join())`,
      ),
    )
    const long = 'x'.repeat(5000)
    await decide(world, Array.from({ length: 300 }, (_, at) => `echo${at} ${long}`).join('; '))
    const { reason } = await decide(world, 'ls')
    const [commands = 0, longest = 0] = /(\d+),(\d+)/.exec(reason)?.slice(1).map(Number) ?? []
    expect(commands).toBe(pastLimits.stepEntriesMax)
    expect(longest).toBeLessThanOrEqual(pastLimits.stepTextCharactersMax)
  })

  it('makes a state of a policy fail, and so refuse, once it is longer than it may be', async () => {
    const world = gateWith(
      policy(
        `all: { initial: '', reduce: (all, step) => all + 'x'.repeat(5000) }`,
        `if (state.all === 'x') return deny('no')`,
      ),
    )
    expect((await decide(world, 'ls')).decision).toBe('abstain')
    expect((await decide(world, 'ls')).decision).toBe('abstain')
    const verdict = await decide(world, 'ls')
    expect(verdict).toMatchObject({
      decision: 'deny',
      reason: expect.stringContaining('the state `all` is over 8192 characters'),
    })
  })

  it('counts on without an end only within the groups that one state may have', async () => {
    const past = openPast(undefined)
    const byCall: StateDeclaration = { kind: 'count', of: {}, by: 'call' }
    for (let at = 0; at < 5000; at += 1) past.add(step({ key: `k${at}` }))
    expect(past.viewFor(step({ key: 'k4999' })).read({ rule: 'r', name: 's', declaration: byCall, code: '' })).toEqual({
      kind: 'value',
      value: 1,
    })
    expect(past.viewFor(step({ key: 'k0' })).read({ rule: 'r', name: 's', declaration: byCall, code: '' })).toEqual({
      kind: 'value',
      value: 0,
    })
  })
})

describe('a past that is taken away', () => {
  const limited = policy(`fetched: count({ command: 'curl' })`, `if (state.fetched > 0) return deny('enough')`)

  it('is not deleted or written by a call, where hookgate protects itself', async () => {
    const state = folderWith()
    const root = folderWith()
    const gate = createGate({ home: emptyHome, managedFolder: missing, state })
    onTestFinished(() => gate.close())
    for (const command of [
      `rm ${state}/past.db`,
      `: > ${state}/past.db`,
      `sqlite3 ${state}/past.db 'DELETE FROM steps'`,
    ]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect([command, (await decide({ gate, root }, command)).decision]).toEqual([command, 'deny'])
    }
  })

  it('has rules that count refuse while a folder stands in its place', async () => {
    const state = folderWith()
    mkdirSync(join(state, 'past.db'))
    expect(await decide(gateWith(limited, { state, record: false }), 'ls')).toMatchObject({
      decision: 'deny',
      reason: expect.stringContaining('the file of earlier calls cannot be read'),
    })
  })

  it('is that of the session that the agent names: another session has its own', async () => {
    const world = gateWith(limited)
    expect((await decide(world, 'curl a.dev')).decision).toBe('abstain')
    expect((await decide(world, 'curl a.dev')).decision).toBe('deny')
    expect((await decide(world, 'curl a.dev', { session_id: 'new' })).decision).toBe('abstain')
  })
})
