import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { descriptorOf, eventSpellings } from '../../../src/agents/registry.ts'
import { hookSwitches } from '../../../src/agents/install/hook-switches.ts'
import { agentStatus, enable } from '../../../src/install/index.ts'
import { siteOf } from '../../../src/install/install-context.ts'
import { pluginText } from '../../../src/install/plugin-text.ts'
import { parseJsonObject } from '../../../src/model/json.ts'
import { installUser } from '../../support/asker.ts'
import { answers, folderWith, writeFiles } from '../../support/workspace.ts'

type Handler = (event: object, ctx: object) => Promise<object | undefined>

/** Loads the extension as Pi does, with a gate that is a script. */
async function loaded(gate: { readonly script: string } | undefined, answerMs = 20_000) {
  const folder = folderWith(gate === undefined ? {} : { gate })
  const commands = Object.fromEntries(eventSpellings('pi').map((event) => [event, [join(folder, 'gate')]]))
  const options = { agent: 'pi', api: 'extension', scope: 'user', commands, answerMs, observeMs: answerMs } as const
  writeFiles(folder, { 'zz-hookgate.mjs': pluginText(options) })
  const handlers = new Map<string, Handler>()
  // oxlint-disable-next-line no-unsafe-type-assertion -- it is an extension's file
  const { default: extension } = (await import(
    /* @vite-ignore */ pathToFileURL(join(folder, 'zz-hookgate.mjs')).href
  )) as {
    readonly default: (pi: object) => void
  }
  extension({ on: (name: string, handler: Handler) => handlers.set(name, handler) })
  const said: string[] = []
  const ctx = {
    cwd: folder,
    hasUI: false,
    sessionManager: { getSessionId: () => 'p-1', getSessionFile: () => undefined },
    abort: () => void said.push('aborted'),
    ui: {
      notify: (text: string) => void said.push(text),
      confirm(_title: string, text: string) {
        said.push(text)
        return Promise.resolve(!text.includes('no'))
      },
    },
  }
  return {
    folder,
    said,
    on: (name: string, event: object, more: object = {}) => handlers.get(name)?.(event, { ...ctx, ...more }),
    events: [...handlers.keys()],
  }
}

const call = (command: string) => ({ toolName: 'bash', toolCallId: 'c', input: { command } })
const result = { ...call('ls'), content: [{ type: 'text', text: 'total 0' }], isError: false }

