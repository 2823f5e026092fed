import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { limits } from '../../src/model/limits.ts'
import { opening, parseReply, requestHead, requestHeadBytesMax } from '../../src/service/frames.ts'
import { proofOf } from '../../src/files/proof.ts'
import { requestIn } from '../../src/service/client/probe.ts'
import { createShared } from '../../src/service/server/http/listener.ts'
import { runsOf } from '../support/sample.ts'
import { ask, type Listening, listening, sayRaw, wireTo } from '../support/server.ts'
import { frameOf, testKey } from '../support/thin-client.ts'
import { claudeShell } from '../support/wire.ts'
import { answers, folderWith, rulesWith } from '../support/workspace.ts'

const denies = answers({
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'not here' },
})
const framed = { key: testKey, folder: '/nowhere', status: () => Promise.resolve({ fine: true }), drain: () => {} }
/** Never times out, however loaded the machine is. */
const patient = { headersMs: 600_000, bodyMs: 600_000 }
const inTime = { headersMs: 1000, bodyMs: 1000 }

/** A gate that refuses every call, at a socket for frames and HTTP. */
function gateWith(options: Parameters<typeof listening>[0] = {}) {
  const folder = folderWith({ 'hook.sh': denies })
  const rules = [`${folderWith({ 'hooks.json': rulesWith('PreToolUse', `${folder}/hook.sh`) })}/hooks.json`]
  return listening({ kind: 'unix', framed, gate: { rules }, limits: patient, ...options })
}

const event = Buffer.from(JSON.stringify(claudeShell('ls', '/')))
const challenge = '5a'.repeat(16)
const hook = { to: 'hook', agent: 'claude-code', version: '1.2.3', challenge, callerBytes: 0 }
const request = (head: object = hook, body: Uint8Array = event) => Buffer.concat([requestHead(head, body.length), body])

/** Returns the gate's whole answer to some bytes; its proof counts if it is for all of them. */
async function answerTo(gate: Listening, bytes: Uint8Array) {
  const reply = Buffer.from(await sayRaw(gate, bytes), 'latin1')
  const answer = parseReply(reply, limits.eventBytesMax)
  if (typeof answer === 'string') return { kind: answer, text: reply.toString() }
  const digest = requestIn(Buffer.from(bytes))?.digest ?? ''
  const isProved = answer.proof === proofOf(testKey, digest, answer)
  return { exitCode: answer.exitCode, text: Buffer.from(answer.stdout).toString(), isProved }
}

const refused = (code: string, isProved: boolean) => ({
  exitCode: 3,
  text: expect.stringContaining(`"code":"${code}"`) as unknown,
  isProved,
})
const denied = { exitCode: 2, text: expect.stringContaining('not here') as unknown, isProved: true }

async function expectAlive(gate: Listening) {
  expect(await answerTo(gate, request())).toEqual(denied)
  expect((await ask(gate, '/healthz')).status).toBe(200)
  await expect.poll(() => gate.shared.admission).toMatchObject({ underWay: 0, bytesHeld: 0 })
}

