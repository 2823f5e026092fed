import { titleOf } from './registry.ts'
import type { AgentName } from '../model/agents.ts'
import { HookgateError } from '../model/errors.ts'

/** What came is no event as the agent sends it. Whatever cannot be read is refused: a call of nothing would pass every rule. */
export function malformed(agent: AgentName, what: string): HookgateError {
  return new HookgateError('eventMalformed', what, {
    remedy: `send the event as ${titleOf(agent)} writes it to the stdin of a hook`,
  })
}
