import { readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { entryFile } from '../../../src/files/program-files.ts'
import { limits } from '../../../src/model/limits.ts'
import { requestIn } from '../../../src/service/client/probe.ts'
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
} from '../../support/thin-client.ts'
import { folderForAll, folderWith } from '../../support/workspace.ts'
import { missing } from '../../support/own-folder.ts'

const installed = folderForAll()
const clients = await clientsIn(join(installed, 'client'))
const event = JSON.stringify({ hookName: 'PreToolUse', taskId: '1' })
const countedAlone = `printf x >>"$0.runs"; ${standaloneScript}`
const text = (bytes: Buffer) => bytes.toString('latin1')

it('exists at least as a Node program', () => {
  expect(clients.map(({ kind }) => kind)).toContain('node')
})

it('has a file mode for its owner only', () => {
  expect(statSync(join(installed, 'client')).mode & 0o077).toBe(0)
})

describe.each(clients)('the $kind client', (client) => {
  it('sends the gate the whole event, and prints the gate’s answer byte for byte', async () => {
    const call = callIn()
    const bytes = fc.uint8Array({ maxLength: 200_000, size: 'max' })
    const answer = fc.record({ event: bytes, stdout: bytes, stderr: bytes, exitCode: fc.nat({ max: 2 }) })
    let reply: Buffer = Buffer.alloc(0)
    let received: Buffer | undefined
    await listening(call.socket, (gate, request) => {
      received = bodyOf(request)
      if (received !== undefined) gate.end(proved(request, reply))
    })
    await fc.assert(
      fc.asyncProperty(answer, async (one) => {
        reply = replyOf(one.stdout, one.stderr, one.exitCode)
        const ended = await runHook(client, call, one.event)
        expect(received?.equals(one.event)).toBe(true)
        expect(ended.stdout.equals(one.stdout)).toBe(true)
        expect(ended.stderr.equals(one.stderr)).toBe(true)
        expect(ended.exitCode).toBe(one.exitCode)
      }),
      { numRuns: 8 },
    )
  })

  it('sends its agent and version, and before the event its working directory, whatever the bytes', async () => {
    const call = callIn()
    const { requests } = await listening(call.socket, (gate, request) => {
      if (bodyOf(request) !== undefined) gate.end(proved(request, replyOf('{}')))
    })
    const env = { ODD: 'a=b\r\nx: y', EMPTY: '', 'É%%': 'ü', LC_ALL: 'C.UTF-8', CLAUDE_PROJECT_DIR: '/b c' }
    await runHook(client, call, event, { env, cwd: call.folder })
    const { head = '', body = Buffer.alloc(0) } = requestIn(requests[0] ?? Buffer.alloc(0)) ?? {}
    const ahead = body.subarray(0, body.indexOf(event))
    const [folder, ...variables] = ahead.toString().slice(0, -1).split('\0')
    expect([folder, ahead.at(-1)]).toEqual([realpathSync(call.folder), 0])
    expect(variables).toEqual(
      expect.arrayContaining(['ODD=a=b\r\nx: y', 'EMPTY=', 'LC_ALL=C.UTF-8', 'CLAUDE_PROJECT_DIR=/b c']),
    )
    expect(variables.filter((variable) => variable.startsWith('LC_ALL='))).toEqual(['LC_ALL=C.UTF-8'])
    expect(JSON.parse(head)).toEqual({
      to: 'hook',
      agent: 'cline',
      version: '1.2.3',
      challenge: expect.stringMatching(/^[0-9a-f]{32}$/),
      callerBytes: ahead.length,
    })
  })

  it('waits longer for a gate that accepts than for one that does not', async () => {
    const call = { ...callIn(standaloneScript), aliveMs: 1000 }
    await listening(
      call.socket,
      (gate, request) => {
        if (bodyOf(request) !== undefined) {
          const reply = proved(request, replyOf('late')).subarray(accepted.length)
          void sleep(3000).then(() => gate.end(reply))
        }
      },
      (gate) => void gate.write(accepted),
    )
    expect(text((await runHook(client, call, event)).stdout)).toBe('late')
  })

  it('reads an answer that arrives byte by byte', async () => {
    const call = callIn()
    await listening(call.socket, (gate, request) => {
      if (bodyOf(request) === undefined) return
      const reply = proved(request, replyOf('{"cancel":false}', 'told', 2))
      void (async () => {
        // oxlint-disable-next-line no-await-in-loop -- one after the other is the point
        for (const byte of reply) await new Promise((resolve) => gate.write(Buffer.of(byte), resolve))
      })()
    })
    const ended = await runHook(client, call, event)
    expect([text(ended.stdout), text(ended.stderr), ended.exitCode]).toEqual(['{"cancel":false}', 'told', 2])
  })

  it.each([
    ['closes at once', ''],
    ['speaks HTTP', 'HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n'],
    ['refuses to answer, as one of another version does', text(replyOf('{"error":{}}', '', 3))],
    ['answers garbage', 'garbage\0garbage\r\n\r\n'],
    ['answers without accepting', text(replyOf('{}').subarray(accepted.length))],
    ['sends no stderr', text(Buffer.concat([accepted, frameOf('o', '{}'), frameOf('x', `0${noProof}`)]))],
    ['sends no exit code', text(replyOf('{}', '', ''))],
    ['sends an invalid exit code', text(replyOf('{}', '', 9))],
    ['sends an exit code that is no digit', text(replyOf('{}', '', '-'))],
    ['declares a longer stdout than it sends', text(Buffer.concat([accepted, frameOf('o', '{}', 3)]))],
    ['stops in the middle of its answer', text(replyOf('whole answer')).slice(0, -1)],
    ['accepts and disconnects', text(accepted)],
  ])('starts its own process once where the gate %s', async (_situation, reply) => {
    const call = callIn(countedAlone)
    await listening(call.socket, (gate, request) => {
      if (bodyOf(request) !== undefined) gate.end(proved(request, Buffer.from(reply, 'latin1')))
    })
    const ended = await runHook(client, call, event)
    expect([text(ended.stdout), ended.exitCode]).toEqual([`alone:${event}`, 0])
    expect(statSync(`${call.bin}.runs`).size).toBe(1)
  })

  it.each([
    ['accepts and never answers', ''],
    ['stops in the middle of its answer', text(replyOf('whole answer')).slice(0, -1)],
    ['stops in the middle of a length', `${text(accepted)}o\0\0`],
  ])('starts its own process once where the gate %s and stays connected', async (_situation, reply) => {
    const call = callIn(countedAlone)
    await listening(call.socket, (gate, request) => {
      if (bodyOf(request) !== undefined) gate.write(proved(request, Buffer.from(reply, 'latin1')))
    })
    const ended = await runHook(client, call, event)
    expect([text(ended.stdout), ended.exitCode]).toEqual([`alone:${event}`, 0])
    expect(statSync(`${call.bin}.runs`).size).toBe(1)
  })

  it('starts its own process where there is no gate', async () => {
    expect(text((await runHook(client, callIn(standaloneScript), event)).stdout)).toBe(`alone:${event}`)
  })

  it('starts its own process where only a stale socket is left', async () => {
    const call = callIn(standaloneScript)
    writeFileSync(call.socket, '')
    expect(text((await runHook(client, call, event)).stdout)).toBe(`alone:${event}`)
  })

  it('passes an event with every byte to its own process', async () => {
    const call = callIn('cat; exit 118')
    const bytes = Buffer.from(Array.from({ length: 400_000 }, (_byte, at) => at % 256))
    const ended = await runHook(client, call, bytes)
    expect(ended.stdout.equals(bytes)).toBe(true)
  })

  it('lets the command line decide where there is no gate', async () => {
    const bin = entryFile('cli/bin')
    const call = { ...callIn(), node: process.execPath, bin }
    const ended = await runHook(client, call, 'no event', { env: { HOME: call.folder } })
    expect(ended.exitCode).toBe(0)
    expect(JSON.parse(text(ended.stdout))).toMatchObject({ cancel: true })
    expect(text(ended.stdout)).toContain('the event is not JSON')
  })

  it('refuses, without its own process, where a gate accepts but does not answer in time', async () => {
    const call = { ...callIn(standaloneScript), answerMs: 1500 }
    await listening(
      call.socket,
      () => {},
      (gate) => gate.write(accepted),
    )
    const ended = await runHook(client, call, event)
    expect(JSON.parse(text(ended.stdout))).toMatchObject({ cancel: true })
  })

  it('refuses where stdin does not end', async () => {
    const ended = await runHook(client, { ...callIn(standaloneScript), answerMs: 1000 }, event, { open: true })
    expect(JSON.parse(text(ended.stdout))).toMatchObject({ cancel: true })
  })

  it('refuses an event over the size limit', async () => {
    const ended = await runHook(client, callIn(standaloneScript), Buffer.alloc(limits.eventBytesMax + 1, 'x'))
    const why = `the event is over ${limits.eventBytesMax} bytes`
    expect(JSON.parse(text(ended.stdout))).toEqual({
      cancel: true,
      errorMessage: expect.stringContaining(why) as unknown,
    })
    expect(text(ended.stderr)).toContain('the event is too large')
  })

  it.each<[string, boolean, number]>([
    ['that is written completely, by reading all of it', false, 2],
    ['that never ends', true, 1],
  ])('refuses a larger one %s', async (_which, open, times) => {
    const large = Buffer.alloc(times * limits.eventBytesMax + 1, 'x')
    const call = { ...callIn(standaloneScript), agent: 'claude-code' }
    let written = false
    const ended = await runHook(client, call, large, { open, onWritten: () => (written = true) })
    expect(ended.exitCode).toBe(2)
    expect(text(ended.stderr)).toContain('the event is over')
    expect(written).toBe(true)
  })

  it.each([
    ['is missing', missing, ''],
    ['exits with an unknown code', '/bin/sh', 'exit 9'],
    ['crashes without output', '/bin/sh', 'exit 1'],
    ['is killed', '/bin/sh', 'kill -9 $$'],
    ['is empty', '/bin/sh', ''],
    ['exits with the wrong code', '/bin/sh', 'echo {}; exit 2'],
    ['is killed in the middle of its answer', '/bin/sh', 'printf "{"; kill -9 $$'],
  ])('refuses where its own process %s', async (_situation, node, alone) => {
    const ended = await runHook(client, { ...callIn(alone), node }, event)
    expect(ended.exitCode).toBe(0)
    expect(JSON.parse(text(ended.stdout))).toEqual({
      cancel: true,
      errorMessage: expect.stringContaining('hookgate cannot answer') as unknown,
    })
  })

  it('ends its own process when it takes too long, and prints its refusal', async () => {
    const call = { ...callIn(`trap 'echo refused; exit 118' TERM; while :; do sleep 0.05; done`), answerMs: 2000 }
    expect(text((await runHook(client, call, event)).stdout)).toBe('refused\n')
  })

  it.each([
    ['claude-code', 'PreToolUse', event, 2, '"permissionDecision":"deny"'],
    ['claude-code', 'Stop', '{"stop_hook_active":false}', 2, '"decision":"block"'],
    ['claude-code', 'Stop', '{"stop_hook_active":true}', 1, '"systemMessage"'],
    ['grok-build', 'Stop', '{"stopHookActive":false}', 2, '"decision":"block"'],
    ['grok-build', 'Stop', '{"stopHookActive":true}', 1, '"systemMessage"'],
    ['claude-code', 'SessionStart', event, 1, '"systemMessage"'],
    ['claude-code', 'Unheard', event, 2, '"decision":"block"'],
    ['cline', 'TaskComplete', event, 1, '"cancel":false'],
    ['cline', 'Unheard', event, 0, '"cancel":true'],
  ])('for %s at %s with %s, falls back to exit code %i and %s', async (agent, name, wire, exitCode, printed) => {
    const ended = await runHook(client, { ...callIn(), agent, event: name }, wire)
    expect([ended.exitCode, text(ended.stdout)]).toEqual([exitCode, expect.stringContaining(printed)])
    expect(text(ended.stderr)).toContain('hookgate cannot answer')
  })

  it.each<[string, object, object, string]>([
    ['the client', { command: [missing] }, {}, `${missing} is gone: run \`hookgate enable cline\``],
    ['the installation', {}, { bin: missing }, `${missing} is gone: install hookgate again`],
    ['its Node', {}, { node: missing }, `${missing} is gone: install hookgate again`],
    ['both', { command: [missing] }, { bin: `${missing}/bin` }, `${missing}/bin is gone: install hookgate again`],
    ['a file of an odd name', { command: [`${missing} it's "$a"`] }, {}, `${missing} it's "$a" is gone: run`],
    ['none of them', { command: ['/bin/sh', '-c', 'exit 3'] }, {}, 'neither the resident gate'],
  ])('may miss files: where it is %s that is gone, the hook file refuses and says so', async (_what, own, at, said) => {
    const ended = await runHook({ ...client, ...own }, { ...callIn(), ...at }, event)
    expect(JSON.parse(text(ended.stdout))).toMatchObject({
      cancel: true,
      errorMessage: expect.stringContaining(said),
    })
    expect(text(ended.stderr)).toContain(said)
  })

  it.each([
    ['the installation', {}, { bin: missing, node: process.execPath }],
    ['its Node', {}, { node: missing }],
    ['the client', { command: [missing] }, {}],
    ['a file of the client', { command: [process.execPath, missing] }, { node: process.execPath }],
  ])('says nothing but the reason on stderr where %s is gone', async (_what, own, at) => {
    const ended = await runHook({ ...client, ...own }, { ...callIn(), ...at }, event)
    expect(text(ended.stderr)).toMatch(/^hookgate cannot answer: [^\n]* is gone: [^\n]*\n$/)
  })

  it.each([
    ['Stop', 'is missing', () => missing],
    ['SubagentStop', 'is missing', () => missing],
    ['Stop', 'may not be executed', () => join(folderWith({ client: '' }), 'client')],
    ['Stop', 'is a folder', () => folderWith()],
    ['Stop', 'is below a file', () => join(folderWith({ client: '' }), 'client', 'client')],
    ['Stop', 'is empty', () => join(folderWith({ client: { script: '' } }), 'client')],
    ['Stop', 'has no interpreter', () => join(folderWith({ client: { script: `#!${missing}\n` } }), 'client')],
  ])('does not keep an agent running forever at %s where it %s', async (name, _what, file) => {
    const gone = { ...client, command: [file()] }
    const ended = await runHook(gone, { ...callIn(), agent: 'codex', event: name }, '{"stop_hook_active":false}')
    expect([ended.exitCode, text(ended.stdout)]).toEqual([1, expect.not.stringContaining('block')])
    expect(text(ended.stderr)).toContain('hookgate cannot answer')
  })

  it('starts its own process inside a hook of a gate, so that nesting is counted', async () => {
    const call = callIn(standaloneScript)
    const { requests } = await listening(call.socket, (gate, request) => gate.end(proved(request, replyOf('gate'))))
    const ended = await runHook(client, call, event, { env: { HOOKGATE_DEPTH: '1' } })
    expect(text(ended.stdout)).toBe(`alone:${event}`)
    expect(requests).toEqual([])
  })

  it('works where its working directory was deleted', async () => {
    const call = callIn()
    await listening(call.socket, (gate, request) => {
      if (bodyOf(request) !== undefined) gate.end(proved(request, replyOf('{}')))
    })
    const folder = folderWith({})
    const ended = await runHook(client, call, event, { before: `cd ${folder} && rmdir ${folder}` })
    // The shell itself prints an error to stderr.
    expect([text(ended.stdout), ended.exitCode]).toEqual(['{}', 0])
  })

  it('starts a missing gate once, in the background', async () => {
    const alone = `case $1 in up) echo "$HOOKGATE_HOME" >>"$0.ups" ;; *) ${standaloneScript} ;; esac`
    const call = { ...callIn(alone), startsGate: true }
    const ended = await Promise.all([runHook(client, call, event), runHook(client, call, event)])
    expect(ended.map(({ stdout }) => text(stdout))).toEqual([`alone:${event}`, `alone:${event}`])
    const starts = () => readFileSync(`${call.bin}.ups`, { encoding: 'utf8', flag: 'a+' })
    await expect.poll(starts).toBe(`${call.folder}\n`)
    await runHook(client, call, event)
    await sleep(200)
    expect(starts()).toBe(`${call.folder}\n`)
  })

  it('starts no gate where one answers', async () => {
    const call = { ...callIn(`printf x >>"$0.runs"`), startsGate: true }
    await listening(call.socket, (gate, request) => {
      if (bodyOf(request) !== undefined) gate.end(proved(request, replyOf('{}')))
    })
    await runHook(client, call, event)
    await sleep(200)
    expect(statSync(`${call.bin}.runs`, { throwIfNoEntry: false })).toBe(undefined)
  })
})
