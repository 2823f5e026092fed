import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { agentNames, type KnownAgent, reportsFailure } from '../../src/agents/registry.ts'
import { createGate } from '../../src/library/index.ts'
import type { HookEvent } from '../../src/model/event.ts'
import { agentGaps } from '../../src/rules/agent-gaps.ts'
import { dialects } from '../support/dialects.ts'
import { emptyHome, missing } from '../support/own-folder.ts'
import { folderWith } from '../support/workspace.ts'

/** Whether a call that failed is still one that failed after it was sent as this agent sends it. */
function keepsFailure(agent: KnownAgent): boolean {
  const dialect = dialects[agent]
  const failed = (name: HookEvent['name']): HookEvent => ({
    name,
    agent: 'another',
    session: { id: 's', cwd: '/w' },
    workspaceRoots: ['/w'],
    atMs: 0,
    tool: { kind: 'shell', name: 'shell', input: { command: 'ls' }, command: 'ls' },
    result: { succeeded: false, error: 'Exit code 1' },
    raw: {},
  })
  const surroundings = { env: {}, cwd: '/w', home: '/', platform: 'linux', nowMs: 0 } as const
  const names = ['PostToolUse', 'PostToolUseFailure'] as const
  return names
    .flatMap((name) => dialect.encodeEvent(failed(name)))
    .map((wire) => dialect.decodeEvent(wire, surroundings))
    .some(({ name, result }) => name === 'PostToolUseFailure' || result?.succeeded === false)
}

async function found(limits: object, agents: readonly string[], more: object = {}): Promise<readonly string[]> {
  const root = folderWith({ 'hooks.json': { json: { ...more, limits } } })
  const gate = createGate({ home: emptyHome, managedFolder: missing, rules: [join(root, 'hooks.json')] })
  onTestFinished(() => gate.close())
  const { rules } = await gate.rulesFor({ workspaceRoots: [] })
  return (await agentGaps(rules, agents)).map(({ rule, message }) => `${rule.id.split('#')[1]}: ${message}`)
}

describe('a limit on what an agent never says', () => {
  it.each(agentNames)('on failed calls is one for %s exactly if its events cannot say that a call failed', (agent) => {
    expect(reportsFailure(agent)).toBe(keepsFailure(agent))
  })

  it.each([
    [{ failed: { times: 3 } }, ['claude-code', 'pi'], []],
    [
      { failed: { times: 3 } },
      ['claude-code', 'codex', 'gemini-cli', 'cline', 'opencode'],
      [/^limits\.failed: Codex: shell commands that fail/],
    ],
    [{ refused: { times: 3 }, repeated: { times: 30 } }, agentNames, []],
    [{ calls: [{ tool: 'fetch', most: 3 }] }, agentNames, []],
    [{ calls: [{ tool: 'agent', atOnce: 3 }] }, ['claude-code', 'pi'], []],
    [
      { calls: [{ tool: 'agent', atOnce: 3 }] },
      ['pi', 'droid', 'windsurf'],
      [/^limits\.calls\[0\]: \S*droid, Windsurf: not/i],
    ],
    [{ tokens: { session: 5 } }, ['claude-code', 'codex', 'gemini-cli', 'qwen-code', 'pi', 'opencode', 'kilo'], []],
    [
      { tokens: { session: 5, day: 9 } },
      ['claude-code', 'cursor', 'copilot-cli'],
      [/^limits\.tokens\.session: Cursor, .*Copilot.*: the session files/, /^limits\.tokens\.day/],
    ],
    [{ tokens: { session: 5 } }, [], []],
  ])('%j with %j is named with its agents', async (limits, agents, messages) => {
    const told = await found(limits, agents)
    expect(told).toHaveLength(messages.length)
    for (const [at, message] of messages.entries()) expect(told[at]).toMatch(message)
  })

  it('is not named where a preset alone has it: nobody asked for it for just these agents', async () => {
    expect(await found({}, agentNames, { preset: 'recommended' })).toEqual([])
    const [told] = await found({ failed: { times: 5 } }, agentNames, { preset: 'recommended' })
    expect(told).toMatch(/^limits\.failed: /)
  })
})

describe('an output that a rule changes', () => {
  const gaps = async (rules: object, agents: readonly string[]) => {
    const root = folderWith({ 'hooks.json': { json: rules } })
    const gate = createGate({ home: emptyHome, managedFolder: missing, rules: [join(root, 'hooks.json')] })
    onTestFinished(() => gate.close())
    const { rules: loaded } = await gate.rulesFor({ workspaceRoots: [] })
    return (await agentGaps(loaded, agents)).map(({ message, remedy }) => `${message}; ${remedy}`)
  }
  const pack = 'output-secrets'

  it('is named with the agents that show it all the same, and with the pack that keeps a secret from being shown', async () => {
    expect(await gaps({ packs: [{ pack }] }, ['opencode', 'cline'])).toEqual([
      expect.stringMatching(/^Cline: .* turn on the pack `secrets`$/),
    ])
  })

  it.each([
    ['where that pack refuses already', { packs: [{ pack }, { pack: 'secrets' }] }],
    ['where its rules only observe', { mode: 'observe', packs: [{ pack }] }],
  ])('is not named %s', async (_, rules) => {
    expect(await gaps(rules, ['cline'])).toEqual([])
  })
})
