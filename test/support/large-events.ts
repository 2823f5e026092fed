import type { KnownAgent } from '../../src/agents/registry.ts'
import { agentNames } from '../../src/agents/registry.ts'
import type { EventName, HookEvent, ToolUse } from '../../src/model/event.ts'
import { isJsonObject, type Json, type JsonObject } from '../../src/model/json.ts'
import { dialects } from './dialects.ts'
import { type Large, largeText, type Random } from './large-texts.ts'
import { sampleEvent } from './samples.ts'
import { claudeShell } from './wire.ts'

/** An event on the wire of one agent. */
export interface LargeEvent extends Large<JsonObject> {
  readonly agent: KnownAgent
}

const cwd = '/home/someone/project'
const calls: readonly ToolUse[] = [
  { kind: 'shell', name: 'Bash', input: { command: 'ls' }, command: 'ls' },
  { kind: 'write', name: 'Write', input: { file_path: 'a', content: 'b' }, paths: ['a'], path: 'a', content: 'b' },
  { kind: 'read', name: 'Read', input: { file_path: 'a' }, paths: ['a'], path: 'a' },
]
const events: readonly EventName[] = ['PostToolUse', 'UserPromptSubmit', 'SessionStart', 'Stop', 'Notification']

/** Inputs of tools that Claude Code or an MCP server has. */
const inputs: Readonly<Record<string, JsonObject>> = {
  Bash: { command: 'ls', description: 'd', run_in_background: false },
  Edit: { file_path: 'a', old_string: 'b', new_string: 'c' },
  MultiEdit: { file_path: 'a', edits: [{ old_string: 'b', new_string: 'c' }] },
  Grep: { pattern: 'a', path: 'b', glob: '*.c' },
  Glob: { pattern: '**/*.a', path: 'b' },
  WebFetch: { url: 'https://a.example/b', prompt: 'c' },
  Agent: { description: 'a', prompt: 'b' },
  mcp__files__write: { path: 'a', content: 'b', files: ['c'], edits: [{ path: 'd', text: 'e' }] },
  mcp__shell__run: { command: 'ls', args: ['a'], env: { A: 'b' } },
  ApplyPatch: { patch: '*** Begin Patch\n*** Update File: a\n*** End Patch', paths: ['a'] },
}

/** Small events whose parts are made large. */
const wires: readonly LargeEvent[] = [
  ...Object.entries(inputs).map(([tool, input]): LargeEvent => {
    const value = claudeShell('', cwd, { tool_name: tool, tool_input: input })
    return { name: tool, agent: 'claude-code', value }
  }),
  ...agentNames.flatMap((agent) => {
    const own = [
      ...calls.map((tool): HookEvent => Object.assign(sampleEvent('PreToolUse', agent), { tool })),
      ...events.map((name) => sampleEvent(name, agent)),
    ]
    return own.flatMap((event) =>
      dialects[agent]
        .encodeEvent(event)
        .flatMap((value): LargeEvent[] =>
          isJsonObject(value) ? [{ name: `${agent} ${event.name}`, agent, value }] : [],
        ),
    )
  }),
]

type Path = readonly (string | number)[]

function pathsIn(value: Json, at: Path = []): readonly Path[] {
  if (value === null || typeof value !== 'object') return [at]
  return [...(at.length > 0 ? [at] : []), ...Object.entries(value).flatMap(([key, one]) => pathsIn(one, [...at, key]))]
}

function withValue(value: Json, [key, ...rest]: Path, next: Json): Json {
  if (key === undefined) return next
  if (Array.isArray(value))
    return value.map((one: Json, at): Json => (String(at) === String(key) ? withValue(one, rest, next) : one))
  return isJsonObject(value) ? { ...value, [key]: withValue(value[String(key)] ?? null, rest, next) } : value
}

const some = (times: number, one: (at: number) => Json): Json[] => Array.from({ length: times }, (_, at) => one(at))

/** Makes a large value that is no text: wide, deep, or a list of what was there before. */
function largeJson(random: Random, size: number, before: Json): Large<Json> {
  const one = JSON.stringify(before).length + 12
  const makers: readonly (() => Large<Json>)[] = [
    () => ({ name: 'a list of it', value: some(size / one, () => before) }),
    () => ({
      name: 'keys with it',
      value: Object.fromEntries(some(size / one, () => 0).map((_, at) => [`k${at}`, before])),
    }),
    () => ({ name: 'a list of paths', value: some(size / 12, (at) => `a/f${at}`) }),
    () => ({ name: 'empty objects', value: some(size / 3, () => ({})) }),
    () => ({ name: 'numbers', value: some(size / 2, () => 1) }),
    () => ({ name: 'lists in lists', value: some(size / 300, () => nested(120, before)) }),
    () => ({ name: 'edits', value: some(size / 60, (at) => ({ path: `a${at}`, old_string: 'b', new_string: 'c' })) }),
  ]
  return makers[random(makers.length)]?.() ?? { name: 'nothing', value: null }
}

function nested(levels: number, value: Json): Json {
  let all: Json = value
  for (let level = 0; level < levels; level++) all = [all]
  return all
}

/** Puts a value into a small event in the place of one of its parts. */
function placed(wire: LargeEvent, at: Path, { name, value }: Large<Json>): LargeEvent {
  const filled = withValue(wire.value, at, value)
  return {
    agent: wire.agent,
    name: `${wire.name}, ${at.join('.')}: ${name}`,
    value: isJsonObject(filled) ? filled : {},
  }
}

const commandIn = ['tool_input', 'command'] as const

/** Makes an event whose command is a text. */
export const shellEvent = (text: Large): LargeEvent => placed(wires[0] ?? unreachable(), commandIn, text)

function unreachable(): never {
  throw new Error('there is a small event')
}

/** Makes an event of about a megabyte: every other one is a shell command, each other has one large part. */
export function largeEvent(random: Random): LargeEvent {
  // A command is read up to a limit, so that shorter ones are read to their end.
  const size = random(2) === 0 ? 130_000 : 1_000_000
  if (random(2) === 0) return shellEvent(largeText(random, size))
  const wire = wires[random(wires.length)] ?? unreachable()
  const places = pathsIn(wire.value)
  const at = places[random(places.length)] ?? []
  const isText = random(3) > 0
  return placed(wire, at, isText ? largeText(random, size) : largeJson(random, size, valueAt(wire.value, at)))
}

function valueAt(value: Json, [key, ...rest]: Path): Json {
  if (key === undefined) return value
  const parts: readonly (readonly [string, Json])[] =
    value !== null && typeof value === 'object' ? Object.entries(value) : []
  return valueAt(parts.find(([name]) => name === String(key))?.[1] ?? null, rest)
}
