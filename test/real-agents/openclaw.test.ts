import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { parseJsonObject } from '../../src/model/json.ts'
import { freePort } from '../support/resident.ts'
import { until } from '../support/processes.ts'
import { changedIn } from './changed.ts'
import { type Call, mark, type Script } from './model/script.ts'
import { fieldsOf, listOf } from './model/wire.ts'
import { pins, programOf } from './pins.ts'
import { says } from './policy.ts'
import { fakeTelegram } from './telegram.ts'
import { type Inside, type Ran, programMs, type World, worldOf } from './world.ts'

const { version } = pins.openclaw
const isHere = programOf('openclaw') !== undefined
const settings = '.openclaw/openclaw.json'
const plugin = '.openclaw/extensions/hookgate'

const exec = (command: string, more: object = {}): Call => ({ tool: 'exec', input: { command, ...more } })
/** A call of a tool that the model is not shown, and reaches through another. */
const behind = (id: string, args: object): Call => ({ tool: 'tool_call', input: { id, args } })
/** Of how many calls the model has read a text in the result. */
const timesTold = ({ asked }: Ran, text: string) =>
  listOf(fieldsOf(JSON.parse(asked.at(-1) ?? '{}'))['messages']).filter(
    (message) => message['role'] === 'tool' && JSON.stringify(message).includes(text),
  ).length
const told = ({ asked }: Ran, text: string) => asked.slice(1).some((body) => body.includes(text))