describe('a gate’s socket', () => {
  it('answers frames and HTTP, each in its own way, also when they come byte by byte', async () => {
    const gate = await gateWith()
    await expectAlive(gate)
    const { socket, closed } = await wireTo(gate)
    // oxlint-disable-next-line no-await-in-loop -- one after the other is the point
    for (const byte of request()) await new Promise((resolve) => socket.write(Buffer.of(byte), resolve))
    expect(await closed).toContain('not here')
    const status = { to: 'status', version: '1.2.3', challenge }
    expect(await answerTo(gate, request(status, Buffer.alloc(0)))).toMatchObject({
      text: '{"fine":true}\n',
      exitCode: 0,
    })
  })

  it.each<[string, Uint8Array, ReturnType<typeof refused>]>([
    [
      'another protocol',
      Buffer.from(request().toString('latin1').replace('/1', '/2'), 'latin1'),
      refused('versionMismatch', false),
    ],
    ['another version', request({ ...hook, version: '1.2.4' }), refused('versionMismatch', true)],
    [
      'another version of a command',
      request({ to: 'events', version: '1.2.4', challenge }),
      refused('versionMismatch', true),
    ],
    ['garbage behind its first byte', Buffer.from('h'.repeat(400)), refused('versionMismatch', false)],
    [
      'garbage behind its opening',
      Buffer.from(`${opening}${'\0\xff'.repeat(400)}`),
      refused('requestMalformed', false),
    ],
    [
      'a head that is too long',
      Buffer.concat([Buffer.from(opening), frameOf('h', '{', requestHeadBytesMax + 1)]),
      refused('requestMalformed', false),
    ],
    [
      'a head of four gigabytes',
      Buffer.concat([Buffer.from(opening), frameOf('h', '{', 0xffffffff)]),
      refused('requestMalformed', false),
    ],
    [
      'a head that is no JSON',
      Buffer.concat([Buffer.from(opening), frameOf('h', '{"to":'), frameOf('b', '')]),
      refused('requestMalformed', false),
    ],
    ['a head without a challenge', request({ ...hook, challenge: undefined }), refused('requestMalformed', false)],
    [
      'a challenge of another form',
      request({ ...hook, challenge: 'A'.repeat(32) }),
      refused('requestMalformed', false),
    ],
    ['an agent that nobody knows', request({ ...hook, agent: '__proto__' }), refused('requestMalformed', false)],
    ['a field that nobody knows', request({ ...hook, who: 'root' }), refused('requestMalformed', false)],
    [
      'two fields of one name',
      Buffer.concat([
        Buffer.from(opening),
        frameOf('h', `{"to":"status",${JSON.stringify(hook).slice(1)}`),
        frameOf('b', ''),
      ]),
      refused('requestMalformed', false),
    ],
    [
      'more environment than may be',
      request({ ...hook, callerBytes: limits.callerBytesMax + 1 }),
      refused('requestMalformed', false),
    ],
    ['less environment than none', request({ ...hook, callerBytes: -1 }), refused('requestMalformed', false)],
    [
      'no body',
      Buffer.concat([requestHead(hook, 0).subarray(0, -5), frameOf('h', '')]),
      refused('requestMalformed', true),
    ],
    ['a body that is too long', requestHead(hook, limits.eventBytesMax + 1), refused('requestTooLarge', false)],
    ['a body of four gigabytes', requestHead(hook, 0xffffffff), refused('requestTooLarge', false)],
  ])('refuses %s, and says why', async (_what, bytes, want) => {
    const gate = await gateWith()
    expect(await answerTo(gate, bytes)).toEqual(want)
    await expectAlive(gate)
  })

  it.each([
    ['in its opening', 4],
    ['in its head', opening.length + 20],
    ['before its body', requestHead(hook, event.length).length],
    ['in its body', request().length - 1],
  ])('drops a request that is cut off %s, and refuses it if it only stops there', async (_where, length) => {
    const gate = await gateWith({ limits: inTime })
    const { socket, closed } = await wireTo(gate)
    socket.end(request().subarray(0, length))
    expect(await closed).not.toContain('not here')
    const slow = await sayRaw(gate, request().subarray(0, length))
    expect(slow).toMatch(/requestTimeout|did not arrive completely/)
    await expectAlive(gate)
  })

  it('is held up by no slow writers, and gives the place of one to whoever comes', async () => {
    const gate = await gateWith({ limits: { ...patient, connectionsMax: 20 } })
    const writers = await Promise.all(Array.from({ length: 20 }, () => wireTo(gate)))
    for (const [at, { socket }] of writers.entries()) socket.write(request().subarray(0, 4 * at + 1))
    expect(await answerTo(gate, request())).toEqual(denied)
    for (const { socket } of writers) socket.destroy()
    await expectAlive(gate)
  })

  it('refuses an event for which it has no memory, so that its client believes it', async () => {
    const gate = await gateWith({ shared: createShared({ bytesHeldMax: 100 }) })
    expect(await answerTo(gate, request())).toEqual({
      exitCode: 2,
      text: expect.stringContaining('busy') as unknown,
      isProved: true,
    })
  })

  it('decides nothing for a client that has gone', async () => {
    const gate = await gateWith()
    const wires = await Promise.all(Array.from({ length: 10 }, () => wireTo(gate)))
    for (const { socket } of wires) socket.write(request(), () => socket.destroy())
    await expectAlive(gate)
    expect(gate.shared.admission.underWay).toBe(0)
  })

  it('gives bytes of any kind an answer of its own, and lives on', async () => {
    const gate = await gateWith({ limits: inTime })
    const damage = fc.record({ at: fc.nat({ max: request().length - 1 }), byte: fc.nat({ max: 255 }) })
    await fc.assert(
      fc.asyncProperty(damage, async ({ at, byte }) => {
        const bytes = request()
        bytes[at] = byte
        const text = await sayRaw(gate, bytes)
        expect(text).toMatch(/^(?:a\0\0\0\0o|HTTP\/1\.1 4\d\d|$)/)
      }),
      { numRuns: runsOf(100) },
    )
    await expectAlive(gate)
  })
})
