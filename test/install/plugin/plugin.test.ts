import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { dialectBySight } from '../../../src/agents/index.ts'
import { parseJsonObject } from '../../../src/model/json.ts'
import { agentStatus, disable, enable } from '../../../src/install/index.ts'
import { pluginText } from '../../../src/install/plugin-text.ts'
import { installUser, guarded } from '../../support/asker.ts'
import { answers, folderWith, writeFiles } from '../../support/workspace.ts'

type PluginInput = Readonly<Record<string, unknown>>
interface Hooks {
  readonly [event: string]: (input: PluginInput, output: Record<string, unknown>) => Promise<void>
}
interface Plugin {
  readonly Hookgate: (context: PluginInput) => Promise<Hooks>
}

/** Loads the plugin as OpenCode does. */
async function loaded(file: string, directory: string, client?: object): Promise<Hooks> {
  // oxlint-disable-next-line no-unsafe-type-assertion -- it is a plugin's file
  const { Hookgate } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as Plugin
  return Hookgate({ directory, worktree: '/', client })
}

const before = 'tool.execute.before'
const call = { tool: 'bash', sessionID: 's', callID: 'c' }
const events = [before, 'tool.execute.after', 'permission.ask', 'chat.message', 'session.idle']

/** Loads a plugin whose gate is a script. */
async function withGate(
  script: { readonly script: string } | undefined,
  answerMs = 20_000,
  client?: object,
): Promise<Hooks> {
  const folder = folderWith(script === undefined ? {} : { gate: script })
  const commands = Object.fromEntries(events.map((event) => [event, [join(folder, 'gate')]]))
  const text = pluginText({ agent: 'opencode', scope: 'user', commands, answerMs, observeMs: answerMs })
  writeFiles(folder, { 'hookgate.mjs': text })
  return loaded(join(folder, 'hookgate.mjs'), folder, client)
}

const places = [
  { agent: 'opencode', scope: 'user', file: '.config/opencode/plugins/hookgate.js' },
  { agent: 'opencode', scope: 'project', file: '.opencode/plugins/hookgate.js' },
  { agent: 'kilo', scope: 'user', file: '.config/kilo/plugins/hookgate.js' },
  { agent: 'kilo', scope: 'project', file: '.kilo/plugins/hookgate.js' },
  { agent: 'pi', scope: 'user', file: '.pi/agent/extensions/zz-hookgate.js' },
  { agent: 'pi', scope: 'project', file: '.pi/extensions/zz-hookgate.js' },
  { agent: 'openclaw', scope: 'user', file: '.openclaw/extensions/hookgate/index.js' },
] as const

