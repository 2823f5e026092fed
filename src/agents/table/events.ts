import type { Carries } from '../../model/dialect.ts'
import type { EventName, ToolKind } from '../../model/event.ts'

/** One of an agent's events: what it is in common words, and what the agent can be told there. */
export interface AgentEvent {
  /** Several where the agent has one event for both. */
  readonly events: readonly EventName[]
  readonly carries: Carries
  /** The kinds of tools that it is about, where the agent has an event for each. */
  readonly tools?: readonly ToolKind[]
  /** The ways of coming about that it is for, where the agent has a name for each. */
  readonly triggers?: readonly string[]
  /** Another name for an event of the same agent, under which hookgate registers no hook of its own. */
  readonly alias?: true
}

/** Describes an event under a name of the agent's own. */
export function on(
  events: EventName | readonly EventName[],
  carries: Carries,
  more: Omit<AgentEvent, 'events' | 'carries'> = {},
): AgentEvent {
  return { events: typeof events === 'string' ? [events] : events, carries, ...more }
}

/** Describes events that the agent calls by their common names. */
export function eventsNamedAlike<Name extends EventName>(
  carries: Readonly<Record<Name, Carries>>,
): Readonly<Record<Name, AgentEvent>>
export function eventsNamedAlike(carries: Readonly<Partial<Record<EventName, Carries>>>): object {
  return Object.fromEntries(Object.entries(carries).map(([name, one]) => [name, { events: [name], carries: one }]))
}

/** An event that has happened, or that nobody can stop; the person can be told something. */
export const observed: Carries = {
  deny: 'unsayable',
  defer: 'unsayable',
  ask: 'unsayable',
  allow: 'silence',
  replaceInput: 'unsayable',
  replaceOutput: 'unsayable',
  stop: 'unsayable',
  context: 'dropped',
  notice: 'said',
}

/** An event that can be refused, so that whatever it has no form for becomes a refusal. */
export const refusable: Carries = {
  ...observed,
  deny: 'said',
  defer: 'asDeny',
  ask: 'asDeny',
  replaceInput: 'asDeny',
  replaceOutput: 'asDeny',
  stop: 'asDeny',
}

/** An event at which the agent reads nothing of what its hook says. */
export const unread: Carries = { ...observed, notice: 'dropped' }
