/* oxlint-disable no-await-in-loop -- one request after the other is the point */
import { describe, expect, it } from 'vitest'
import { join } from 'node:path'
import { ask, headOf, type Listening, listening, sayRaw, type Wire, wireTo } from '../support/server.ts'
import { claudeShell } from '../support/wire.ts'
import { answers, folderWith, rulesWith } from '../support/workspace.ts'

const body = JSON.stringify(claudeShell('ls', '/'))
/** Short, but long enough for a well-behaved request on a loaded machine. */
const inTime = { headersMs: 2000, bodyMs: 2000, lateCheckMs: 50 }
/** Never times out, however loaded the machine is. */
const patient = { headersMs: 600_000, bodyMs: 600_000 }

const denies = answers({
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'not here' },
})

function denying() {
  const hook = join(folderWith({ 'hook.sh': denies }), 'hook.sh')
  return { rules: [join(folderWith({ 'hooks.json': rulesWith('PreToolUse', hook) }), 'hooks.json')] }
}

async function expectDenied(listener: Listening) {
  const answer = await ask(listener, '/claude-code', { body })
  expect([answer.status, answer.json()]).toMatchObject([
    200,
    { hookSpecificOutput: { permissionDecisionReason: expect.stringContaining('not here') } },
  ])
}

describe.each(['tcp', 'unix'] as const)('over %s', (kind) => {
  it('incomplete headers are answered with 408 after the timeout', async () => {
    const listener = await listening({ kind, limits: inTime })
    expect(await sayRaw(listener, headOf(listener, 'POST /claude-code'))).toMatch(/^HTTP\/1\.1 408 .*"requestTimeout"/s)
    expect((await ask(listener, '/healthz')).status).toBe(200)
  })

  it.each([
    ['/claude-code', /^HTTP\/1\.1 200 .*"decision":"block".*did not arrive completely/s],
    ['/v1/hook/cline', /^HTTP\/1\.1 200 .*"cancel":true.*did not arrive completely/s],
    ['/v1/decide', /^HTTP\/1\.1 408 .*"requestTimeout"/s],
    ['/claude-hook', /^HTTP\/1\.1 408 .*"requestTimeout"/s],
  ])('half of an event for %s is refused when its time is over', async (path, want) => {
    const listener = await listening({ kind, limits: inTime })
    const head = headOf(listener, `POST ${path}`, `content-length: ${body.length}`)
    expect(await sayRaw(listener, `${head}\r\n${body.slice(0, 50)}`)).toMatch(want)
    expect(listener.shared.admission.bytesHeld).toBe(0)
  })
})

describe('slow writers', () => {
  it('delay no other client by sending single bytes, and are refused in the end', async () => {
    const listener = await listening({ limits: inTime, gate: denying() })
    const writers = await Promise.all(Array.from({ length: 100 }, () => wireTo(listener)))
    const head = headOf(listener, 'POST /claude-code', `content-length: ${body.length}`)
    const dripping = setInterval(() => {
      for (const { socket } of writers) socket.write(' ')
    }, 20)
    for (const { socket } of writers) socket.write(`${head}\r\n`)
    try {
      for (let n = 0; n < 5; n += 1) await expectDenied(listener)
      for (const output of await Promise.all(writers.map(({ closed }) => closed))) {
        expect(output).toMatch(/^HTTP\/1\.1 200 .*did not arrive completely/s)
      }
    } finally {
      clearInterval(dripping)
    }
    expect(listener.shared.admission).toMatchObject({ underWay: 0, bytesHeld: 0 })
  })

  it('a client that does not read its answer delays no other client', async () => {
    const listener = await listening({ gate: denying() })
    const deaf = await Promise.all(Array.from({ length: 20 }, () => wireTo(listener)))
    const request = `${headOf(listener, 'GET /metrics')}\r\n`
    for (const { socket } of deaf) {
      socket.pause()
      socket.write(request.repeat(200))
    }
    await expectDenied(listener)
    expect(deaf.every(({ socket }) => !socket.destroyed)).toBe(true)
  })
})

describe('connections', () => {
  /** Connects a few at a time: the gate accepts one per turn of its loop, and the system's backlog is limited. */
  const idleOnes = async (listener: Listening, count: number): Promise<Wire[]> => {
    const wires: Wire[] = []
    while (wires.length < count) {
      wires.push(...(await Promise.all(Array.from({ length: 5 }, () => wireTo(listener)))))
    }
    return wires
  }

  it.each(['tcp', 'unix'] as const)('1,000 idle ones over %s do not block other clients', async (kind) => {
    const listener = await listening({ kind, gate: denying(), limits: patient })
    const idle = await idleOnes(listener, 1000)
    for (let n = 0; n < 5; n += 1) await expectDenied(listener)
    expect(idle.filter(({ socket }) => socket.destroyed).length).toBe(0)
  })

  it.each([
    ['send nothing', ''],
    ['are in the middle of their headers', 'POST /claude-code HTTP/1.1\r\nhost: '],
    ['are in the middle of an event', 'EVENT'],
  ])('beyond the limit, that %s, are dropped in favour of active ones', async (_, sent) => {
    const listener = await listening({ gate: denying(), limits: { ...patient, connectionsMax: 100 } })
    const half = sent === 'EVENT' ? `${headOf(listener, 'POST /claude-code', 'content-length: 1000')}\r\n{` : sent
    const idle = await idleOnes(listener, 100)
    for (const { socket } of idle) socket.write(half)
    for (let n = 0; n < 5; n += 1) await expectDenied(listener)
    await idle[0]?.closed
    expect(idle.slice(10).filter(({ socket }) => socket.destroyed).length).toBe(0)
  })

  it('are closed after a long idle time', async () => {
    const listener = await listening({ limits: { idleMs: 50 } })
    const output = await sayRaw(listener, `${headOf(listener, 'GET /healthz')}\r\n`)
    expect(output).toMatch(/^HTTP\/1\.1 200 .*keep-alive/s)
  })

  it('that are all being answered reach the limit, and the next is refused with a reason', async () => {
    const listener = await listening({ limits: { connectionsMax: 2 } })
    const streaming = await Promise.all([wireTo(listener), wireTo(listener)])
    for (const { socket, received } of streaming) {
      socket.write(`${headOf(listener, 'GET /v1/events', 'accept: text/event-stream')}\r\n`)
      await expect.poll(received).toContain('200 OK')
    }
    const { closed } = await wireTo(listener)
    expect(await closed).toMatch(/^HTTP\/1\.1 503 .*"busy"/s)
    streaming[0]?.socket.destroy()
    await expect
      .poll(() =>
        ask(listener, '/healthz').then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(200)
  })
})