describe.each(places)('the plugin of $agent, in the scope $scope,', ({ agent, scope, file }) => {
  it('is written, probed, throws for what the rules deny, and is removed with its folders', async () => {
    const user = installUser(scope)
    if (agent === 'pi') writeFiles(user.home, { '.pi/agent/trust.json': JSON.stringify({ [user.cwd]: true }) })
    const below = readdirSync(user.at('.'))
    const [changed] = (await enable(agent, user.context)).changed
    expect(changed).toMatchObject({ file: user.at(file), what: 'wrote' })
    expect((await enable(agent, user.context)).changed).toEqual([])
    const { scopes: found } = await agentStatus(agent, user.context)
    expect(found.find((one) => one.scope === scope)).toMatchObject({
      state: 'works',
      canaries: [{ answered: true, by: 'process' }],
    })
    await disable(agent, user.context)
    expect(readdirSync(user.at('.'))).toEqual(below)
  })

  // A project's plugin runs the `hookgate` of each person.
  it.runIf(scope === 'user')(
    'is probed without a warning of Node, so that a failure is said in its own words',
    async () => {
      const user = installUser(scope)
      await enable(agent, user.context)
      // Node warns of a module whose package does not say what it is, and before OpenCode reads it as one.
      writeFiles(join(user.at(file), '../..'), { 'package.json': '{}' })
      const hooks = join(user.context.places.folder, 'hooks', agent)
      for (const name of readdirSync(hooks)) writeFiles(hooks, { [name]: '#!/bin/sh\nexit 1\n' })
      const found = (await agentStatus(agent, user.context)).scopes.find((one) => one.scope === scope)
      expect(found?.canaries).toMatchObject([{ answered: false, problem: expect.stringContaining('it ended with 1') }])
      expect(JSON.stringify(found)).not.toContain('Warning')
    },
  )

  it('does not overwrite another plugin', async () => {
    const user = installUser(scope)
    writeFiles(user.at('.'), { [file]: 'export const Mine = async () => ({})\n' })
    await expect(enable(agent, user.context)).rejects.toMatchObject({ place: { file: user.at(file) } })
    expect((await disable(agent, user.context)).changed).toEqual([])
    expect(user.read(file)).toContain('Mine')
  })

  it('is not run once it has been changed', async () => {
    const user = installUser(scope)
    await enable(agent, user.context)
    const mark = join(user.folder, 'mark')
    writeFiles(user.at('.'), { [file]: `${user.read(file)}\nrequire('fs').writeFileSync('${mark}', '')\n` })
    const { scopes: found, calls } = await agentStatus(agent, user.context)
    expect(calls).toBe(false)
    expect(found.find((one) => one.scope === scope)).toMatchObject({ state: 'unproved', canaries: [] })
    expect(existsSync(mark)).toBe(false)
    const [changed] = (await enable(agent, user.context)).changed
    expect(changed?.backup).toBeDefined()
  })
})

