import type { AgentName } from '../model/agents.ts'
import { eventSpellings, hearing } from '../model/event-names.ts'
import type { Rule } from '../model/rule.ts'
import { choiceOf } from '../model/text.ts'
import type { AgentStatus, Reach } from './install-context.ts'

/** Events of an agent that rules listen to and that nobody asks about. */
export interface Unheard {
  /** Those at which `enable` registers hookgate. */
  readonly mendable: readonly string[]
  /** Those at which it never does. */
  readonly never: readonly string[]
  /** The same for people, a line each. */
  readonly said: readonly string[]
}

/** Nothing of it where the agent asks nowhere, which is said in one word. */
export function unheardBy(
  agent: AgentName,
  reach: Reach,
  { scopes }: Pick<AgentStatus, 'scopes'>,
  rules: readonly Rule[],
): Unheard {
  const registered = new Set(scopes.flatMap(({ events }) => events))
  if (registered.size === 0) return { mendable: [], never: [], said: [] }
  const own = rules.filter(({ match }) => !reach.foreign.includes(match.spelled))
  const listened = eventSpellings(agent).filter((event) => own.some((rule) => listens(rule, agent, event)))
  const silent = listened.filter((event) => !isHeard(agent, event, registered))
  const never = silent.filter((event) => reach.never[event] !== undefined)
  const mendable = silent.filter((event) => reach.never[event] === undefined)
  return {
    mendable,
    never,
    said: [
      ...(mendable.length === 0
        ? []
        : [
            `rules listen to ${bothOf(mendable)}, but hookgate is not asked there, so they are off; run \`hookgate enable ${agent}\``,
          ]),
      ...never.map(
        (event) =>
          `rules listen to \`${event}\`, where hookgate is never registered, because ${reach.never[event]}: they are off; put that hook into the agent’s own settings`,
      ),
      ...listened
        .filter((event) => registered.has(event) && reach.needsMore[event] !== undefined)
        .map((event) => `rules listen to \`${event}\`: ${reach.needsMore[event]}`),
    ],
  }
}

/** At its own name, or at another under which the agent tells of all that it tells of there. */
function isHeard(agent: AgentName, event: string, registered: ReadonlySet<string>): boolean {
  if (registered.has(event)) return true
  const wanted = hearing(agent, event)?.events ?? []
  return [...registered].some((one) => {
    const heard = hearing(agent, one)
    return heard?.triggers === undefined && wanted.every((name) => heard?.events.includes(name) === true)
  })
}

const bothOf = (events: readonly string[]) => choiceOf(events).replace(/ or (?=[^ ]*$)/, ' and ')

function listens({ match }: Rule, agent: AgentName, event: string): boolean {
  const heard = hearing(agent, event)
  if (heard === undefined || !match.events.some((one) => heard.events.includes(one))) return false
  const { triggers } = heard
  return match.triggers === undefined || triggers === undefined || match.triggers.some((one) => triggers.includes(one))
}
