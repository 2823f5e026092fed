import type { Carries } from '../model/dialect.ts'
import type { EventName } from '../model/event.ts'
import { descriptorOf } from './registry.ts'
import type { AgentEvent } from './table/events.ts'

const eventsOf = (agent: string): Readonly<Record<string, AgentEvent>> => descriptorOf(agent)?.events ?? {}

/** The common events that a hook gets which is registered under an agent's own name; `undefined` for no such event. */
export function subscribedEvents(agent: string, spelled: string): AgentEvent | undefined {
  const events = eventsOf(agent)
  return Object.hasOwn(events, spelled) ? events[spelled] : undefined
}

/** The agent's name of an event that came about by `trigger`; `undefined` where it has no such event. */
export function spellingOf(agent: string, event: EventName, trigger: string | undefined): string | undefined {
  return Object.entries(eventsOf(agent)).find(
    ([, { events, triggers }]) =>
      events.includes(event) && (triggers === undefined || (trigger !== undefined && triggers.includes(trigger))),
  )?.[0]
}

/** Every name that an agent has for an event. */
export const eventSpellings = (agent: string): readonly string[] => Object.keys(eventsOf(agent))

/** What an agent can be told at each of its events, by its own name for it; other names of the same event are left out. */
export function registrableEvents(agent: string): Readonly<Record<string, Carries>> {
  const own = Object.entries(eventsOf(agent)).filter(([, { alias }]) => alias === undefined)
  return Object.fromEntries(own.map(([spelled, { carries }]) => [spelled, carries]))
}
