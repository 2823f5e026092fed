import { toolKind } from './tool-names.ts'
import type { Answer, Dialect, Surroundings } from '../model/dialect.ts'
import type { AgentName, HookEvent } from '../model/event.ts'
import type { JsonObject } from '../model/json.ts'
import { abstention, type Verdict } from '../model/verdict.ts'
import type { Outcome } from '../model/evaluation.ts'
import type { CommandHandler } from '../model/rule.ts'

/** How an answer reaches the agent: as a hook's output with its exit code, or as a response that has only the output. */
export type AnswerChannel = 'process' | 'response'

/**
 * Returns the dialect of the agent that sent an event to a hook that is registered for another agent, since some agents
 * run the hooks of others; the registered one if the event is not unmistakably another agent's.
 *
 * INVARIANT: the choice never weakens a decision. Where the registered agent could be refused, it would take the
 * sender's refusal for one too, and a tool that only the registered agent has is read as that agent's.
 *
 * @param claimants all dialects that recognise the event
 */
export function senderAmong(
  claimants: readonly Dialect[],
  registered: Dialect,
  wire: JsonObject,
  around: Surroundings,
  channel: AnswerChannel,
): Dialect {
  const [only, ...others] = claimants
  if (only === undefined || others.length > 0 || only === registered) return registered
  const sender = channel === 'process' ? refusingByCode(only) : only
  try {
    const event = sender.decodeEvent(wire, around)
    if (isOwnTool(registered, event)) return registered
    const refused = sender.encodeVerdict(event, refusal)
    const answer = channel === 'process' ? refused : { ...refused, stderr: '', exitCode: 0 }
    return readsRefusal(registered, event, answer, around) ? sender : registered
  } catch {
    return registered
  }
}

/**
 * Returns a dialect whose refusals end with exit code 2, with which nearly every agent refuses, also those that prefer
 * their own object: should the sender be another one after all, it is refused as well.
 */
function refusingByCode(dialect: Dialect): Dialect {
  return {
    ...dialect,
    encodeVerdict(event, verdict) {
      const answer = dialect.encodeVerdict(event, verdict)
      return isRefusal(dialect, event, event.raw, answer) ? { ...answer, exitCode: 2 } : answer
    },
  }
}

/** Returns whether the registered agent has a tool of this name, and the sender has not. */
function isOwnTool({ agent }: Dialect, { agent: sender, tool }: HookEvent): boolean {
  return tool !== undefined && toolKind(sender, tool.name) === 'other' && toolKind(agent, tool.name) !== 'other'
}

/** Returns whether the registered agent, had it sent the same event, would take the answer for a refusal; or cannot be refused. */
function readsRefusal(registered: Dialect, event: HookEvent, answer: Answer, around: Surroundings): boolean {
  const [wire] = registered.encodeEvent(event)
  if (wire === undefined) return true
  const same = registered.decodeEvent(wire, around)
  if (registered.support(same).deny === 'unsupported') return true
  return isRefusal(registered, same, wire, answer)
}

const refusal: Verdict = { ...abstention, decision: 'deny', cancel: true, reason: 'refused' }

/** Returns whether an agent would take an answer for a refusal. */
function isRefusal(dialect: Dialect, event: HookEvent, sent: JsonObject, answer: Answer): boolean {
  const outcome = exitOutcome(dialect, event, sent, answer)
  return outcome.kind === 'applicable' && outcome.effect === 'deny'
}

/** Decodes what an agent makes of the output of a hook that has exited by itself. */
export function exitOutcome(dialect: Dialect, event: HookEvent, sent: JsonObject, output: Answer): Outcome {
  const { exitCode } = output
  const failure = exitCode === 0 ? undefined : ({ code: 'nonzeroExit', message: `exit code ${exitCode}` } as const)
  const exit = { kind: 'exited', ...output, failure, durationMs: 0 } as const
  return dialect.decodeAnswer(event, sent, exit, plainHook(dialect.agent))
}

/** Returns a command hook of an agent with default settings. */
const plainHook = (dialect: AgentName): CommandHandler => ({
  kind: 'command',
  dialect,
  program: { form: 'exec', file: '', args: [] },
  env: {},
  plainTextEvents: [],
  async: false,
})
