import { mkdtempSync, rmSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import type { Client } from '../../src/service/client/index.ts'
import {
  bodyOf,
  callIn,
  clientsIn,
  continueResponse,
  listening,
  noProof,
  proved,
  replyOf,
  runHook,
  standaloneScript,
} from '../support/thin-client.ts'
import { runsOf } from '../support/sample.ts'

const installed = mkdtempSync(join(tmpdir(), 'hookgate-test-'))
afterAll(() => rmSync(installed, { recursive: true, force: true }))
const clients = await clientsIn(installed)
const event = JSON.stringify({ hookName: 'PreToolUse', taskId: '1' })
const isWhole = (request: Buffer) => bodyOf(request) !== undefined

/** Writes a piece repeatedly until the peer closes the connection. */
async function flood(gate: Socket, piece: string): Promise<void> {
  const bytes = Buffer.from(piece.repeat(Math.ceil(65_536 / piece.length)))
  while (!gate.destroyed) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other is the point
    await new Promise((resolve) => gate.write(bytes, resolve))
  }
}

const head = (length: string, err = '0', code = '0') =>
  `HTTP/1.1 200 OK\r\nhookgate-exit-code: ${code}\r\nhookgate-stderr-bytes: ${err}\r\nhookgate-proof: ${noProof}\r\ncontent-length: ${length}\r\n\r\n`

describe.each(clients.map((client): readonly [string, Client] => [client.kind, client]))(
  'the %s client',
  (_, client) => {
    it.each([
      ['a head', `${continueResponse}HTTP/1.1 200 OK\r\n`, 'x: y\r\n'],
      ['one line', 'HTTP/1.1 200 OK\r\nx: ', 'y'],
      ['promises', '', continueResponse],
      ['more than it takes', head('999999999'), 'x'],
      ['nothing but line ends', '', '\r\n'],
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
      ['a length of many digits', head('9'.repeat(4000))],
      ['a length below zero', head('-1')],
      ['a length that is no number', head('0x10')],
      ['a length that overflows', head('18446744073709551617')],
      ['more stderr than there is', head('2', '3')],
      ['stderr below zero', head('2', '-1')],
      ['an exit code that wraps', head('2', '0', '256')],
      ['a negative exit code', head('2', '0', '-1')],
      ['bytes of zero in its head', `HTTP/1.1 200 OK\r\n\0${head('2').slice(17)}`],
      ['lines without returns', head('2').replaceAll('\r', '')],
      ['another protocol', 'HTTP/2 200\r\n\r\n'],
    ])('takes a reply with %s for none', async (_what, reply) => {
      const call = callIn(standaloneScript)
      await listening(call.socket, (gate, request) => {
        if (isWhole(request)) gate.end(proved(request, Buffer.from(`${reply}{}`)))
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
          void (async () => {
            // oxlint-disable-next-line no-await-in-loop -- one after the other is the point
            for (; !gate.destroyed; await sleep(200)) gate.write(continueResponse)
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
  },
)
