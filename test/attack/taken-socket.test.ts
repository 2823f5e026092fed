import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { version } from '../../src/files/program-files.ts'
import { kill, residentUser } from '../support/resident.ts'
import {
  accepted,
  bodyOf,
  callIn,
  clientsIn,
  listening,
  noProof,
  proved,
  replyOf,
  runHook,
  standaloneScript,
  testKey,
} from '../support/thin-client.ts'
import { claudeShell } from '../support/wire.ts'
import { rulesWith } from '../support/workspace.ts'
import { runsOf } from '../support/sample.ts'

// An agent that has taken the gate's socket lets its own calls through, if its clients believe whoever answers.

const clients = await clientsIn()
const event = JSON.stringify(claudeShell('git push --force', '/'))
const allowing = replyOf('{"hookSpecificOutput":{"permissionDecision":"allow"}}')
const otherKey = '3c'.repeat(32)

/** Answers every complete request. */
const answering =
  (reply: (request: Buffer) => Uint8Array) =>
  (gate: Socket, request: Buffer): void => {
    if (bodyOf(request) !== undefined) gate.end(reply(request))
  }

/** Changes one part of a request, whose proof is then for another one. */
const changed = (request: Buffer, from: RegExp, to: string) =>
  Buffer.from(request.toString('latin1').replace(from, to), 'latin1')

/** Changes a reply that is proved. */
const altered = (reply: Buffer, from: string, to: string) =>
  Buffer.from(reply.toString('latin1').replace(from, to), 'latin1')

