/* oxlint-disable no-await-in-loop -- one request after the other is the point */
import { describe, expect, it } from 'vitest'
import { limits } from '../../src/model/limits.ts'
import { createShared } from '../../src/service/server/http/listener.ts'
import { ask, headOf, listening, sayRaw, wireTo } from '../support/server.ts'
import { claudeShell } from '../support/wire.ts'

const event = claudeShell('ls', '/')

/** Builds an event of exactly this many bytes. */
function eventOf(bytes: number): string {
  const frame = JSON.stringify(claudeShell('', '/')).length
  return JSON.stringify(claudeShell('x'.repeat(bytes - frame), '/'))
}

describe.each(['tcp', 'unix'] as const)('a large event over %s', (kind) => {
  it.each([400 * 1024, 10 * 1024 * 1024, limits.eventBytesMax])(
    'of %i bytes is decided like any other',
    async (bytes) => {
      const listener = await listening({ kind })
      const answer = await ask(listener, '/v1/hook/claude-code', { body: eventOf(bytes) })
      expect([answer.status, answer.body, answer.headers['hookgate-exit-code']]).toEqual([200, '', '0'])
    },
  )

  it('of one byte above the limit is refused, and its sender can read the refusal', async () => {
    const listener = await listening({ kind })
    const body = eventOf(limits.eventBytesMax + 1)
    const claude = await ask(listener, '/claude-code', { body })
    expect([claude.status, claude.json()]).toMatchObject([
      200,
      { decision: 'block', reason: expect.stringContaining('over') },
    ])
    const thin = await ask(listener, '/v1/hook/cline', { body })
    expect([thin.status, thin.body]).toMatchObject([200, expect.stringContaining('"cancel":true')])
    for (const path of ['/v1/decide', '/claude-hook']) {
      const other = await ask(listener, path, { body })
      expect([other.status, other.json()]).toMatchObject([413, { error: { code: 'requestTooLarge' } }])
    }
    expect(listener.shared.admission.bytesHeld).toBe(0)
    expect((await ask(listener, '/claude-code', { body: event })).body).toBe('')
  })

  it('above the limit is refused even to a client that writes everything before it reads', async () => {
    const listener = await listening({ kind })
    const { socket, closed } = await wireTo(listener)
    const body = eventOf(limits.eventBytesMax + 4 * 1024 * 1024)
    socket.pause()
    const written = new Promise<unknown>((resolve) => {
      socket.write(`${headOf(listener, 'POST /claude-code', `content-length: ${body.length}`)}\r\n${body}`, resolve)
    })
    expect((await written) ?? 'whole').toBe('whole')
    socket.resume()
    expect(await closed).toMatch(/^HTTP\/1\.1 200 .*"decision":"block"/s)
  })
})

describe('an endless body', () => {
  it.each([
    ['that promises a terabyte', 'content-length: 1099511627776', 'x'],
    ['in chunks', 'transfer-encoding: chunked', 'x'],
  ])('%s is refused, others are answered meanwhile, and its memory is not kept', async (_, header) => {
    const listener = await listening({ limits: { bodyMs: 600_000, discardedBytesMax: 8 * 1024 * 1024 } })
    const { socket, received, closed } = await wireTo(listener)
    socket.write(`${headOf(listener, 'POST /claude-code', header)}\r\n`)
    const block = 'x'.repeat(1024 * 1024)
    const chunk = header.startsWith('transfer') ? `${block.length.toString(16)}\r\n${block}\r\n` : block
    const feeding = (async () => {
      while (!socket.destroyed && !received().includes('decision')) {
        if (!socket.write(chunk)) {
          await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed])
        }
      }
    })()
    expect((await ask(listener, '/claude-code', { body: event })).body).toBe('')
    await expect.poll(received, { timeout: 120_000 }).toMatch(/^HTTP\/1\.1 200 .*"decision":"block".*over \d+ bytes/s)
    socket.destroy()
    await feeding
    await expect.poll(() => listener.shared.admission.bytesHeld).toBe(0)
  })
})

describe('memory', () => {
  it('for all bodies together is limited: more is refused, and it is released afterwards', async () => {
    const shared = createShared({ bytesHeldMax: 1_000_000 })
    const listener = await listening({ shared })
    const holder = await wireTo(listener)
    const head = headOf(listener, 'POST /claude-code', 'content-length: 900001')
    holder.socket.write(`${head}\r\n${' '.repeat(900_000)}`)
    await expect.poll(() => shared.admission.bytesHeld).toBe(900_000)
    const body = eventOf(200_000)
    expect((await ask(listener, '/claude-code', { body })).json()).toMatchObject({
      decision: 'block',
      reason: expect.stringContaining('busy'),
    })
    expect((await ask(listener, '/v1/decide', { body })).json()).toMatchObject({ error: { code: 'busy' } })
    expect((await ask(listener, '/claude-code', { body: event })).body).toBe('')
    holder.socket.destroy()
    await expect.poll(() => shared.admission.bytesHeld).toBe(0)
    expect((await ask(listener, '/claude-code', { body })).body).toBe('')
  })
})

describe('headers', () => {
  it.each([
    ['one of a megabyte', () => `x: ${'y'.repeat(1024 * 1024)}\r\n`],
    ['a hundred thousand', () => 'x: y\r\n'.repeat(100_000)],
    ['a name of a megabyte', () => `${'y'.repeat(1024 * 1024)}: x\r\n`],
  ])('that are a flood (%s) are answered with 431', async (_, flood) => {
    const listener = await listening()
    const output = await sayRaw(listener, `${headOf(listener, 'POST /claude-code')}${flood()}\r\n`)
    expect(output).toMatch(/^HTTP\/1\.1 431 .*"headersTooLarge"/s)
    expect((await ask(listener, '/claude-code', { body: event })).body).toBe('')
  })

  it('a path of a megabyte is answered with an error', async () => {
    const listener = await listening()
    const output = await sayRaw(listener, headOf(listener, `GET /${'x'.repeat(1024 * 1024)}`))
    expect(output).toMatch(/^HTTP\/1\.1 4\d\d .*"error"/s)
  })

  it('behind the last chunk of a body are limited as well', async () => {
    const listener = await listening()
    const request = `${headOf(listener, 'POST /claude-code', 'transfer-encoding: chunked')}\r\n0\r\n${'x: y\r\n'.repeat(100_000)}\r\n`
    expect(await sayRaw(listener, request)).toMatch(/^HTTP\/1\.1 4\d\d .*"error"/s)
    expect((await ask(listener, '/claude-code', { body: event })).body).toBe('')
  })
})

describe('events that are only stored', () => {
  it('may be megabytes of anything: little is stored, and other clients are answered', async () => {
    const listener = await listening()
    const texts = ['a.'.repeat(1e6), 'eyJ-'.repeat(1e6), '"'.repeat(1e6)]
    await Promise.all(
      texts.flatMap((text) => [
        ask(listener, '/claude-hook', { body: { text } }),
        ask(listener, '/claude-hook', { body: { [text]: text } }),
        ask(listener, '/claude-code', { body: claudeShell(text, '/') }),
      ]),
    )
    const { body } = await ask(listener, '/v1/events')
    expect(JSON.parse(body)).toMatchObject({ lastId: 9 })
    expect(body.length).toBeLessThan(200_000)
  })
})
