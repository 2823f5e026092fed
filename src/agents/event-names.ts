import type { ProtocolSupport } from '../model/dialect.ts'
import type { EventName } from '../model/event.ts'
import { descriptorOf } from './registry.ts'
import type { AgentEvent } from './table/events.ts'

const eventsOf = (agent: string): Readonly<Record<string, AgentEvent>> => descriptorOf(agent)?.events ?? {}

/** Returns the common events behind an agent's own event name; `undefined` if there is no such event. */
export function subscribedEvents(agent: string, spelled: string): AgentEvent | undefined {
  const events = eventsOf(agent)
  return Object.hasOwn(events, spelled) ? events[spelled] : undefined
}

/** Returns an agent's name of an event with this `trigger`; `undefined` if it has no such event. */
export function spellingOf(agent: string, event: EventName, trigger: string | undefined): string | undefined {
  return Object.entries(eventsOf(agent)).find(
    ([, { events, triggers }]) =>
      events.includes(event) && (triggers === undefined || (trigger !== undefined && triggers.includes(trigger))),
  )?.[0]
}

/** Returns every event name of an agent, aliases included. */
export const eventSpellings = (agent: string): readonly string[] => Object.keys(eventsOf(agent))

/** Returns what an agent's protocol can express at each of its events, by its own name for it; without aliases. */
export function registrableEvents(agent: string): Readonly<Record<string, ProtocolSupport>> {
  const own = Object.entries(eventsOf(agent)).filter(([, { alias }]) => alias === undefined)
  return Object.fromEntries(own.map(([spelled, { support }]) => [spelled, support]))
}
