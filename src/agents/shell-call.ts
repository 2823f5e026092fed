import type { Answer } from '../model/dialect.ts'
import type { AgentName } from '../model/event.ts'
import type { Outcome } from '../model/evaluation.ts'
import type { JsonObject } from '../model/json.ts'
import { exitOutcome } from './codec/exit-outcome.ts'
import { dialectOf } from './index.ts'
import { encodeCall } from './neutral-call.ts'

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
