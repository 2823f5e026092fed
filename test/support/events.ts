import { isAbsolute, resolve } from 'node:path'
import * as fc from 'fast-check'
import type { KnownAgent } from '../../src/agents/registry.ts'
import type { ToolUse, EventName, HookEvent } from '../../src/model/event.ts'
import type { Json, JsonObject } from '../../src/model/json.ts'

// Generates every HookEvent that an agent's wire format can express. What is generated here must
// come back from any dialect that has the event.

const text = fc.string({ unit: 'binary' })
const someText = fc.string({ unit: 'binary', minLength: 1 })
const word = fc.stringMatching(/^[a-z0-9_-]{1,12}$/)
const path = fc.array(word, { minLength: 1, maxLength: 3 }).map((names) => `/${names.join('/')}`)
const filePath = fc.oneof(
  path,
  path.map((absolute) => absolute.slice(1)),
)
const { json } = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 2 },
    fc.constant(null),
    fc.boolean(),
    fc.integer(),
    text,
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(word, tie('json'), { maxKeys: 3 }),
  ),
}))
const jsonObject: fc.Arbitrary<JsonObject> = fc.dictionary(word, json, { maxKeys: 4 })

type Call = Omit<ToolUse, 'id'>

function onFile(kind: ToolUse['kind'], name: string, file: string, input: JsonObject, content?: string): Call {
  return { kind, name, input, paths: [file], path: file, ...(content !== undefined && { content }) }
}

/** Generates calls of Claude Code's tools: of each kind, with an input and its normalised fields. */
const claudeCalls: fc.Arbitrary<Call> = fc.oneof(
  text.map((command): Call => ({ kind: 'shell', name: 'Bash', input: { command, description: 'x' }, command })),
  path.map((file) => onFile('read', 'Read', file, { file_path: file, offset: 3 })),
  fc.tuple(path, text).map(([file, content]) => onFile('write', 'Write', file, { file_path: file, content }, content)),
  fc
    .tuple(path, text, text)
    .map(([file, old_string, new_string]) =>
      onFile('edit', 'Edit', file, { file_path: file, old_string, new_string, replace_all: false }, new_string),
    ),
  fc
    .tuple(path, text)
    .map(([file, source]) => onFile('edit', 'NotebookEdit', file, { notebook_path: file, new_source: source }, source)),
  text.map((pattern): Call => ({ kind: 'search', name: 'Grep', input: { pattern } })),
  fc.tuple(path, text).map(([folder, pattern]) => onFile('list', 'Glob', folder, { pattern, path: folder })),
  fc.webUrl().map((url): Call => ({ kind: 'fetch', name: 'WebFetch', input: { url, prompt: 'sum up' }, url })),
  text.map((query): Call => ({ kind: 'websearch', name: 'WebSearch', input: { query } })),
  text.map((prompt): Call => ({ kind: 'agent', name: 'Agent', input: { description: 'd', prompt }, content: prompt })),
  jsonObject.map((input): Call => ({ kind: 'mcp', name: 'mcp__notes__write_note', input })),
  jsonObject.map((input): Call => ({ kind: 'other', name: 'TaskCreate', input })),
)

/** Generates calls of Cline's tools, one file each: a call over several files becomes several events elsewhere. */
const clineCalls: fc.Arbitrary<Call> = fc.oneof(
  text.map((command): Call => ({
    kind: 'shell',
    name: 'execute_command',
    input: { command, requires_approval: 'false' },
    command,
  })),
  filePath.map((file) => onFile('read', 'read_file', file, { path: file })),
  fc
    .tuple(filePath, text)
    .map(([file, content]) => onFile('write', 'write_to_file', file, { path: file, content }, content)),
  fc.tuple(filePath, text).map(([folder, regex]) => onFile('search', 'search_files', folder, { path: folder, regex })),
  filePath.map((folder) => onFile('list', 'list_files', folder, { path: folder, recursive: 'true' })),
  fc.webUrl().map((url): Call => ({ kind: 'fetch', name: 'web_fetch', input: { url }, url })),
  text.map((context): Call => ({ kind: 'agent', name: 'new_task', input: { context }, content: context })),
  jsonObject.map((input): Call => ({ kind: 'mcp', name: 'mcp__notes__write_note', input })),
)

const codexCalls: fc.Arbitrary<Call> = fc.oneof(
  text.map((command): Call => ({ kind: 'shell', name: 'Bash', input: { command }, command })),
  jsonObject.map((input): Call => ({ kind: 'mcp', name: 'mcp__notes__write_note', input })),
)

const calls: Readonly<Record<KnownAgent, fc.Arbitrary<Call>>> = {
  'claude-code': claudeCalls,
  cline: clineCalls,
  'gemini-cli': codexCalls,
  codex: codexCalls,
  'copilot-cli': codexCalls,
  opencode: codexCalls,
  kilo: codexCalls,
  'grok-build': codexCalls,
  'kimi-code': codexCalls,
  pi: codexCalls,
  openclaw: codexCalls,
  cursor: codexCalls,
  windsurf: codexCalls,
  'qwen-code': codexCalls,
  droid: codexCalls,
  vscode: codexCalls,
}

const withId = ([call, id]: readonly [Call, string]): ToolUse => ({ ...call, id })
const called = (agent: KnownAgent): fc.Arbitrary<ToolUse> =>
  fc.oneof(calls[agent], fc.tuple(calls[agent], word).map(withId))