describe.each(clients)('the $kind client does not believe', (client) => {
  it.each<readonly [string, (request: Buffer) => Uint8Array]>([
    ['one without a proof', () => altered(allowing, `x\0\0\0\x410${noProof}`, 'x\0\0\0\x010')],
    ['a proof of zeros', () => allowing],
    ['another key', (request) => proved(request, allowing, otherKey)],
    ['an empty key', (request) => proved(request, allowing, '')],
    [
      'an echoed challenge',
      (request) => {
        const challenge = /"challenge":"(\w+)/.exec(request.toString('latin1'))?.[1] ?? ''
        return altered(allowing, `0${noProof}`, `0${challenge}${challenge}`)
      },
    ],
    [
      'the proof of another challenge',
      (request) => proved(changed(request, /"challenge":"\w/, '"challenge":"g'), allowing),
    ],
    [
      'the proof of another agent’s event',
      (request) => proved(changed(request, /claude-code/, 'cline-cline'), allowing),
    ],
    ['the proof of another version', (request) => proved(changed(request, /"version":"1/, '"version":"2'), allowing)],
    ['the proof of another event', (request) => proved(changed(request, /push --force/, 'push --forbe'), allowing)],
    [
      'the proof of a shorter environment',
      (request) => proved(changed(request, /("callerBytes":)\d/, '$10'), allowing),
    ],
    ['the proof of another protocol', (request) => proved(changed(request, /hookgate\/1/, 'hookgate/2'), allowing)],
    [
      'a proved answer that is changed',
      (request) => altered(proved(request, replyOf('{"a":"deny_"}')), 'deny_', 'allow'),
    ],
    [
      'a proved exit code that is changed',
      (request) => altered(proved(request, replyOf('', 'no', 2)), 'x\0\0\0\x412', 'x\0\0\0\x410'),
    ],
    [
      'proved bytes that change streams',
      (request) => altered(proved(request, replyOf('', '{}', 0)), 'o\0\0\0\0e\0\0\0\x02{}', 'o\0\0\0\x02{}e\0\0\0\0'),
    ],
    [
      'a proved answer that is cut',
      (request) => altered(proved(request, replyOf('{}', 'refused')), '\x07refused', '\0'),
    ],
    ['a proved refusal to answer', (request) => proved(request, replyOf('{}', '', 3))],
    ['a second answer', (request) => Buffer.concat([allowing, proved(request, replyOf('{}'))])],
  ])('%s', async (_what, reply) => {
    const call = { ...callIn(standaloneScript), agent: 'claude-code' }
    await listening(call.socket, answering(reply))
    const ended = await runHook(client, call, event)
    expect([ended.stdout.toString(), ended.exitCode]).toEqual([`alone:${event}`, 0])
  })

  it('a proof that it has seen before', async () => {
    const call = { ...callIn(standaloneScript), agent: 'claude-code' }
    let kept: Buffer | undefined
    await listening(
      call.socket,
      answering((request) => (kept ??= proved(request, allowing))),
    )
    expect((await runHook(client, call, event)).stdout.toString()).toContain('allow')
    expect((await runHook(client, call, event)).stdout.toString()).toBe(`alone:${event}`)
  })

  it.each([
    ['missing', (file: string) => rmSync(file)],
    ['empty', (file: string) => writeFileSync(file, '')],
    ['too long', (file: string) => writeFileSync(file, `${testKey}\n`)],
    [
      'open to others',
      (file: string) => {
        rmSync(file)
        writeFileSync(file, testKey, { mode: 0o644 })
      },
    ],
  ])('anyone where the key is %s', async (_what, damage) => {
    const call = { ...callIn(standaloneScript), agent: 'claude-code' }
    damage(join(call.folder, 'gate.key'))
    await listening(
      call.socket,
      answering((request) => proved(request, allowing)),
    )
    expect((await runHook(client, call, event)).stdout.toString()).toBe(`alone:${event}`)
  })

  it('a peer that answers slowly, and in parts', async () => {
    const call = { ...callIn(standaloneScript), agent: 'claude-code', aliveMs: 500 }
    const send = async (gate: Socket) => {
      gate.write(accepted)
      for (let at = accepted.length; at < allowing.length && !gate.destroyed; at += 40) {
        gate.write(allowing.subarray(at, at + 40))
        // oxlint-disable-next-line no-await-in-loop -- one after the other is the point
        await sleep(100)
      }
    }
    await listening(call.socket, (gate, request) => {
      if (bodyOf(request) !== undefined) void send(gate)
    })
    expect((await runHook(client, call, event)).stdout.toString()).toBe(`alone:${event}`)
  })

  it('a peer that promises an answer until it is too late: it refuses then', async () => {
    const call = { ...callIn(standaloneScript), agent: 'claude-code', answerMs: 1500 }
    await listening(
      call.socket,
      () => {},
      (gate) => void gate.write(accepted),
    )
    const ended = await runHook(client, call, event)
    expect([ended.stdout.toString(), ended.exitCode]).toEqual([expect.stringContaining('"deny"'), 2])
  })

  it('any proof that is not the right one', async () => {
    const call = { ...callIn(standaloneScript), agent: 'claude-code' }
    let reply: Buffer = allowing
    await listening(
      call.socket,
      answering(() => reply),
    )
    const proof = fc.string({
      unit: fc.constantFrom('0', '9', 'a', 'f', 'A', ' ', '\0', '\t', ','),
      minLength: 64,
      maxLength: 64,
    })
    await fc.assert(
      fc.asyncProperty(proof, async (text) => {
        reply = altered(allowing, `0${noProof}`, `0${text}`)
        expect((await runHook(client, call, event)).stdout.toString()).toBe(`alone:${event}`)
      }),
      { numRuns: runsOf(client.kind === 'node' ? 5 : 30) },
    )
  })
})

const denial = rulesWith('PreToolUse', 'echo no >&2; exit 2')

describe.each(clients)('with a real gate, the $kind client', (client) => {
  /** A user whose rules refuse every call, and the client's call. */
  async function guarded() {
    const user = residentUser({ 'home/.config/hookgate/hooks.json': denial })
    const { env, places } = user
    const call = {
      ...callIn(standaloneScript),
      agent: 'claude-code',
      version: version(),
      folder: places.folder,
      socket: places.socket,
    }
    await user.cli(['up'])
    return { user, call, ask: () => runHook(client, call, event, { env: { HOME: env.HOME } }) }
  }
  const refusedByGate = { exitCode: 2, stdout: expect.toSatisfy((text: Buffer) => text.includes('"deny"')) }
  const alone = { stdout: Buffer.from(`alone:${event}`) }

  it('does not believe a fake that took the socket while the gate runs, also one that relays to it', async () => {
    const { user, call, ask } = await guarded()
    expect(await ask()).toMatchObject(refusedByGate)
    const real = `${call.socket}.real`
    renameSync(call.socket, real)
    // It has the gate answer something harmless, and hands that answer over.
    await listening(call.socket, (fake, request) => {
      if (bodyOf(request) === undefined) return
      const gate = connect(real)
      gate.on('error', () => fake.destroy()).pipe(fake)
      gate.write(changed(request, /git push --force/, 'git status -s   '))
    })
    expect(await ask()).toMatchObject(alone)
    expect(user.gates()).toHaveLength(1)
  })

  it('does not believe a fake after the gate was killed, and the next gate takes the socket back', async () => {
    const { user, call, ask } = await guarded()
    for (const pid of user.gates()) kill(pid)
    await expect.poll(() => user.gates()).toEqual([])
    rmSync(call.socket, { force: true })
    await listening(
      call.socket,
      answering((request) => proved(request, allowing)),
    )
    expect(await ask()).toMatchObject(alone)
    expect(await user.cli(['up'])).toMatchObject({ exitCode: 0, stderr: '' })
    expect(await ask()).toMatchObject(refusedByGate)
  })

  it('does not believe a fake that knows the key of the gate before', async () => {
    const { user, call, ask } = await guarded()
    const before = readFileSync(user.places.key, 'utf8')
    await user.cli(['down'])
    await user.cli(['up'])
    expect(readFileSync(user.places.key, 'utf8')).not.toBe(before)
    rmSync(call.socket)
    await listening(
      call.socket,
      answering((request) => proved(request, allowing, before)),
    )
    expect(await ask()).toMatchObject(alone)
  })
})