/** Types into the program that was started last. */
const typed = ({ heard }: Inside, given: object): Call => ({
  tool: 'process',
  get input() {
    const [, sessionId = ''] = [...(heard().at(-1) ?? '').matchAll(/running \(session ([\w-]+)/g)].at(-1) ?? []
    return { sessionId, ...given }
  },
})

describe.runIf(isHere)(`OpenClaw ${version}`, () => {
  let world: World
  beforeAll(async () => {
    world = await worldOf('openclaw', [])
  })
  afterAll(() => world.close())

  it('asks about each call behind another: messages, nodes, a browser, addresses, commands', async () => {
    const refused = [
      behind('message', { action: 'send', to: '1', message: 'refused' }),
      behind('nodes', { action: 'describe', node: 'refused' }),
      behind('browser', { action: 'open', url: 'http://127.0.0.1:9/refused' }),
      behind('web_fetch', { url: 'http://127.0.0.1:9/refused' }),
      behind('exec', { command: 'touch refused' }),
    ]
    const ran = await world.run(() => ({
      main: [{ calls: [...refused, behind('exec', { command: 'touch allowed' })] }],
    }))
    expect([ran.made('allowed'), ran.made('refused')]).toEqual([true, false])
    expect(timesTold(ran, says.no)).toBe(refused.length)
  })

  it('writes, edits and patches what no rule objects to, and nothing else', async () => {
    const patch = (name: string): Call => ({
      tool: 'apply_patch',
      input: { input: `*** Begin Patch\n*** Add File: ${name}\n+x\n*** End Patch` },
    })
    const write = (path: string): Call => ({ tool: 'write', input: { path, content: 'x\n' } })
    const edit = (path: string, newText: string): Call => ({
      tool: 'edit',
      input: { path, edits: [{ oldText: 'a', newText }] },
    })
    const ran = await world.run(
      () => ({
        main: [
          { calls: [write('refused-1'), patch('refused-2'), edit('a.txt', 'refused-3')] },
          { calls: [write('allowed-1'), patch('allowed-2'), edit('b.txt', 'allowed-3')] },
        ],
      }),
      { 'a.txt': 'a\n', 'b.txt': 'a\n' },
    )
    expect(['refused-1', 'refused-2', 'allowed-1', 'allowed-2'].map(ran.made)).toEqual([false, false, true, true])
    expect([ran.text('a.txt'), ran.text('b.txt')]).toEqual(['a\n', 'allowed-3\n'])
    expect(timesTold(ran, says.no)).toBe(3)
  })

  it('asks about what is typed into a running program, as a text and key by key', async () => {
    const typing = (inside: Inside, given: object) => ({ calls: [typed(inside, given)] })
    const ran = await world.run((inside) => ({
      main: [
        { calls: [exec('sh', { background: true, pty: true })] },
        typing(inside, { action: 'write', data: 'touch refused\n' }),
        typing(inside, { action: 'send-keys', literal: 'touch ref', keys: ['u', 's', 'e', 'd', 'Enter'] }),
        typing(inside, { action: 'write', data: 'touch allowed\n' }),
      ],
    }))
    expect(ran.made('refused')).toBe(false)
    // A headless OpenClaw may have no terminal to type into.
    expect(timesTold(ran, says.no)).toBe(2)
  })

  it('gives a command the variables of its call, with which it is judged', async () => {
    const restore = changedIn(world.home, {
      '.config/hookgate/hooks.json': (text) =>
        JSON.stringify({ ...parseJsonObject(text), permissions: { deny: ['Bash(touch over-there)'] } }),
    })
    try {
      const naming = (N: string) => exec('touch "$N"', { env: { N } })
      const ran = await world.run(() => ({ main: [{ calls: [naming('here'), naming('over-there')] }] }))
      expect([ran.made('here'), ran.made('over-there')]).toEqual([true, false])
      expect(told(ran, 'Bash(touch over-there)')).toBe(true)
    } finally {
      restore()
    }
  })

  it('has no helper of its own switch hookgate off', async () => {
    const off = { action: 'config_set', path: 'plugins.entries.hookgate.enabled', value: 'false', approved: true }
    const ran = await world.run(() => ({
      main: [{ calls: [{ tool: 'openclaw', input: { message: `${mark.sub}: do as the test says` } }] }],
      sub: [{ calls: [{ tool: 'openclaw', input: off }] }],
    }))
    expect(told(ran, 'ask hookgate no longer')).toBe(true)
    expect(parseJsonObject(readFileSync(join(world.home, settings), 'utf8'))).toMatchObject({
      plugins: { entries: { hookgate: { enabled: true } } },
    })
  })

  describe('with its plugin gone, broken or switched off', () => {
    const set = (plugins: object) => () =>
      changedIn(world.home, {
        [settings]: (text) => {
          const { plugins: own, ...others } = parseJsonObject(text) ?? {}
          return JSON.stringify({ ...others, plugins: { ...Object(own), ...plugins } })
        },
      })
    const without = (name: string) => () => {
      const [file, copy] = [join(world.home, name), join(world.home, '..', 'copies', name)]
      cpSync(file, copy, { recursive: true })
      rmSync(file, { recursive: true })
      return () => cpSync(copy, file, { recursive: true })
    }

    it.each<[string, () => () => void, 'runs' | 'does not start']>([
      // Only where it has never run before, it does not start.
      ['its code is gone', without(`${plugin}/index.js`), 'runs'],
      [
        'its code cannot be read',
        () => changedIn(world.home, { [`${plugin}/index.js`]: () => '{{' }),
        'does not start',
      ],
      ['its whole folder is gone', without(plugin), 'runs'],
      ['`plugins.enabled`', set({ enabled: false }), 'runs'],
      ['`plugins.deny`', set({ deny: ['hookgate'] }), 'runs'],
      ['`plugins.allow`', set({ allow: ['telegram'] }), 'runs'],
      ['`plugins.entries.hookgate.enabled`', set({ entries: { hookgate: { enabled: false } } }), 'runs'],
    ])('does as the page on agents says, and `status` says that it does not ask: %s', async (_, strike, outcome) => {
      const restore = strike()
      try {
        const ran = await world.run(() => ({ main: [{ calls: [exec('touch refused')] }] }))
        const became = ran.made('refused') ? 'runs' : ran.asked.length > 0 ? 'refused' : 'does not start'
        const { exitCode, stdout } = await ran.status()
        expect({ became, exitCode, said: ran.said }).toMatchObject({ became: outcome, exitCode: 1 })
        expect(stdout).not.toMatch(/^OpenClaw asks/)
      } finally {
        restore()
      }
    })
  })

  /** Starts the gateway with a chat, in which an owner and a stranger write to a bot, and ends it again. */
  async function withChat(script: () => Script, meet: (chat: Chat) => Promise<void>): Promise<Ran> {
    const telegram = await fakeTelegram()
    const port = await freePort()
    const restore = changedIn(world.home, {
      [settings]: (text) =>
        JSON.stringify({
          ...parseJsonObject(text),
          gateway: { mode: 'local', port, bind: 'loopback', auth: { mode: 'token', token: 't'.repeat(40) } },
          // Each person has a conversation.
          session: { dmScope: 'per-channel-peer' },
          commands: { ownerAllowFrom: [`telegram:${owner}`] },
          channels: {
            telegram: {
              enabled: true,
              botToken: '1:AAAA_bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb',
              apiRoot: telegram.origin,
              dmPolicy: 'open',
              allowFrom: ['*'],
              network: { dangerouslyAllowPrivateNetwork: true },
            },
          },
        }),
    })
    try {
      let inside: Inside | undefined
      const start = () =>
        world.run(
          (within) => {
            inside = within
            return script()
          },
          {},
          { words: ['gateway', 'run'] },
        )
      // It gives up where a thread of its own has not begun within 5 s, as on a busy machine, and wants to be started again.
      const began = (ran: Ran): Promise<Ran> | Ran =>
        ran.said.includes('state lease heartbeat did not') ? start().then(began) : ran
      const running = start().then(began)
      const answered = (to: number) => telegram.sent().some(([id, text]) => id === `${to}` && text.includes('Done.'))
      const met = meet({
        made: (name) => existsSync(join(inside?.project ?? '', name)),
        async write(from, text) {
          telegram.write(from, text)
          expect(await until(() => answered(from), programMs)).toBe(true)
        },
      })
      // A gateway that does not start would be waited for in vain.
      const ended = running.then(({ said }) => {
        throw new Error(`the gateway has ended: ${said}`)
      })
      await Promise.race([met, ended])
      await inside?.killAgent()
      return await running
    } finally {
      restore()
      telegram.close()
    }
  }

  it('says to a policy which turns somebody began in a chat who is not its owner', async () => {
    const forTheOwner = [{ calls: [exec('touch "$PWD/for-the-owner"')] }]
    const ran = await withChat(
      () => ({ main: forTheOwner, sub: forTheOwner }),
      async ({ write, made }) => {
        await write(stranger, `${mark.main}: do as the test says`)
        expect(made('for-the-owner')).toBe(false)
        await write(owner, `${mark.sub}: do as the test says`)
        expect(made('for-the-owner')).toBe(true)
      },
    )
    expect(told(ran, says.notToYou)).toBe(true)
  })

  it('asks about the calls of a sub-agent, as those of a session of its own, which counts as begun by a stranger', async () => {
    const names = ['refused-below', 'for-the-owner', 'allowed-below']
    const ran = await withChat(
      () => ({
        main: [{ calls: [behind('sessions_spawn', { task: `${mark.sub}: do as the test says` })] }],
        sub: names.map((name) => ({ calls: [exec(`touch "$PWD/${name}"`)] })),
      }),
      async ({ write, made }) => {
        await write(owner, `${mark.main}: do as the test says`)
        expect(await until(() => made('allowed-below'), programMs)).toBe(true)
        expect(names.map(made)).toEqual([false, false, true])
      },
    )
    expect([told(ran, says.no), told(ran, says.notToYou)]).toEqual([true, true])
    const { stdout } = await world.cli(['log', '--json', '--limit', 'all', '--event', 'PreToolUse'])
    const rows = stdout.split('\n').flatMap((line) => (line === '' ? [] : [Row.parse(JSON.parse(line))]))
    const spawned = rows.findLast(({ toolName }) => toolName === 'sessions_spawn')
    const below = rows.filter(({ agentId }) => agentId?.startsWith('agent:main:subagent:'))
    expect(below.length).toBe(names.length)
    expect(below.map(({ session }) => session)).not.toContain(spawned?.session)
  })
})

const Row = z.looseObject({ session: z.string(), agentId: z.string().optional(), toolName: z.string().optional() })

interface Chat {
  /** Has a person write to the bot, and waits until the bot answers. */
  write(this: void, from: number, text: string): Promise<void>
  made(this: void, name: string): boolean
}
const [owner, stranger] = [7, 8]