describe('the extension of Pi', () => {
  it('listens to every event of the descriptor, and no other', async () => {
    const { events } = await loaded(undefined)
    expect(events.toSorted()).toEqual(eventSpellings('pi').toSorted())
  })

  it.each<[string, string, string]>([
    ['refuses', `echo '{"status":"deny","reason":"because"}'; exit 2`, 'because'],
    ['ends with 2 and a reason on stderr alone', 'echo because >&2; exit 2', 'because'],
    ['fails', 'exit 1', 'it ended with 1'],
    ['is killed', 'kill -9 $$', 'it ended with null'],
    ['prints text that is not an answer', 'echo well', 'cannot answer'],
    ['asks where nobody is there', `echo '{"status":"ask","reason":"sure?"}'`, 'the person did not agree: sure?'],
  ])('blocks a call with a reason where the gate %s', async (_, script, why) => {
    const { on } = await loaded({ script: `#!/bin/sh\n${script}\n` })
    expect(await on('tool_call', call('ls'))).toEqual({ block: true, reason: expect.stringContaining(why) as string })
  })

  it('blocks a call where the gate is gone, and where it never answers', async () => {
    const nobody = await loaded(undefined)
    const gone = { block: true, reason: expect.stringMatching(/gate is gone: run `hookgate enable pi`$/) as string }
    expect(await nobody.on('tool_call', call('ls'))).toEqual(gone)
    const late = await loaded({ script: '#!/bin/sh\nsleep 60 & wait\n' }, 300)
    expect(await late.on('tool_call', call('ls'))).toMatchObject({
      reason: expect.stringContaining('too long') as string,
    })
  })

  it('changes the input in place, since Pi ignores another object', async () => {
    const { on } = await loaded(answers({ args: { command: 'ls' } }))
    const event = call('rm -rf x')
    expect(await on('tool_call', event)).toBeUndefined()
    expect(event.input).toEqual({ command: 'ls' })
  })

  it('asks the person where Pi has a screen, and takes the answer', async () => {
    const yes = await loaded(answers({ status: 'ask', reason: 'sure?' }))
    expect(await yes.on('tool_call', call('ls'), { hasUI: true })).toBeUndefined()
    const no = await loaded(answers({ status: 'ask', reason: 'no?' }))
    expect(await no.on('tool_call', call('ls'), { hasUI: true })).toEqual({
      block: true,
      reason: 'the person did not agree: no?',
    })
    expect([yes.said, no.said]).toEqual([['sure?'], ['no?']])
  })

  it('ends the turn where a rule demands that, and blocks the call', async () => {
    const stopping = await loaded(answers({ stop: 'enough' }))
    expect(await stopping.on('tool_call', call('ls'))).toEqual({ block: true, reason: 'enough' })
    const refusing = await loaded(answers({ status: 'deny', reason: 'no', stop: 'enough' }))
    expect(await refusing.on('tool_call', call('ls'))).toEqual({ block: true, reason: 'no' })
    expect([stopping.said, refusing.said]).toEqual([['aborted'], ['aborted']])
  })

  it('tells the model with the result of a call what a rule adds to the call, once', async () => {
    const { on } = await loaded({
      script: `#!/bin/sh\ncase $(cat) in *tool_call*) echo '{"context":"mind the gap"}'; esac\n`,
    })
    await on('tool_call', call('ls'))
    const added = [...result.content, { type: 'text', text: 'mind the gap' }]
    expect(await on('tool_result', result)).toEqual({ content: added })
    expect(await on('tool_result', result)).toBeUndefined()
  })

  it('puts another output in the place of a result', async () => {
    const { on } = await loaded(answers({ output: 'masked' }))
    expect(await on('tool_result', result)).toEqual({ content: [{ type: 'text', text: 'masked' }] })
  })

  it('does not send a prompt that is refused, or that cannot be decided, and says why', async () => {
    const refusing = await loaded({ script: '#!/bin/sh\necho because >&2; exit 2\n' })
    expect(await refusing.on('input', { text: 'hi' }, { hasUI: true })).toEqual({ action: 'handled' })
    expect(refusing.said).toEqual(['because'])
    const nobody = await loaded(undefined)
    expect(await nobody.on('input', { text: 'hi' }, { hasUI: true })).toEqual({ action: 'handled' })
    const adding = await loaded(answers({ context: 'mind the gap' }))
    expect(await adding.on('input', { text: 'hi' })).toEqual({ action: 'transform', text: 'hi\n\nmind the gap' })
  })

  it('lets nothing fail after an action has happened, whatever the gate does', async () => {
    const { on } = await loaded({ script: '#!/bin/sh\nexit 2\n' })
    expect(await on('tool_result', result)).toBeUndefined()
    for (const name of ['session_start', 'session_shutdown', 'agent_settled', 'session_before_compact'])
      // oxlint-disable-next-line no-await-in-loop -- a few processes, in order
      expect(await on(name, { reason: 'quit' })).toBeUndefined()
  })

  it('names the session, the call and the call that made it', async () => {
    const { on, folder } = await loaded({ script: '#!/bin/sh\ncat >"$0.event"\n' })
    await on('tool_call', { ...call('ls'), parentToolCallId: 'outer' })
    const wire = parseJsonObject(readFileSync(join(folder, 'gate.event'), 'utf8'))
    const named = { type: 'tool_call', agent: 'pi', piSession: 'p-1', cwd: folder, parentToolCallId: 'outer' }
    expect(wire).toMatchObject({ ...named, ...call('ls') })
  })
})

