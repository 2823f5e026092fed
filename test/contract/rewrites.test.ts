import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { encodeCall, type NeutralCall } from '../../src/agents/neutral-call.ts'
import { agentNames, type KnownAgent } from '../../src/agents/registry.ts'
import { createGate } from '../../src/library/index.ts'
import type { HookEvent, ToolUse } from '../../src/model/event.ts'
import { isJsonObject, type Json, type JsonObject } from '../../src/model/json.ts'
import { dialects } from '../support/dialects.ts'
import { arbitraryEvent } from '../support/events.ts'
import { clineSdkTool } from '../support/wire.ts'
import { folderWith } from '../support/workspace.ts'
import fc from 'fast-check'

// Every agent's calls can be rewritten, in its own keys. What a rewrite makes is what its agent would have sent.

const surroundings = { nowMs: 1_790_000_000_000, env: {}, cwd: '/work' }
const before = ['PreToolUse', 'PermissionRequest'] as const

/** Two calls of the same tool for each kind. */
const pairs: readonly (readonly [NeutralCall, NeutralCall])[] = [
  [
    { kind: 'shell', command: 'ls' },
    { kind: 'shell', command: 'git push --force; rm -rf ~' },
  ],
  [
    { kind: 'read', path: '/work/a' },
    { kind: 'read', path: '/home/someone/.ssh/id_rsa' },
  ],
  [
    { kind: 'write', path: '/work/a', content: 'x' },
    { kind: 'write', path: '/etc/passwd', content: 'root' },
  ],
  [
    { kind: 'edit', path: '/work/a', content: 'x' },
    { kind: 'edit', path: '/etc/passwd', content: 'root' },
  ],
  [
    { kind: 'fetch', url: 'https://example.com/' },
    { kind: 'fetch', url: 'https://evil.example/' },
  ],
]

const decoded = (agent: KnownAgent, wire: JsonObject) => dialects[agent].decodeEvent(wire, surroundings)
const withoutId = (tool: ToolUse) => ({ ...tool, id: undefined })
const toolOf = ({ tool }: HookEvent) => {
  if (tool === undefined) throw new Error('it is no call')
  return withoutId(tool)
}

describe.each(agentNames)('a rewritten call of %s', (agent) => {
  const dialect = dialects[agent]

  it.each(pairs)('is the call that it would have sent: $kind', async (one, other) => {
    const wires = await Promise.all([one, other].map((call) => encodeCall(agent, call, '/work', 's')))
    const [from, to] = wires.map((wire) => wire && decoded(agent, { ...wire, added_later: 1 }))
    if (from === undefined || to === undefined) return
    const made = dialect.withInput(from, to.tool?.input ?? {}, surroundings)
    expect(withoutId(made.tool)).toEqual(toolOf(to))
    expect(toolOf(decoded(agent, made.raw))).toEqual(toolOf(to))
    expect(made.raw['added_later']).toBe(1)
    expect({ ...made, tool: 0, raw: 0 }).toEqual({ ...from, tool: 0, raw: 0 })
    // So that a hook of the same agent gets it too.
    const [sent = {}] = dialect.encodeEvent(made)
    expect(toolOf(decoded(agent, sent))).toEqual(toolOf(to))
  })

  it.each(before.filter((name) => dialect.events.includes(name)))(
    'at %s is the call with that input, or cannot be judged; its session stays',
    (name) => {
      fc.assert(
        fc.property(arbitraryEvent('claude-code', name), arbitraryEvent('claude-code', name), (one, other) => {
          const [from, to] = [one, other].map((given) => sentBy(agent, given))
          if (from?.tool === undefined || to?.tool === undefined) return
          const made = callOrRefusal(from, to.tool.input)
          if (made === undefined) return
          expect(made.tool?.input).toEqual(to.tool.input)
          expect(toolOf(decoded(agent, made.raw))).toEqual(toolOf(made))
          expect({ ...made.session, cwd: '' }).toEqual({ ...from.session, cwd: '' })
          expect(made.workspaceRoots).toEqual(from.workspaceRoots)
        }),
        { numRuns: 60 },
      )
    },
  )

  it('keeps the project of its session, and the time, whatever its wire object says', async () => {
    const event = { ...decoded(agent, await shellWire(agent)), workspaceRoots: ['/elsewhere'], atMs: 7 }
    const input = changed(event.tool?.input ?? {}, 'pwd')
    expect(dialect.withInput(event, input, surroundings)).toMatchObject({ workspaceRoots: ['/elsewhere'], atMs: 7 })
  })
})

