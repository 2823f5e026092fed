import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createGate, HookgateError } from '../../src/library/index.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { claudeShell } from '../support/wire.ts'
import { folderWith, rulesWith } from '../support/workspace.ts'

function openGate() {
  const gate = createGate({ discover: false })
  onTestFinished(() => gate.close())
  return gate
}

const thrower = (): never => {
  throw new Error('not for you')
}

function revoked() {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

describe('input from an untyped program', () => {
  const wires: readonly [string, unknown, string][] = [
    ['null', null, 'an event must be an object, not null'],
    ['nothing', undefined, 'an event must be an object, not nothing'],
    ['a number', 42, 'an event must be an object, not a number'],
    ['a list', [], 'an event must be an object, not an array'],
    ['an object that throws', new Proxy({}, { ownKeys: thrower }), 'the event cannot be read: not for you'],
    ['a revoked proxy', revoked(), 'revoked'],
  ]

  it.each(wires)('is refused without an exception where it is %s', async (_what, wire, why) => {
    const gate = openGate()
    // oxlint-disable-next-line no-unsafe-type-assertion -- untyped input under test
    const given = wire as JsonObject
    const { exitCode, stderr } = await gate.answer(given, { agent: 'claude-code' })
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(why) })
    // The answer for an unknown agent combines every agent's format.
    expect((await gate.answer(given)).stdout).toContain('"cancel":true')
  })

  it.each(wires)('is rejected with a typed error where it is %s', async (_what, wire) => {
    const gate = openGate()
    // oxlint-disable-next-line no-unsafe-type-assertion -- untyped input under test
    const given = wire as JsonObject
    await expect(gate.decode(given)).rejects.toThrow(HookgateError)
  })

  it('is refused in its event’s format where only one field cannot be read', async () => {
    const wire = Object.defineProperty({ ...claudeShell('ls', '/') }, 'secret', { enumerable: true, get: thrower })
    const { stdout } = await openGate().answer(wire, { agent: 'claude-code' })
    expect(JSON.parse(stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } })
  })

  it('is named where it is no agent, and means no options where it is null', async () => {
    const gate = openGate()
    // oxlint-disable no-unsafe-type-assertion -- untyped input under test
    const { stderr } = await gate.answer(claudeShell('ls', '/'), { agent: 5 as unknown as 'cline' })
    expect(stderr).toContain('there is no agent `5`')
    const nothing = null as unknown as undefined
    expect(await gate.answer(claudeShell('ls', '/'), nothing)).toMatchObject({ exitCode: 0, stderr: '' })
    // oxlint-enable no-unsafe-type-assertion
  })

  it('is refused where its options throw or have the wrong type', async () => {
    const gate = openGate()
    // oxlint-disable no-unsafe-type-assertion -- untyped input under test
    const hostile = { toString: thrower } as unknown as 'cline'
    expect((await gate.answer(claudeShell('ls', '/'), { agent: hostile })).stderr).toContain('there is no agent')
    await expect(gate.decode(claudeShell('ls', '/'), { agent: hostile })).rejects.toThrow(HookgateError)
    const throwing = new Proxy({}, { get: thrower })
    expect((await gate.answer(claudeShell('ls', '/'), throwing)).stderr).toContain('not for you')
    const nothing = null as unknown as undefined
    const event = await gate.decode(claudeShell('ls', '/'), nothing)
    expect(await gate.decide(event, nothing)).toMatchObject({ decision: 'abstain' })
    await expect(gate.rulesFor({} as never)).rejects.toMatchObject({ code: 'eventMalformed' })
    // oxlint-enable no-unsafe-type-assertion
  })

  it('is neither changed nor frozen', async () => {
    const wire = claudeShell('ls', '/')
    await openGate().answer(wire, { agent: 'claude-code' })
    expect([Object.isFrozen(wire), Object.isFrozen(wire['tool_input'])]).toEqual([false, false])
  })

  it('is refused where its signal is invalid, and the gate can still be closed', async () => {
    const folder = folderWith({ 'hooks.json': rulesWith('PreToolUse', 'exit 0') })
    const gate = createGate({ discover: false, rules: [join(folder, 'hooks.json')] })
    // oxlint-disable-next-line no-unsafe-type-assertion -- untyped input under test
    const signal = {} as AbortSignal
    const { stderr } = await gate.answer(claudeShell('ls', '/'), { agent: 'claude-code', signal })
    expect(stderr).toContain('`signal` must be an AbortSignal')
    await expect(gate.decide(await gate.decode(claudeShell('ls', '/')), { signal })).rejects.toMatchObject({
      code: 'usage',
    })
    await gate.close()
  })
})

describe('an event built by the program itself', () => {
  const own = async (gate: ReturnType<typeof openGate>) => structuredClone(await gate.decode(claudeShell('ls', '/')))
  const denying = () => {
    const folder = folderWith({ 'hooks.json': rulesWith('PreToolUse', 'exit 2') })
    const gate = createGate({ discover: false, rules: [join(folder, 'hooks.json')] })
    onTestFinished(() => gate.close())
    return gate
  }

  it('is decided on the copy that was validated, whatever its getters return later', async () => {
    const gate = denying()
    let reads = 0
    const name = () => ((reads += 1) > 2 ? 'PostToolUse' : 'PreToolUse')
    const event = Object.defineProperty({ ...(await own(gate)) }, 'name', { enumerable: true, get: name })
    expect((await gate.decide(event)).decision).toBe('deny')
  })

  it('that is changed meanwhile is decided as it was', async () => {
    const gate = denying()
    const event = { ...(await own(gate)) }
    const decided = gate.decide(event)
    event.name = 'PostToolUse'
    expect((await decided).decision).toBe('deny')
  })

  it('is rejected where its time is not a valid date', async () => {
    const gate = denying()
    await expect(gate.decide({ ...(await own(gate)), atMs: 1e300 })).rejects.toMatchObject({ code: 'eventMalformed' })
  })
})