const succeeded: fc.Arbitrary<HookEvent['result']> = fc.record(
  { succeeded: fc.constant(true), output: json, durationMs: fc.nat() },
  { requiredKeys: ['succeeded'] },
)
const failed: fc.Arbitrary<HookEvent['result']> = fc.record(
  { succeeded: fc.constant(false), error: someText, durationMs: fc.nat() },
  { requiredKeys: ['succeeded'] },
)

type Own = Partial<Pick<HookEvent, 'trigger' | 'prompt' | 'message' | 'result' | 'tool'>>

const own = (parts: { readonly [Part in keyof Own]: fc.Arbitrary<Own[Part]> }): fc.Arbitrary<Own> => fc.record(parts)

const maybeWithMessage = (parts: { readonly trigger?: fc.Arbitrary<string> }) =>
  fc.oneof(own(parts), own({ ...parts, message: text }))
const triggered = (trigger: fc.Arbitrary<string>) => own({ trigger })
const oneOf = (...words: string[]) => fc.constantFrom(...words)

/** The fields that only some events have. */
function ownParts(agent: KnownAgent, name: EventName): fc.Arbitrary<Own> {
  switch (name) {
    case 'PreToolUse':
    case 'PermissionDenied':
      return own({ tool: called(agent) })
    case 'PermissionRequest':
      // Claude Code sends this before the call has an id.
      return own({ tool: calls[agent] })
    case 'PostToolUse':
      return own({ tool: called(agent), result: succeeded })
    case 'PostToolUseFailure':
      return own({ tool: called(agent), result: failed })
    case 'UserPromptSubmit':
      return own({ prompt: text })
    case 'UserPromptExpansion':
      return own({ trigger: word, prompt: text })
    case 'Notification':
      return own({ trigger: oneOf('permission_prompt', 'idle_prompt', 'agent_completed'), message: text })
    case 'SessionStart':
      return triggered(oneOf('startup', 'resume', 'clear', 'compact', 'fork'))
    case 'SessionEnd':
      return triggered(oneOf('clear', 'resume', 'logout', 'prompt_input_exit', 'other'))
    case 'Setup':
      return triggered(oneOf('init', 'maintenance'))
    case 'PreCompact':
    case 'PostCompact':
      return triggered(oneOf('manual', 'auto'))
    case 'Stop':
      return maybeWithMessage({})
    case 'StopFailure':
      return maybeWithMessage({ trigger: oneOf('rate_limit', 'server_error', 'unknown') })
    case 'SubagentStop':
      return maybeWithMessage({ trigger: word })
    case 'Elicitation':
      return own({ trigger: word, message: text })
    case 'MessageDisplay':
      return own({ message: text })
    case 'SubagentStart':
    case 'PreModelSwitch':
    case 'PostModelSwitch':
    case 'ElicitationResult':
    case 'ConfigChange':
    case 'InstructionsLoaded':
    case 'FileChanged':
    case 'DirectoryAdded':
      return triggered(word)
    case 'PostToolBatch':
    case 'TeammateIdle':
    case 'TaskCreated':
    case 'TaskCompleted':
    case 'WorktreeCreate':
    case 'WorktreeRemove':
    case 'CwdChanged':
      return fc.constant({})
  }
}

/** The events that Claude Code sends with a permission mode. */
const withMode: ReadonlySet<EventName> = new Set<EventName>([
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PostToolBatch',
  'PermissionRequest',
  'PermissionDenied',
  'UserPromptSubmit',
  'UserPromptExpansion',
  'Stop',
  'SubagentStop',
])

/** Generates a `HookEvent` of that name, without a wire object. */
export function arbitraryEvent(agent: KnownAgent, name: EventName): fc.Arbitrary<HookEvent> {
  const joined = ({ session, root, atMs, parts }: Parts): HookEvent => ({
    name,
    agent,
    // Matchers of these events see the kind of sub-agent.
    session: ofSubagent(name) && parts.trigger !== undefined ? { ...session, agentType: parts.trigger } : session,
    workspaceRoots: [root],
    atMs,
    ...parts,
    raw: {},
  })
  return fc.record({ session: sessionAt(name), root: path, atMs: fc.nat(), parts: ownParts(agent, name) }).map(joined)
}

interface Parts {
  readonly session: HookEvent['session']
  readonly root: string
  readonly atMs: number
  readonly parts: Own
}

const ofSubagent = (name: EventName) => name === 'SubagentStart' || name === 'SubagentStop'

function sessionAt(name: EventName): fc.Arbitrary<HookEvent['session']> {
  const always = fc.record({
    id: someText,
    cwd: path,
    ...(withMode.has(name) && { permissionMode: oneOf('default', 'plan', 'acceptEdits') }),
    ...(ofSubagent(name) && { agentId: word }),
  })
  const sometimes = fc.record(
    { transcriptPath: path, effort: oneOf('low', 'high'), agentId: word, agentType: word },
    { requiredKeys: [] },
  )
  return fc.tuple(sometimes, always).map(merged)
}
const merged = <Some, Rest>([some, rest]: readonly [Some, Rest]): Some & Rest => ({ ...some, ...rest })

/** Strips the agent-specific parts of an event, and resolves its files. */
export function dialectFree(event: HookEvent) {
  const { agent: _agent, raw: _raw, tool, ...rest } = event
  if (tool === undefined) return rest
  const { name: _name, input: _input, paths, path: first, ...common } = tool
  const place = (file: string) => (isAbsolute(file) ? file : resolve(event.session.cwd, file))
  return { ...rest, tool: { ...common, paths: paths?.map(place), path: first && place(first) } }
}
