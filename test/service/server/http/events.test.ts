/* oxlint-disable no-await-in-loop -- one request after the other is the point */
import { describe, expect, it } from 'vitest'
import { createShared } from '../../../../src/service/server/http/listener.ts'
import { ask, headOf, type Listening, listening, type Wire, wireTo } from '../../../support/server.ts'
import { claudeShell } from '../../../support/wire.ts'

async function listenTo(listener: Listening, path = '/v1/events', ...headers: string[]): Promise<Wire> {
  const wire = await wireTo(listener)
  wire.socket.write(`${headOf(listener, `GET ${path}`, 'accept: text/event-stream', ...headers)}\r\n`)
  await expect.poll(wire.received).toContain('\r\n\r\n')
  return wire
}

const idsIn = (text: string) => [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id))

describe.each(['tcp', 'unix'] as const)('events over %s', (kind) => {
  it('are kept with masked secrets, whether they were decided or only emitted', async () => {
    const listener = await listening({ kind })
    const body = claudeShell('mysql --password=hunter22', '/')
    expect(await ask(listener, '/claude-hook', { body })).toMatchObject({ status: 204, body: '' })
    expect(await ask(listener, '/cline-hook', { body: { any: 'thing' } })).toMatchObject({ status: 204 })
    await ask(listener, '/claude-code', { body })
    const { json, body: text } = await ask(listener, '/v1/events')
    expect(text).not.toContain('hunter22')
    expect(json()).toMatchObject({
      events: [
        { id: 1, kind: 'emitted', agent: 'claude-code', event: { tool_input: { command: 'mysql --password=***' } } },
        { id: 2, kind: 'emitted', agent: 'cline', event: { any: 'thing' } },
        { id: 3, kind: 'decided', agent: 'claude-code', record: { decision: 'abstain', tool: 'shell' } },
      ],
      lastId: 3,
    })
    expect((await ask(listener, '/v1/events?after=2')).json()).toMatchObject({ events: [{ id: 3 }], lastId: 3 })
  })

  it('are streamed live, and from a given id where the listener names one', async () => {
    const listener = await listening({ kind })
    const keep = () => ask(listener, '/cline-hook', { body: {} })
    await keep()
    await keep()
    const [fresh, after, reconnected, foreign] = await Promise.all([
      listenTo(listener),
      listenTo(listener, '/v1/events?after=0'),
      listenTo(listener, '/v1/events', 'last-event-id: 1'),
      listenTo(listener, '/v1/events', 'last-event-id: 999'),
    ])
    await keep()
    await expect.poll(() => idsIn(fresh.received())).toEqual([3])
    await expect.poll(() => idsIn(after.received())).toEqual([1, 2, 3])
    await expect.poll(() => idsIn(reconnected.received())).toEqual([2, 3])
    await expect.poll(() => idsIn(foreign.received())).toEqual([3])
    const [, data] = /^data: (.*)$/m.exec(fresh.received()) ?? []
    expect(JSON.parse(data ?? '')).toMatchObject({ id: 3, kind: 'emitted', event: {} })
    expect(fresh.received()).toMatch(/content-type: text\/event-stream/)
  })
})

describe('a stream of events', () => {
  it('ends when the gate closes, which does not wait for listeners', async () => {
    const listener = await listening()
    const streams = await Promise.all([listenTo(listener), listenTo(listener)])
    await listener.close()
    expect(await Promise.all(streams.map(({ closed }) => closed))).toHaveLength(2)
  })

  it('sends keep-alives while there are no events', async () => {
    const listener = await listening({ limits: { heartbeatMs: 20 } })
    const { received } = await listenTo(listener)
    await expect.poll(received).toContain(': nothing new\n\n')
  })

  it('has a limit of listeners; the next is rejected until one disconnects', async () => {
    const listener = await listening({ shared: createShared({ listenersMax: 2 }) })
    const [first] = await Promise.all([listenTo(listener), listenTo(listener)])
    const third = () => ask(listener, '/v1/events', { headers: { accept: 'text/event-stream' } })
    expect((await third()).json()).toMatchObject({ error: { code: 'busy' } })
    first?.socket.destroy()
    await expect.poll(async () => (await listenTo(listener)).received(), { timeout: 120_000 }).toContain('200 OK')
  })

  it.each([
    ['by the log, which has dropped its position', { heartbeatMs: 60_000 }, 200],
    ['by the heartbeat, when no events follow', { heartbeatMs: 50 }, 1_000_000],
  ])('drops a listener that reads nothing, %s', async (_, limits, eventsMax) => {
    const listener = await listening({ limits, shared: createShared({ eventsMax, charactersMax: 1e9 }) })
    const reads = await listenTo(listener)
    const stuck = await listenTo(listener)
    stuck.socket.pause()
    const heldBefore = process.memoryUsage().arrayBuffers
    // More than the socket buffers hold; put into the log directly, since posted events are truncated.
    const event = Object.fromEntries(Array.from({ length: 12 }, (_unused, n) => [`text${n}`, 'x'.repeat(4000)]))
    for (let n = 0; n < 400; n += 1) {
      listener.shared.events.keepEmitted('cline', event)
      if (n % 20 === 0) await expect.poll(() => idsIn(reads.received()).at(-1)).toBe(n + 1)
    }
    expect(process.memoryUsage().arrayBuffers - heldBefore).toBeLessThan(100 * 1024 * 1024)
    stuck.socket.resume()
    const seen = await stuck.closed
    expect(idsIn(seen).at(-1) ?? 0).toBeLessThan(400)
    await expect.poll(() => idsIn(reads.received()).at(-1)).toBe(400)
  })

  it.each(['-1', 'x', '1.5', '1&after=2'])('refuses `after=%s`', async (after) => {
    const listener = await listening()
    const { status, json } = await ask(listener, `/v1/events?after=${after}`)
    expect([status, json()]).toMatchObject([400, { error: { code: 'requestMalformed' } }])
  })
})