const hook = '.pi/agent/extensions/zz-hookgate.js'

describe('what keeps Pi from loading the extension', () => {
  const settings = (...extensions: string[]) => JSON.stringify({ extensions })
  const inHome = (files: Readonly<Record<string, string>>) => ({ home: files, project: {} })
  const inBoth = (project: string) => ({ home: {}, project: { '.pi/settings.json': project } })

  async function switchesWith(
    files: { readonly home: Readonly<Record<string, string>>; readonly project: Readonly<Record<string, string>> },
    env = {},
  ) {
    const user = installUser('user')
    writeFiles(user.home, { [hook]: '// any', ...files.home })
    writeFiles(user.cwd, files.project)
    const pi = descriptorOf('pi')
    return pi === undefined ? [] : hookSwitches(pi, siteOf({ ...user.context, env: { ...user.context.env, ...env } }))
  }

  it.each([
    [
      'settings that exclude it by its name',
      inHome({ '.pi/agent/settings.json': settings('-extensions/zz-hookgate.js') }),
    ],
    ['settings that exclude it by a pattern', inHome({ '.pi/agent/settings.json': settings('!zz*') })],
    ['settings that exclude all files', inHome({ '.pi/agent/settings.json': settings('!**/*.js') })],
    ['an ignore file', inHome({ '.pi/agent/extensions/.fdignore': '# none\nzz-*\n' })],
    ['a list of extensions', inHome({ '.pi/agent/extensions/package.json': '{"pi":{"extensions":["./x.js"]}}' })],
    ['an index', inHome({ '.pi/agent/extensions/index.ts': '' })],
    [
      'a project that names the folder and excludes it',
      inBoth(settings('~/.pi/agent/extensions', '!**/zz-hookgate.js')),
    ],
    ['a project that names and excludes the file', inBoth(settings(`~/${hook}`, '!**/zz*'))],
  ])('is seen: %s', async (_, files) => {
    expect(await switchesWith(files)).toEqual([expect.stringContaining('with which Pi runs no hook of hookgate')])
  })

  it.each([
    ['settings without extensions', inHome({ '.pi/agent/settings.json': '{"theme":"dark"}' })],
    [
      'settings that exclude another file',
      inHome({ '.pi/agent/settings.json': settings('-extensions/other.js', '!a*') }),
    ],
    ['an ignore file for packages', inHome({ '.pi/agent/extensions/.gitignore': 'node_modules\n*.log\n' })],
    ['a package without a list', inHome({ '.pi/agent/extensions/package.json': '{"dependencies":{}}' })],
    ['a project that excludes what it does not name', inBoth(settings('./own', '!**/*.js'))],
  ])('is not seen in %s', async (_, files) => {
    expect(await switchesWith(files)).toEqual([])
  })

  it('is a package elsewhere only if that keeps its settings in another folder', async () => {
    const other = folderWith({ 'package.json': '{"piConfig":{"configDir":".qi"}}' })
    const same = folderWith({ 'package.json': '{"piConfig":{"configDir":".pi"}}' })
    expect(await switchesWith(inHome({}), { PI_PACKAGE_DIR: other })).toHaveLength(1)
    expect(await switchesWith(inHome({}), { PI_PACKAGE_DIR: same })).toEqual([])
  })

  it('is the missing trust in a project, of which `enable` says what there is to do', async () => {
    const user = installUser('project')
    const { notes } = await enable('pi', user.context)
    expect(notes).toContainEqual(expect.stringContaining('type `/trust`'))
    const problemsNow = async () =>
      (await agentStatus('pi', user.context)).scopes.find(({ scope }) => scope === 'project')?.problems
    expect(await problemsNow()).toEqual([expect.stringContaining('type `/trust`')])
    writeFiles(user.home, { '.pi/agent/trust.json': JSON.stringify({ [join(user.cwd, '..')]: true }) })
    expect(await problemsNow()).toEqual([])
  })
})
