import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { descriptorOf, eventSpellings } from '../../../src/agents/registry.ts'
import { hookSwitches } from '../../../src/agents/install/hook-switches.ts'
import { agentStatus, disable, enable } from '../../../src/install/index.ts'
import { siteOf } from '../../../src/install/install-context.ts'
import { pluginText } from '../../../src/install/plugin-text.ts'
import { parseJsonObject } from '../../../src/model/json.ts'
import { installUser } from '../../support/asker.ts'
import { answers, folderWith, writeFiles } from '../../support/workspace.ts'

type Handler = (event: object, ctx: object) => Promise<object | undefined>

/** Loads the plugin as OpenClaw does, with a gate that is a script. */
async function loaded(gate: { readonly script: string } | undefined, answerMs = 20_000) {
  const folder = folderWith(gate === undefined ? {} : { gate })
  const commands = Object.fromEntries(eventSpellings('openclaw').map((event) => [event, [join(folder, 'gate')]]))
  const options = { agent: 'openclaw', api: 'package', scope: 'user', commands, answerMs, observeMs: answerMs } as const
  writeFiles(folder, { 'index.mjs': pluginText(options) })
  const handlers = new Map<string, Handler>()
  // oxlint-disable-next-line no-unsafe-type-assertion -- it is a plugin's file
  const { default: plugin } = (await import(/* @vite-ignore */ pathToFileURL(join(folder, 'index.mjs')).href)) as {
    readonly default: { readonly register: (api: object) => void }
  }
  plugin.register({
    config: {},
    runtime: { agent: { resolveAgentWorkspaceDir: () => folder } },
    on: (name: string, handler: Handler) => handlers.set(name, handler),
  })
  const ctx = { sessionId: 'c-1', sessionKey: 'agent:main:main', agentId: 'main' }
  return {
    folder,
    on: (name: string, event: object, more: object = {}) => handlers.get(name)?.(event, { ...ctx, ...more }),
    events: [...handlers.keys()],
  }
}

const call = (command: string) => ({ toolName: 'exec', toolCallId: 'c', params: { command } })

describe('the plugin of OpenClaw', () => {
  it('listens to every event of the descriptor, and no other', async () => {
    expect((await loaded(undefined)).events.toSorted()).toEqual(eventSpellings('openclaw').toSorted())
  })

  it.each<[string, string, string]>([
    ['refuses', `echo '{"status":"deny","reason":"because"}'; exit 2`, 'because'],
    ['ends with 2 and a reason on stderr alone', 'echo because >&2; exit 2', 'because'],
    ['fails', 'exit 1', 'it ended with 1'],
    ['is killed', 'kill -9 $$', 'it ended with null'],
    ['prints text that is not an answer', 'echo well', 'cannot answer'],
  ])('blocks a call with a reason where the gate %s', async (_, script, why) => {
    const { on } = await loaded({ script: `#!/bin/sh\n${script}\n` })
    expect(await on('before_tool_call', call('ls'))).toEqual({
      block: true,
      blockReason: expect.stringContaining(why) as string,
    })
  })

  it('blocks a call where the gate never answers, and where it is gone', async () => {
    const late = await loaded({ script: '#!/bin/sh\nsleep 60 & wait\n' }, 300)
    const gone = await loaded(undefined)
    const blocked = { block: true, blockReason: expect.stringMatching(/too long|is gone: run/) as string }
    expect(await late.on('before_tool_call', call('ls'))).toEqual(blocked)
    expect(await gone.on('before_tool_call', call('ls'))).toEqual(blocked)
  })

  it('has what was judged run, whatever another plugin has made of it', async () => {
    const silent = await loaded({ script: '#!/bin/sh\n' })
    expect(await silent.on('before_tool_call', call('ls'))).toEqual({ params: { command: 'ls' } })
    const rewriting = await loaded(answers({ args: { command: 'pwd' } }))
    expect(await rewriting.on('before_tool_call', call('ls'))).toEqual({ params: { command: 'pwd' } })
  })

  it('does not ask about what only surrounds other calls, which are asked about themselves', async () => {
    const { on } = await loaded({ script: '#!/bin/sh\nexit 1\n' })
    expect(await on('before_tool_call', { ...call('x'), toolKind: 'code_mode_exec' })).toBeUndefined()
    expect(await on('before_tool_call', { toolName: 'tool_call', params: { id: 'exec' } })).toBeUndefined()
  })

  it('says who began the turn, and in which session of a sub-agent it is', async () => {
    const { on, folder } = await loaded({ script: '#!/bin/sh\ncat >"$0.event"\n' })
    const requester = { channel: 'telegram', senderId: '8', senderIsOwner: false }
    await on('before_tool_call', call('ls'), { requester, sessionKey: 'agent:main:subagent:7' })
    expect(parseJsonObject(readFileSync(join(folder, 'gate.event'), 'utf8'))).toMatchObject({
      agent: 'openclaw',
      clawSession: 'c-1',
      cwd: folder,
      requester,
      subagent: 'agent:main:subagent:7',
    })
  })

  it('does not fail after a call, whatever the gate does', async () => {
    const { on } = await loaded({ script: '#!/bin/sh\nexit 2\n' })
    await expect(on('after_tool_call', { ...call('ls'), result: {} })).resolves.toBeUndefined()
    await expect(on('session_end', {})).resolves.toBeUndefined()
  })
})

