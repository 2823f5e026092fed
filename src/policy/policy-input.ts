import { type EventName, type HookEvent, ToolKind } from '../model/event.ts'
import { toolEvents } from '../model/tool-kinds.ts'
import type { JsonObject } from '../model/json.ts'
import { mcpUse } from '../tools/mcp-call.ts'
import type { ExampleGiven, PolicyDefinition, PolicyEvent, PolicyInput, PolicyTool } from '../model/policy.ts'
import { pathsHere, type RunLater, type ShellSurroundings } from '../model/shell.ts'
import { isNamedTool, isNoShell, type ToolCall, type ToolFacts } from '../model/tool-facts.ts'
import { listOf } from '../model/text.ts'
import { fileTexts } from '../agents/codec/edits.ts'
import { globsIn } from '../agents/tool-names.ts'
import { carriedPlaces } from '../tools/carried-use.ts'

/** Normalised fields of a tool call, which every agent spells differently in its input. */
const fields = ['path', 'command', 'url', 'content'] as const

const aboutTools: ReadonlySet<EventName> = new Set<EventName>(toolEvents)

/** Builds the input of policies from an event: without the wire object, and with no text twice. */
export function policyInput(whole: HookEvent, found?: ToolFacts): PolicyInput {
  const { raw: _, tool: use, ...event } = whole
  if (use === undefined) return { event }
  const { kind, name, id, input } = use
  const meaning = mcpUse(use)
  const { paths = [] } = meaning ?? use
  const same: Record<string, string> = {}
  const tool: Writable<PolicyTool> = { kind, name, ...(id !== undefined && { id }), input, paths }
  for (const field of fields) {
    const value = field === 'path' ? paths[0] : (meaning ?? use)[field]
    if (value === undefined) continue
    const key = keyHolding(input, value)
    if (key === undefined) tool[field] = value
    else same[field] = key
  }
  return withFacts({ event, tool, same }, found)
}

/** Adds the facts of a tool call. Omits empty facts and, from `paths`, those that the shell's commands hold already. */
export function withFacts(input: PolicyInput, found: ToolFacts | undefined): PolicyInput {
  if (found === undefined) return input
  const { shell, changes, impacts } = found
  const inCommands = shell.commands.flatMap(pathsHere).length
  const paths = found.paths.slice(0, found.paths.length - inCommands)
  return {
    ...input,
    ...(!isNoShell(shell) && { shell }),
    ...(paths.length > 0 && { paths }),
    ...(changes.length > 0 && { changes }),
    ...(impacts.length > 0 && { impacts }),
  }
}

/** Returns the facts of commands that a call does not run itself. */
export function asLater({ shell, impacts, ...facts }: ToolFacts, later: RunLater): ToolFacts {
  const mark = <One extends object>(one: One) => Object.assign({}, one, { later })
  return { ...facts, shell: { ...shell, commands: shell.commands.map(mark) }, impacts: impacts.map(mark) }
}

type Writable<Whole> = { -readonly [Key in keyof Whole]: Whole[Key] }

function keyHolding(input: JsonObject, value: string): string | undefined {
  for (const key of Object.keys(input)) if (input[key] === value) return key
  return undefined
}

/** Builds the input of an example and fills in everything that it omits. */
export function exampleInput(definition: PolicyDefinition, given: ExampleGiven): PolicyInput {
  const name = given.event ?? listOf(definition.on)[0] ?? 'PreToolUse'
  const { workspaceRoots, cwd } = exampleSurroundings(given)
  const { agent, atMs = exampleAtMs, result } = given
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
  return spelled === undefined ? { event } : { event, ...exampleTool(spelled, given.input ?? {}) }
}

/** Returns the folders of an example. Default: a project below a home directory. */
export function exampleSurroundings(given: ExampleGiven): ShellSurroundings {
  const { home = '/home/u', cwd = '/home/u/proj', workspaceRoots = [cwd] } = given
  return { home, cwd, workspaceRoots }
}

function exampleTool(spelled: string, input: JsonObject): Required<Pick<PolicyInput, 'tool' | 'same'>> {
  const kind = ToolKind.options.find((known) => known === spelled) ?? 'mcp'
  const own = fields.filter((field) => typeof input[field] === 'string')
  const paths = typeof input['path'] === 'string' ? [input['path']] : []
  return { tool: { kind, name: spelled, input, paths }, same: Object.fromEntries(own.map((field) => [field, field])) }
}

/** Default time of an example. Any would do, but it must be the same for each run. */
const exampleAtMs = Date.UTC(2026, 0, 1)

/** Returns an example's tool call, with what facts about it are determined from. */
export function exampleCall({ event, tool, same = {} }: PolicyInput): ToolCall | undefined {
  if (tool === undefined) return undefined
  const { kind, name, paths, input } = tool
  const command = same['command'] === undefined ? undefined : input[same['command']]
  const globs = globsIn(event.agent, name, kind, input)
  const content = input[same['content'] ?? '']
  const texts = fileTexts(event.agent, { kind, name, input, ...(typeof content === 'string' && { content }) }, paths)
  const isUnlisted = kind === 'mcp' || kind === 'other'
  const places = isUnlisted ? carriedPlaces({ kind, name, isServer: kind === 'mcp' }, paths, input) : []
  return {
    kind,
    paths,
    globs,
    places,
    texts,
    ...(isNamedTool(kind) && { named: { name, input } }),
    ...(kind === 'fetch' &&
      typeof input['url'] === 'string' && { fetched: { name, url: input['url'], method: 'GET' } }),
    ...(kind === 'search' && { search: { name, input } }),
    ...(isUnlisted && { isUnlisted }),
    ...(typeof command === 'string' && { command }),
  }
}
