import type { ProtocolSupport } from '../../model/dialect.ts'
import type { EventName, ToolKind } from '../../model/event.ts'

/** One of an agent's events: its common events, and what the agent's protocol can express there. */
export interface AgentEvent {
  /** Several if the agent uses one event for more than one. */
  readonly events: readonly EventName[]
  readonly support: ProtocolSupport
  /** The kinds of tools that it covers, if the agent has a separate event for each. */
  readonly tools?: readonly ToolKind[]
  /** The triggers that it covers, if the agent has a separate name for each. */
  readonly triggers?: readonly string[]
  /** Set if a call that has failed comes with it, and not with `PostToolUseFailure`. */
  readonly saysFailure?: true
  /** Marks another name for an event of the same agent, under which hookgate registers no hook of its own. */
  readonly alias?: true
}

/** Describes an event under a name of the agent's own. */
export function on(
  events: EventName | readonly EventName[],
  support: ProtocolSupport,
  more: Omit<AgentEvent, 'events' | 'support'> = {},
): AgentEvent {
  return { events: typeof events === 'string' ? [events] : events, support, ...more }
}

/** Describes events that the agent calls by their common names. */
export function eventsNamedAlike<Name extends EventName>(
  support: Readonly<Record<Name, ProtocolSupport>>,
): Readonly<Record<Name, AgentEvent>>
export function eventsNamedAlike(support: Readonly<Partial<Record<EventName, ProtocolSupport>>>): object {
  return Object.fromEntries(Object.entries(support).map(([name, one]) => [name, { events: [name], support: one }]))
}

/** An event that has already happened or cannot be refused; the user can be shown a notice. */
export const observed: ProtocolSupport = {
  deny: 'unsupported',
  defer: 'unsupported',
  ask: 'unsupported',
  allow: 'implicit',
  replaceInput: 'unsupported',
  replaceOutput: 'unsupported',
  stop: 'unsupported',
  context: 'dropped',
  notice: 'native',
}

/** An event that can be refused, so that whatever the protocol cannot express becomes a refusal. */
export const refusable: ProtocolSupport = {
  ...observed,
  deny: 'native',
  defer: 'asDeny',
  ask: 'asDeny',
  replaceInput: 'asDeny',
  replaceOutput: 'asDeny',
  stop: 'asDeny',
}

/** An event at which the agent ignores its hook's output. */
export const unread: ProtocolSupport = { ...observed, notice: 'dropped' }