const settings = '.openclaw/openclaw.json'

describe('the settings of OpenClaw', () => {
  it.each([
    ['empty', '{}\n'],
    ['without plugins, on one line', '{"agents":{"defaults":{}}}'],
    ['with comments', '{\n  // mine\n  "agents": {} // more\n}\n'],
    [
      'with other plugins',
      '{\n    "plugins": {\n        "entries": {\n            "x": { "enabled": true }\n        }\n    }\n}',
    ],
    ['with an empty list of entries', '{"plugins": {"entries": {}}}\n'],
  ])('%s are the same to the byte after `enable` and `disable`', async (_, text) => {
    const user = installUser('user')
    writeFiles(user.home, { [settings]: text })
    await enable('openclaw', user.context)
    expect(user.read(settings)).toContain('"hookgate"')
    expect((await enable('openclaw', user.context)).changed).toEqual([])
    await disable('openclaw', user.context)
    expect(user.read(settings)).toBe(text)
  })

  it('that were changed since keep the changes', async () => {
    const user = installUser('user')
    writeFiles(user.home, { [settings]: '{"a": 1}' })
    await enable('openclaw', user.context)
    writeFiles(user.home, { [settings]: user.read(settings).replace('"a": 1', '"a": 2') })
    await disable('openclaw', user.context)
    expect(JSON.parse(user.read(settings))).toEqual({ a: 2 })
  })

  it('of which the entry was taken out do not load the plugin', async () => {
    const user = installUser('user')
    await enable('openclaw', user.context)
    writeFiles(user.home, { [settings]: '{}' })
    const { calls, scopes } = await agentStatus('openclaw', user.context)
    expect([calls, JSON.stringify(scopes)]).toEqual([false, expect.stringContaining('its entry is missing')])
  })

  it.each<[string, object, number]>([
    ['`plugins.enabled`', { enabled: false }, 1],
    ['`plugins.deny`', { deny: ['hookgate'] }, 1],
    ['`plugins.allow`', { allow: ['telegram'] }, 1],
    ['`plugins.entries.hookgate.enabled`', { entries: { hookgate: { enabled: false } } }, 1],
    ['`plugins.allow` with hookgate', { allow: ['hookgate'] }, 0],
  ])('that keep it from being loaded are seen: %s', async (_, plugins, found) => {
    const user = installUser('user')
    await enable('openclaw', user.context)
    writeFiles(user.home, { [settings]: JSON.stringify({ plugins }) })
    const descriptor = descriptorOf('openclaw')
    if (descriptor === undefined) throw new Error('there is no OpenClaw')
    expect(hookSwitches(descriptor, siteOf(user.context))).toHaveLength(found)
  })

  it('of a project load no plugin', async () => {
    await expect(enable('openclaw', installUser('project').context)).rejects.toThrow(
      'only from its user’s own settings',
    )
  })

  it('that are not as JSON are left alone', async () => {
    const user = installUser('user')
    writeFiles(user.home, { [settings]: '{ agents: {}, }' })
    await expect(enable('openclaw', user.context)).rejects.toMatchObject({
      code: 'settingsMalformed',
      remedy: 'write it as JSON, which may have comments',
    })
    expect(user.read(settings)).toBe('{ agents: {}, }')
  })
})
