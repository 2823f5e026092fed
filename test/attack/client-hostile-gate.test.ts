import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { limits } from '../../src/model/limits.ts'
import {
  accepted,
  bodyOf,
  callIn,
  clientsIn,
  frameOf,
  listening,
  noProof,
  proved,
  replyOf,
  runHook,
  standaloneScript,
} from '../support/thin-client.ts'
import { runsOf } from '../support/sample.ts'

const clients = await clientsIn()
const event = JSON.stringify({ hookName: 'PreToolUse', taskId: '1' })
const isWhole = (request: Buffer) => bodyOf(request) !== undefined

/** Writes a piece repeatedly until the peer closes the connection. */
async function flood(gate: Socket, piece: Uint8Array): Promise<void> {
  const bytes = Buffer.concat(Array.from({ length: Math.ceil(65_536 / piece.length) }, () => piece))
  while (!gate.destroyed) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other is the point
    await new Promise((resolve) => gate.write(bytes, resolve))
  }
}

/** The frames of a reply whose lengths may lie. */
const frames = (out: number, err = 0, end = '0') =>
  Buffer.concat([accepted, frameOf('o', '{}', out), frameOf('e', '', err), frameOf('x', `${end}${noProof}`)])

describe.each(clients)('the $kind client', (client) => {
  it.each([
    ['acceptance', '', accepted],
    ['heads of frames', accepted, frameOf('o', '')],
    ['more than it takes', Buffer.concat([accepted, frameOf('o', '', limits.eventBytesMax)]), Buffer.from('x')],
    ['lengths of nothing', '', Buffer.alloc(5)],
    ['nothing but line ends', '', Buffer.from('\r\n')],
  ])('is not held up or brought down by a gate that sends %s without end', async (_what, first, again) => {
    const call = callIn(standaloneScript)
    await listening(
      call.socket,
      () => {},
      (gate) => {
        gate.write(first)
        void flood(gate, again)
      },
    )
    const ended = await runHook(client, call, event)
    expect(ended.stdout.toString()).toBe(`alone:${event}`)
  })

  it.each([
    ['a length that is over its limit', frames(limits.eventBytesMax + 1)],
    ['a length below zero', frames(0xffffffff)],
    ['a length that overflows', Buffer.concat([accepted, frameOf('o', '', 0x80000000)])],
    ['a length of stderr that is over its limit', frames(2, 0xffffffff)],
    ['an acceptance with content', Buffer.concat([frameOf('a', '{}'), replyOf('{}').subarray(accepted.length)])],
    ['two acceptances', Buffer.concat([accepted, replyOf('{}')])],
    ['an end that is too short', Buffer.concat([accepted, frameOf('o', '{}'), frameOf('e', ''), frameOf('x', '0')])],
    ['an exit code of two digits', frames(2, 0, '00')],
    ['an exit code of another kind', frames(2, 0, '\xff')],
    [
      'frames in another order',
      Buffer.concat([accepted, frameOf('e', ''), frameOf('o', '{}'), frameOf('x', `0${noProof}`)]),
    ],
    ['a frame of no kind', Buffer.concat([accepted, frameOf('z', '{}')])],
    ['another protocol', Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}')],
  ])('takes a reply with %s for none', async (_what, reply) => {
    const call = callIn(standaloneScript)
    await listening(call.socket, (gate, request) => {
      if (isWhole(request)) gate.end(proved(request, reply))
    })
    const ended = await runHook(client, call, event)
    expect(ended.stdout.toString()).toBe(`alone:${event}`)
  })

  it('reads no more of a reply than its announced length', async () => {
    const call = callIn(standaloneScript)
    await listening(call.socket, (gate, request) => {
      if (isWhole(request))
        gate.end(Buffer.concat([proved(request, replyOf('{}', 'e', 2)), Buffer.from('{"cancel":false}')]))
    })
    const ended = await runHook(client, call, event)
    expect([ended.stdout.toString(), ended.stderr.toString(), ended.exitCode]).toEqual(['{}', 'e', 2])
  })

  it('refuses, without falling back, if a gate keeps sending bytes past the deadline', async () => {
    const call = { ...callIn(standaloneScript), aliveMs: 2000, answerMs: 3000 }
    await listening(
      call.socket,
      () => {},
      (gate) => {
        gate.write(Buffer.concat([accepted, frameOf('o', '', 1000)]))
        void (async () => {
          // oxlint-disable-next-line no-await-in-loop -- one after the other is the point
          for (; !gate.destroyed; await sleep(200)) gate.write('x')
        })()
      },
    )
    const ended = await runHook(client, call, event)
    expect(JSON.parse(ended.stdout.toString())).toMatchObject({ cancel: true })
  })

  it('gives one complete answer, the gate’s or a fallback, however the reply is damaged', async () => {
    const reply = replyOf('{"cancel":true}', 'told')
    const call = callIn(standaloneScript)
    let damaged = (whole: Buffer): Buffer => whole
    await listening(call.socket, (gate, request) => {
      if (isWhole(request)) gate.end(damaged(proved(request, reply)))
    })
    const damage = fc.record({ at: fc.nat({ max: reply.length - 1 }), byte: fc.nat({ max: 255 }), cut: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(damage, async ({ at, byte, cut }) => {
        damaged = (whole) => {
          whole[at] = byte
          return cut ? whole.subarray(0, at) : whole
        }
        const ended = await runHook(client, call, event)
        const output = `${ended.stdout.toString()}${ended.stderr.toString()}`
        expect(['{"cancel":true}told', `alone:${event}`]).toContain(output)
      }),
      { numRuns: runsOf(client.kind === 'node' ? 10 : 40) },
    )
  })
})
