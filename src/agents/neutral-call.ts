import type { AgentName, HookEvent, ToolKind, ToolUse } from '../model/event.ts'
import type { JsonObject } from '../model/json.ts'
import { dialectOf } from './index.ts'
import { toolUseOf } from './table/tool-use.ts'
import { toolTable } from './tool-names.ts'
import type { ToolField, ToolFields } from './tools.ts'
import type { Answer } from '../model/dialect.ts'
import type { Outcome } from '../model/evaluation.ts'
import { exitOutcome } from './sender.ts'

/** A call of a tool, described without an agent's names for the tool and its input. */
export interface NeutralCall {
  readonly kind: ToolKind
  readonly command?: string
  /** Absolute. */
  readonly path?: string
  readonly content?: string
  readonly url?: string
  /** What is searched for: a regular expression, a pattern of file names, or words. */
  readonly pattern?: string
}

/**
 * Encodes a call about to be made as an event for a hook of the agent; `undefined` if it has no event for such a call.
 *
 * @param spelled the agent's name for the event, if it has several
 */
export async function encodeCall(
  agent: AgentName,
  call: NeutralCall,
  cwd: string,
  sessionId: string,
  spelled?: string,
): Promise<JsonObject | undefined> {
  return encoded(agent, neutral, toolOf(call, sessionId), { id: sessionId, cwd }, spelled)
}

/** Encodes a call with the agent's own name of the tool and its input; `undefined` if it has no event for such a call. */
export const encodeOwnCall = (
  agent: AgentName,
  name: string,
  input: JsonObject,
  cwd: string,
  sessionId: string,
): Promise<JsonObject | undefined> =>
  encoded(agent, agent, toolUseOf(agent, name, input, sessionId), { id: sessionId, cwd })

/** @param caller the agent in whose words the call is */
async function encoded(
  agent: AgentName,
  caller: AgentName,
  tool: ToolUse,
  session: HookEvent['session'],
  spelled?: string,
): Promise<JsonObject | undefined> {
  const event: HookEvent = {
    name: 'PreToolUse',
    agent: caller,
    session,
    workspaceRoots: [session.cwd],
    atMs: Date.now(),
    tool,
    raw: {},
  }
  return (await dialectOf(agent)).encodeEvent(event, spelled)[0]
}

/** The agent in whose tools a call is written first: those of all others are translated from and into them. */
const neutral = 'claude-code'

function toolOf({ kind, ...given }: NeutralCall, id: string) {
  const row = toolTable.find(({ tool, names }) => tool === kind && names[neutral] !== undefined)
  const input = inputOf(given, row?.fields[neutral] ?? {})
  return toolUseOf(neutral, row?.names[neutral]?.[0] ?? kind, input, id)
}

function inputOf({ pattern, ...given }: Omit<NeutralCall, 'kind'>, fields: ToolFields): JsonObject {
  const values: { readonly [Field in ToolField]?: string | undefined } = {
    ...given,
    ...(fields.replaced !== undefined && { replaced: '' }),
    [fields.pattern === undefined ? 'glob' : 'pattern']: pattern,
  }
  const input: Record<string, string> = {}
  for (const field of ['path', 'command', 'url', 'content', 'replaced', 'pattern', 'glob'] as const) {
    const key = fields[field]
    const value = values[field]
    if (key !== undefined && value !== undefined) input[key] = value
  }
  return input
}

/**
 * Encodes a shell command about to be run as an event for a hook of the agent.
 *
 * @param spelled the agent's name for the event, if it has several
 */
export async function shellCall(
  agent: AgentName,
  command: string,
  cwd: string,
  sessionId: string,
  spelled?: string,
): Promise<JsonObject> {
  return (await encodeCall(agent, { kind: 'shell', command }, cwd, sessionId, spelled)) ?? {}
}

/** Decodes what the agent would make of a hook's exit after this event. */
export async function outcomeOf(agent: AgentName, wire: JsonObject, output: Answer): Promise<Outcome> {
  const dialect = await dialectOf(agent)
  const event = dialect.decodeEvent(wire, { nowMs: 0, env: {}, cwd: '/' })
  return exitOutcome(dialect, event, event.raw, output)
}
