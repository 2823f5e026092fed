import { describe, expect, it, onTestFinished } from 'vitest'
import { createGate, HookgateError } from '../src/index.ts'
import type { JsonObject } from '../src/model/json.ts'
import { claudeShell } from './support/wire.ts'

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

describe('what a program without types may hand over', () => {
  const wires: readonly [string, unknown, string][] = [
    ['null', null, 'an event must be an object, not null'],
    ['nothing', undefined, 'an event must be an object, not nothing'],
    ['a number', 42, 'an event must be an object, not a number'],
    ['a list', [], 'an event must be an object, not an array'],
    ['an object that throws', new Proxy({}, { ownKeys: thrower }), 'the event cannot be read: not for you'],
    ['a revoked proxy', revoked(), 'revoked'],
  ]

  it.each(wires)('is refused where it is %s, and not thrown back', async (_what, wire, why) => {
    const gate = openGate()
    // oxlint-disable-next-line no-unsafe-type-assertion -- as said
    const given = wire as JsonObject
    const { exitCode, stderr } = await gate.answer(given, { agent: 'claude-code' })
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(why) })
    // Where nobody knows who asks, in the words of all of them.
    expect((await gate.answer(given)).stdout).toContain('"cancel":true')
  })

  it.each(wires)('is no event where it is %s, and that is told by a typed error', async (_what, wire) => {
    const gate = openGate()
    // oxlint-disable-next-line no-unsafe-type-assertion -- as said
    const given = wire as JsonObject
    await expect(gate.decode(given)).rejects.toThrow(HookgateError)
  })

  it('is refused in the words of its event where only a field of it cannot be looked at', async () => {
    const wire = Object.defineProperty({ ...claudeShell('ls', '/') }, 'secret', { enumerable: true, get: thrower })
    const { stdout } = await openGate().answer(wire, { agent: 'claude-code' })
    expect(JSON.parse(stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } })
  })

  it('is named where it is no agent, and is no options where it is null', async () => {
    const gate = openGate()
    // oxlint-disable no-unsafe-type-assertion -- as said
    const { stderr } = await gate.answer(claudeShell('ls', '/'), { agent: 5 as unknown as 'cline' })
    expect(stderr).toContain('there is no agent `5`')
    const nothing = null as unknown as undefined
    expect(await gate.answer(claudeShell('ls', '/'), nothing)).toMatchObject({ exitCode: 0, stderr: '' })
    // oxlint-enable no-unsafe-type-assertion
  })
})
