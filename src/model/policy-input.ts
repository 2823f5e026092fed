import { type EventName, type HookEvent, ToolKind } from './event.ts'
import type { JsonObject } from './json.ts'
import type { ExampleGiven, PolicyDefinition, PolicyEvent, PolicyInput } from './policy.ts'
import { toolEvents } from './tool-events.ts'

/** What a tool call has that every agent spells differently. */
const fields = ['path', 'command', 'url', 'content'] as const
type Field = (typeof fields)[number]

const aboutTools: ReadonlySet<EventName> = new Set<EventName>(toolEvents)

/** An event as it crosses into the sandbox: nothing of its agent's wire format, and no text twice. */
export function policyInput(event: HookEvent): PolicyInput {
  const { raw: _, action, ...rest } = event
  if (action === undefined) return { event: rest }
  const { tool, name, id, input, paths } = action
  return {
    event: rest,
    tool: {
      kind: tool,
      name,
      ...(id !== undefined && { id }),
      input,
      ...(paths && { paths }),
      ...split(input, action),
    },
  }
}

function split(input: JsonObject, values: { readonly [Name in Field]?: string | undefined }) {
  const same: Record<string, string> = {}
  const own: Record<string, string> = {}
  const keys = Object.keys(input)
  for (const field of fields) {
    const value = values[field]
    if (value === undefined) continue
    const key = keys.find((candidate) => input[candidate] === value)
    if (key === undefined) own[field] = value
    else same[field] = key
  }
  return { same, own }
}

/** What an example gives its policy, with everything that it leaves out. */
export function exampleInput(definition: PolicyDefinition, given: ExampleGiven): PolicyInput {
  const name = given.event ?? listOf(definition.on)[0] ?? 'PreToolUse'
  const { cwd = '/workspace', workspaceRoots = [cwd], agent, atMs = exampleAtMs, result } = given
  const event: PolicyEvent = {
    name,
    agent: agent ?? 'claude-code',
    session: { id: 'example', cwd },
    workspaceRoots,
    atMs,
    ...(given.trigger !== undefined && { trigger: given.trigger }),
    ...(result !== undefined && {
      result: { ...result, succeeded: result.succeeded ?? name !== 'PostToolUseFailure' },
    }),
    ...(given.prompt !== undefined && { prompt: given.prompt }),
    ...(given.message !== undefined && { message: given.message }),
  }
  const spelled = given.tool ?? (aboutTools.has(name) ? listOf(definition.tool ?? 'other')[0] : undefined)
  if (spelled === undefined) return { event }
  const input = given.input ?? {}
  const tool = exampleTool(spelled, input)
  return { event, tool }
}

function exampleTool(spelled: string, input: JsonObject): NonNullable<PolicyInput['tool']> {
  const kind = ToolKind.options.find((known) => known === spelled) ?? 'mcp'
  const own = fields.filter((field) => typeof input[field] === 'string')
  const { path } = input
  return {
    kind,
    name: spelled,
    input,
    ...(typeof path === 'string' && { paths: [path] }),
    same: Object.fromEntries(own.map((field) => [field, field])),
    own: {},
  }
}

function listOf<T extends string>(one: T | readonly T[]): readonly T[] {
  return typeof one === 'string' ? [one] : one
}

/** Any moment would do, but it has to be the same one each time. */
const exampleAtMs = Date.UTC(2026, 0, 1)
