import { describe, expect, it } from 'vitest'
import { dialects } from '../support/dialects.ts'
import { rewriteFor } from '../../src/agents/codec/rewrite.ts'
import { openEventFacts } from '../../src/facts/tool-call.ts'
import type { KnownAgent } from '../../src/agents/registry.ts'
import type { ToolKind } from '../../src/model/event.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { toolTable } from '../../src/agents/tool-names.ts'
import { sampleEvent } from '../support/samples.ts'

const cwd = '/home/someone/project'
const surroundings = { nowMs: 0, env: {}, cwd }
const factsOf = openEventFacts('/home/someone')

/** Every tool of every agent that takes a file pattern, as a string and as a list where allowed. */
const calls = toolTable.flatMap(({ tool, names, fields }) =>
  (Object.keys(names) as KnownAgent[]).flatMap((agent) => {
    const { glob, pattern } = fields[agent] ?? {}
    const [name = ''] = names[agent] ?? []
    if (glob === undefined) return []
    const rest = pattern === undefined ? {} : { [pattern]: 'x' }
    return [
      { agent, name, kind: tool, input: { ...rest, [glob]: '**/.env' } },
      { agent, name, kind: tool, input: { ...rest, [glob]: ['**/a', '**/.env'] } },
    ]
  }),
)

const eventOf = (agent: KnownAgent, name: string, kind: ToolKind, input: JsonObject) => ({
  ...sampleEvent('PreToolUse', agent),
  session: { id: 's', cwd },
  workspaceRoots: [cwd],
  tool: { kind, name, input },
})

describe('file patterns of a tool', () => {
  it('cover many agents', () => {
    expect(new Set(calls.map(({ agent }) => agent)).size).toBeGreaterThan(8)
  })

  it.each(calls)('are among the facts for policies: $agent $name $input', async ({ agent, name, kind, input }) => {
    const { paths } = await factsOf(eventOf(agent, name, kind, input), {})
    expect(paths.some(({ pattern }) => pattern?.endsWith('.env') === true)).toBe(true)
  })

  const lists = calls.filter(({ kind, agent }) => kind === 'list' && agent !== 'claude-code')
  it.each(lists)('are encoded for a Claude Code hook: $agent $name $input', ({ agent, name, kind, input }) => {
    const wires = dialects['claude-code'].encodeEvent(eventOf(agent, name, kind, input))
    expect(wires).toContainEqual(
      expect.objectContaining({ tool_name: 'Glob', tool_input: expect.objectContaining({ pattern: '**/.env' }) }),
    )
  })

  it.each(['gemini-cli', 'qwen-code', 'droid'] as const)(
    'of Cline’s search for several texts are encoded for a hook of %s',
    (agent) => {
      const input = { queries: ['one', 'two'] }
      const wires = dialects[agent].encodeEvent(eventOf('cline', 'search_codebase', 'search', input))
      expect(wires).toMatchObject([{ tool_input: { pattern: 'one|two' } }])
    },
  )

  it('match at any depth in a recursive listing', () => {
    const event = eventOf('cline', 'list_files', 'list', { path: 'src', recursive: 'true' })
    expect(dialects['gemini-cli'].encodeEvent(event)).toMatchObject([{ tool_input: { pattern: '**/*' } }])
    expect(
      dialects['gemini-cli'].decodeEvent(dialects['gemini-cli'].encodeEvent(event)[0] ?? {}, surroundings).tool?.kind,
    ).toBe('list')
  })

  it('become a list for an agent whose tool takes a list', () => {
    const event = eventOf('claude-code', 'Glob', 'list', { pattern: '**/.env' })
    expect(dialects.droid.encodeEvent(event)).toMatchObject([
      { tool_name: 'Glob', tool_input: { patterns: ['**/.env'] } },
    ])
  })

  it.each([
    { sent: { pattern: 'a' }, updated: { pattern: 'b' }, input: { patterns: ['a'] } },
    { sent: { pattern: 'a' }, updated: { pattern: 'b' }, input: { patterns: ['a', 'c'] } },
  ])('are not replaced by a string where they are a list: $input', ({ sent, updated, input }) => {
    const { tool } = eventOf('droid', 'Glob', 'list', input)
    expect(rewriteFor('droid', tool, { agent: 'claude-code', toolName: 'Glob', sent, updated })).toBeUndefined()
  })
})