const shellWire = async (agent: KnownAgent) =>
  (await encodeCall(agent, { kind: 'shell', command: 'ls' }, '/work', 's')) ?? {}

/** Returns an event as the agent would send it; `undefined` if it cannot. */
function sentBy(agent: KnownAgent, event: HookEvent): HookEvent | undefined {
  const [wire] = dialects[agent].encodeEvent(event)
  try {
    return wire && decoded(agent, wire)
  } catch {
    return undefined
  }
}

/** Returns the event with another input; `undefined` if its dialect says that this can't be judged. */
function callOrRefusal(event: HookEvent, input: JsonObject): HookEvent | undefined {
  try {
    return dialects[event.agent as KnownAgent].withInput(event, input, surroundings)
  } catch (error) {
    expect(error).toMatchObject({ code: 'eventMalformed' })
    return undefined
  }
}

/** Puts another command in the place of `ls`, wherever it stands. */
function changed<Value extends Json>(value: Value, command: string): Value
function changed(value: Json, command: string): Json {
  if (value === 'ls') return command
  if (Array.isArray(value)) return value.map((one: Json) => changed(one, command))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, changed(one, command)]))
}

const rewriter = (command: string) => `
import { definePolicy, rewrite } from 'hookgate/policy'
const changed = (value) =>
  value === 'ls' ? ${JSON.stringify(command)}
  : Array.isArray(value) ? value.map(changed)
  : typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, changed(one)]))
  : value
export default definePolicy({
  id: 'rewriter',
  description: 'part of a test',
  on: 'PreToolUse',
  decide({ tool }) { return rewrite(changed(tool.input)) },
  examples: [{ name: 'any', given: {}, want: {} }],
})
`

describe('in the words of every agent', async () => {
  function gateWith(command: string) {
    const home = folderWith({
      '.config/hookgate/hooks.json': { json: { permissions: { deny: ['Bash(git push *)'] } } },
      '.config/hookgate/policies/rewriter.policy.js': rewriter(command),
    })
    const gate = createGate({ home, env: { HOME: home }, managedFolder: `${home}/managed`, placement: 'caller' })
    onTestFinished(() => gate.close())
    return gate
  }
  const wires: readonly (readonly [string, KnownAgent, JsonObject])[] = [
    ...(await Promise.all(agentNames.map(async (agent) => [agent, agent, await shellWire(agent)] as const))),
    ['cline, SDK', 'cline', clineSdkTool('run_commands', { commands: ['ls'] }, '/work')],
    ['cline, SDK, bare', 'cline', clineSdkTool('run_commands', { command: 'ls' }, '/work')],
  ]

  it.each(wires)('%s is told a refusal of what a rule made', async (_, agent, wire) => {
    const answered = await gateWith('git push --force').answer(wire, { agent })
    expect(answered.verdict).toMatchObject({ decision: 'deny', determining: ['user:hooks.json#permissions.deny'] })
    expect(answered.told).toBe('deny')
    expect(answered.verdict?.reason).toContain('as rewritten by user:policies#rewriter')
    expect(answered.stdout + answered.stderr).toContain('git push')
  })

  it.each(wires)(
    '%s is told the new input, where that can be said, and is refused where not',
    async (_, agent, wire) => {
      const { verdict, event, told, stdout } = await gateWith('git status').answer(wire, { agent })
      if (event?.tool === undefined || verdict === undefined) throw new Error('it is no call')
      expect(verdict).toMatchObject({ decision: 'abstain', rewritten: { tool: { command: 'git status' } } })
      const isNative = dialects[agent].support(event).replaceInput === 'native'
      expect(told === 'deny').toBe(!isNative)
      const input = changed(event.tool.input, 'git status')
      expect(holds(stdout.trim() === '' ? null : (JSON.parse(stdout) as Json), input)).toBe(isNative)
    },
  )
})

/** Returns whether a value is in another one, at any depth. */
function holds(whole: Json, part: Json): boolean {
  if (isDeepStrictEqual(whole, part)) return true
  if (typeof whole !== 'object' || whole === null) return false
  return Object.values(whole).some((one: Json) => holds(one, part))
}
