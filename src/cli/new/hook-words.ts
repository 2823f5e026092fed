import { abstention } from '../../combine/combine.ts'
import { dialectOf } from '../../agents/index.ts'
import { agentNames } from '../../agents/registry.ts'
import type { AgentName, EventName, HookEvent } from '../../model/event.ts'
import { subscribedEvents, spellingOf } from '../../agents/event-names.ts'
import { isJsonObject, type Json, type JsonObject, parseJsonObject } from '../../model/json.ts'
import type { Verdict } from '../../model/verdict.ts'

/** A guard refuses; a context adds text for the model. */
export type Purpose = 'guard' | 'context'

/** The parts of an agent's wire format that a hook's source uses. */
export interface HookWords {
  /** The agent's name for the event. */
  readonly event: string
  /** Path in the event of the text that the hook checks. */
  readonly subject: readonly string[]
  /** Builds the output for a text; `undefined` if the agent reads only exit code 2 and stderr. */
  readonly answer: ((text: string) => JsonObject) | undefined
  /** Output without an opinion; `undefined` if empty output is allowed. */
  readonly silence: string | undefined
}

const purposes = [
  ['PreToolUse', 'guard'],
  ['UserPromptSubmit', 'context'],
] as const satisfies readonly (readonly [EventName, Purpose])[]

/** Lists the events with templates, in the agent's spelling: those at which its hooks can refuse or add context. */
export async function templateEvents(agent: AgentName): Promise<Readonly<Record<string, Purpose>>> {
  const each = purposes.map(async ([event, purpose]): Promise<[string, Purpose][]> => {
    const spelled = spelledBy(agent, event)
    return (await wordsFor(agent, spelled, purpose)) === undefined ? [] : [[spelled, purpose]]
  })
  return Object.fromEntries((await Promise.all(each)).flat())
}

/** Returns the agent's name for an event that was given by its common or its own name. */
export function spelledBy(agent: AgentName, event: string): string {
  if (subscribedEvents(agent, event) !== undefined) return event
  const [common] = subscribedEvents('claude-code', event)?.events ?? []
  return (common && spellingOf(agent, common, undefined)) ?? event
}

/** Placeholder for the text to check, and for the text of the answer. */
const mark = 'TEXT OF THE TEMPLATE'

/** Derives the words from the agent's dialect; `undefined` if the dialect can't express them. */
export async function wordsFor(agent: AgentName, spelled: string, purpose: Purpose): Promise<HookWords | undefined> {
  const dialect = await dialectOf(agent)
  const [wire] = dialect.encodeEvent(exampleOf(purpose, agent), spelled)
  const subject = wire && pathTo(wire, mark)
  if (wire === undefined || subject === undefined) return undefined
  const event = dialect.decodeEvent(wire, { nowMs: 0, env: {}, cwd: '/' })
  const { deny, context } = dialect.support(event)
  if (purpose === 'guard' ? deny !== 'native' : context !== 'native') return undefined
  const printed = (verdict: Verdict) => parseJsonObject(dialect.encodeVerdict(event, verdict).stdout)
  const answer = printed(
    purpose === 'guard' ? { ...abstention, decision: 'deny', reason: mark } : { ...abstention, context: mark },
  )
  const silence = printed(abstention)
  return {
    event: spelled,
    subject,
    answer: answer && ((text) => withText(answer, text)),
    silence: silence && Object.keys(silence).length > 0 ? JSON.stringify(silence) : undefined,
  }
}

/** Builds an event of another agent, so that the dialect has to translate it. */
function exampleOf(purpose: Purpose, agent: AgentName): HookEvent {
  const asker = agentNames.find((one) => one !== agent) ?? agent
  const about: Partial<HookEvent> =
    purpose === 'guard'
      ? { action: { tool: 'shell', name: 'Bash', input: { command: mark }, command: mark } }
      : { prompt: mark }
  return {
    name: purpose === 'guard' ? 'PreToolUse' : 'UserPromptSubmit',
    agent: asker,
    session: { id: 's', cwd: '/' },
    workspaceRoots: ['/'],
    atMs: 0,
    raw: {},
    ...about,
  }
}

function pathTo(value: Json, text: string): readonly string[] | undefined {
  if (value === text) return []
  if (!isJsonObject(value)) return undefined
  for (const [key, part] of Object.entries(value)) {
    const rest = pathTo(part, text)
    if (rest !== undefined) return [key, ...rest]
  }
  return undefined
}

function withText(object: JsonObject, text: string): JsonObject {
  return parseJsonObject(JSON.stringify(object).replaceAll(mark, JSON.stringify(text).slice(1, -1))) ?? object
}
