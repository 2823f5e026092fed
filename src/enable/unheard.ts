import { AgentName } from '../model/agents.ts'
import { eventSpellings, hearing } from '../model/event-names.ts'
import type { Rule } from '../model/rule.ts'
import { choiceOf } from '../model/text.ts'
import { askedEvents } from './claude-code/groups.ts'
import type { AgentStatus } from './asked.ts'

/** Events of an agent that rules listen to and that nobody asks about. */
export interface Unheard {
  /** Those at which `enable` registers hookgate. */
  readonly mendable: readonly string[]
  /** Those at which it never does. */
  readonly never: readonly string[]
  /** The same for people, a line each. */
  readonly said: readonly string[]
}

/**
 * What is silently off: rules at events where the agent does not ask. Nothing of it where the agent asks nowhere, which is
 * said in one word.
 */
export function unheard({ agent, scopes }: AgentStatus, rules: readonly Rule[]): Unheard {
  const name = AgentName.parse(agent)
  const registered = new Set(scopes.flatMap(({ events }) => events))
  const silent =
    registered.size === 0
      ? []
      : eventSpellings(name).filter(
          (event) => !registered.has(event) && rules.some((rule) => listens(rule, name, event)),
        )
  const isNever = (event: string) => name === 'claude-code' && !askedEvents.some((asked) => asked === event)
  const never = silent.filter(isNever)
  const mendable = silent.filter((event) => !isNever(event))
  const watches =
    name === 'claude-code' && registered.has('FileChanged') && rules.some((rule) => listens(rule, name, 'FileChanged'))
  return {
    mendable,
    never,
    said: [
      ...(mendable.length === 0
        ? []
        : [`rules listen to ${all(mendable)}, where it does not ask: they are off; run \`hookgate enable ${name}\``]),
      ...never.map(
        (event) =>
          `rules listen to ${event}, where hookgate is never registered, since a hook of it makes the folder in place of Claude Code: they are off; name that hook in Claude Code’s own settings`,
      ),
      ...(watches
        ? ['rules listen to FileChanged: Claude Code watches only the files that a `matcher` in its own settings names']
        : []),
    ],
  }
}

const all = (events: readonly string[]) => choiceOf(events).replace(/ or (?=[^ ]*$)/, ' and ')

function listens({ match }: Rule, agent: AgentName, event: string): boolean {
  const heard = hearing(agent, event)
  if (heard === undefined || !match.events.some((one) => heard.events.includes(one))) return false
  // Only Cline has sessions end so.
  if (agent === 'claude-code' && match.spelled === 'TaskCancel') return false
  const { triggers } = heard
  return match.triggers === undefined || triggers === undefined || match.triggers.some((one) => triggers.includes(one))
}