describe('the plugin of OpenCode', () => {
  it('throws the reason of a denial, through this machine’s client', async () => {
    const user = installUser('user')
    // The plugin inherits OpenCode's environment.
    for (const [name, value] of Object.entries(user.env)) vi.stubEnv(name, value)
    onTestFinished(() => void vi.unstubAllEnvs())
    await enable('opencode', user.context)
    const hooks = await loaded(user.at('.config/opencode/plugins/hookgate.js'), user.cwd)
    await expect(hooks[before]?.(call, { args: { command: 'git push' } })).rejects.toThrow(guarded)
    await expect(hooks[before]?.({ ...call, tool: 'read' }, { args: { filePath: '/x' } })).resolves.toBeUndefined()
  })

  it.each(['opencode', 'kilo'] as const)('of %s sends events that are recognised as its own', async (agent) => {
    const folder = folderWith({ gate: { script: '#!/bin/sh\ncat >"$0.event"\n' } })
    const commands = Object.fromEntries(events.map((event) => [event, [join(folder, 'gate')]]))
    const options = { agent, scope: 'user', version: '0', commands, answerMs: 20_000, observeMs: 20_000 } as const
    writeFiles(folder, { 'hookgate.mjs': pluginText(options) })
    const hooks = await loaded(join(folder, 'hookgate.mjs'), folder)
    await hooks[before]?.(call, { args: { command: 'ls' } })
    const wire = parseJsonObject(readFileSync(join(folder, 'gate.event'), 'utf8'))
    expect((await dialectBySight(wire ?? {})).agent).toBe(agent)
  })

  it('changes the arguments in place', async () => {
    const hooks = await withGate(answers({ args: { command: 'ls' } }))
    const args = { command: 'rm -rf x', description: 'tidy' }
    await hooks[before]?.(call, { args })
    expect(args).toEqual({ command: 'ls' })
  })

  it.each<[string, string, string]>([
    ['ends with 2 and no message', 'exit 2', 'it ended with 2'],
    ['ends with 2 and a reason on stderr alone', 'echo because >&2; exit 2', 'because'],
    ['refuses and exits with 0', `echo '{"status":"deny","reason":"because"}'`, 'because'],
    ['fails', 'exit 1', 'it ended with 1'],
    ['is killed', 'kill -9 $$', 'it ended with null'],
    ['prints text that is not an answer', 'echo well', 'cannot answer'],
    ['prints half an answer', `echo '{"status":'`, 'cannot answer'],
  ])('throws where the gate %s', async (_, script, why) => {
    const hooks = await withGate({ script: `#!/bin/sh\n${script}\n` })
    await expect(hooks[before]?.(call, { args: {} })).rejects.toThrow(why)
  })

  it('throws where the gate never answers, and where it is gone', async () => {
    const nobody = await withGate(undefined)
    await expect(nobody[before]?.(call, { args: {} })).rejects.toThrow(/gate is gone: run `hookgate enable opencode`$/)
    const hooks = await withGate({ script: '#!/bin/sh\nsleep 60 & wait\n' }, 300)
    await expect(hooks[before]?.(call, { args: {} })).rejects.toThrow('it took too long')
    await expect(hooks['chat.message']?.({ sessionID: 's' }, { parts: [] })).rejects.toThrow('it took too long')
    const output = { status: 'ask' }
    await hooks['permission.ask']?.({ type: 'bash', pattern: 'ls', sessionID: 's' }, output)
    expect(output.status).toBe('deny')
  })

  it('does not throw after an action has happened, whatever the gate does', async () => {
    const hooks = await withGate({ script: '#!/bin/sh\nexit 2\n' })
    const output = { output: 'total 0' }
    await expect(hooks['tool.execute.after']?.({ ...call, args: {} }, output)).resolves.toBeUndefined()
    expect(output).toEqual({ output: 'total 0' })
    await expect(
      hooks['event']?.({ event: { type: 'session.idle', properties: { sessionID: 's' } } }, {}),
    ).resolves.toBeUndefined()
  })

  it('names the session at the top of a sub-agent’s, also where that was begun in an earlier run', async () => {
    const log = join(folderWith(), 'log')
    const asked: string[] = []
    const known = new Map([
      ['top', {}],
      ['sub', { parentID: 'top' }],
      ['below', { parentID: 'sub' }],
    ])
    const client = {
      session: {
        async get({ path: { id } }: { path: { id: string } }) {
          asked.push(id)
          if (id === 'broken') throw new Error('no')
          return { data: known.get(id) }
        },
      },
    }
    const hooks = await withGate({ script: `#!/bin/sh\ncat >> ${log}; echo >> ${log}\n` }, 20_000, client)
    const begun = { type: 'session.created', properties: { info: { id: 'new', parentID: 'below' } } }
    await hooks['event']?.({ event: begun }, {})
    for (const sessionID of ['below', 'below', 'top', 'new', 'none', 'broken', 'broken'])
      // oxlint-disable-next-line no-await-in-loop -- in order
      await hooks[before]?.({ ...call, sessionID }, { args: { command: 'ls' } })
    const roots = readFileSync(log, 'utf8')
      .split('\n')
      .flatMap((line) => (line === '' ? [] : [parseJsonObject(line)]))
      .map((event) => [event?.['sessionID'], event?.['rootSessionID']])
    const top = ['below', 'top']
    const broken = ['broken', undefined]
    expect(roots).toEqual([top, top, ['top', undefined], ['new', 'top'], ['none', undefined], broken, broken])
    expect(asked).toEqual(['below', 'sub', 'top', 'none', 'broken'])
  })

  it('sets a permission, and adds a context to what the model reads', async () => {
    const permitting = await withGate(answers({ status: 'allow' }))
    const permission = { status: 'ask' }
    await permitting['permission.ask']?.({ type: 'bash', pattern: ['ls'], sessionID: 's' }, permission)
    expect(permission.status).toBe('allow')

    const advising = await withGate(answers({ context: 'mind the gap' }))
    const [part, result] = [{ type: 'text', text: 'hello' }, { output: 'total 0' }]
    await advising['chat.message']?.({ sessionID: 's' }, { parts: [{ type: 'file' }, part] })
    expect(part.text).toBe('hello\n\nmind the gap')
    await advising['tool.execute.after']?.({ ...call, args: {} }, result)
    expect(result.output).toBe('total 0\n\nmind the gap')
  })
})
