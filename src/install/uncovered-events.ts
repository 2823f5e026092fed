import type { AgentName } from '../model/event.ts'
import { eventSpellings, subscribedEvents } from '../agents/event-names.ts'
import type { Rule } from '../model/rule.ts'
import { choiceOf } from '../model/text.ts'
import type { InstallLimits } from '../agents/install/install.ts'
import type { AgentStatus } from './install-context.ts'

/** Events of an agent that rules listen to and at which it does not ask. */
export interface UncoveredEvents {
  /** Events at which `enable` registers hookgate. */
  readonly fixable: readonly string[]
  /** Events at which it never does. */
  readonly never: readonly string[]
  /** A line for people about each, and about events that need more than to be registered. */
  readonly notes: readonly string[]
}

/** Empty where the agent is not registered at all, which its status says in one word. */
export function uncoveredEvents(
  agent: AgentName,
  { never = {}, needsMore = {}, foreign = [] }: InstallLimits,
  { scopes }: Pick<AgentStatus, 'scopes'>,
  rules: readonly Rule[],
): UncoveredEvents {
  const registered = new Set(scopes.flatMap(({ events }) => events))
  if (registered.size === 0) return { fixable: [], never: [], notes: [] }
  const own = rules.filter(({ match }) => !foreign.includes(match.spelled))
  const wanted = eventSpellings(agent).filter((event) => own.some((rule) => listens(rule, agent, event)))
  const uncovered = wanted.filter((event) => !isCovered(agent, event, registered))
  const unregistrable = uncovered.filter((event) => never[event] !== undefined)
  const fixable = uncovered.filter((event) => never[event] === undefined)
  return {
    fixable,
    never: unregistrable,
    notes: [
      ...(fixable.length === 0
        ? []
        : [
            `rules listen to ${listOf(fixable)}, but hookgate is not called there, so they are off; run \`hookgate enable ${agent}\``,
          ]),
      ...unregistrable.map(
        (event) =>
          `rules listen to \`${event}\`, where hookgate is never registered, because ${never[event]}: they are off; put that hook into the agent’s own settings`,
      ),
      ...wanted
        .filter((event) => registered.has(event) && needsMore[event] !== undefined)
        .map((event) => `rules listen to \`${event}\`: ${needsMore[event]}`),
    ],
  }
}

/** An event is covered by its own name, or by another under which the agent sends all that it sends there: not what has triggers of its own. */
function isCovered(agent: AgentName, event: string, registered: ReadonlySet<string>): boolean {
  if (registered.has(event)) return true
  const { events: wanted = [], triggers } = subscribedEvents(agent, event) ?? {}
  if (triggers !== undefined) return false
  return [...registered].some((one) => {
    const sent = subscribedEvents(agent, one)
    return sent?.triggers === undefined && wanted.every((name) => sent?.events.includes(name) === true)
  })
}

const listOf = (events: readonly string[]) => choiceOf(events).replace(/ or (?=[^ ]*$)/, ' and ')

function listens({ match }: Rule, agent: AgentName, event: string): boolean {
  const sent = subscribedEvents(agent, event)
  if (sent === undefined || !match.events.some((one) => sent.events.includes(one))) return false
  const { triggers } = sent
  return match.triggers === undefined || triggers === undefined || match.triggers.some((one) => triggers.includes(one))
}
