import { type EventFieldsReceived, type LastResortRules, lastResortTable } from './last-resort-table.ts'

// INVARIANT: this file and its table import nothing but node: modules, types included: they must still answer when
// everything else fails to load. Hence the table has a list of agents: the registry imports more.

/** The output of a hook when the gate itself cannot answer. */
export interface LastResortAnswer {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
}

/** One agent's protocol for the last resort. */
export interface LastResort {
  /** The field of an event that holds its name. */
  readonly nameKey: string
  /**
   * How long an answer may take, in ms, for an agent that ends its hooks after a fixed time and then proceeds.
   *
   * `undefined` for an agent whose hooks have a configured timeout.
   */
  readonly answerMs: number | undefined
  /** Answers an event without the gate. `event` has the fields received, none if they are not valid JSON. */
  readonly respond: (event: EventFieldsReceived, message: string) => LastResortAnswer
}

const agents: Readonly<Record<string, LastResort>> = Object.fromEntries(
  Object.entries(lastResortTable).map(([agent, rules]) => [agent, lastResortBy(rules)]),
)

/**
 * Returns the answer for an agent when the gate itself cannot answer.
 *
 * It is a refusal if the event can be refused, otherwise a clear error.
 *
 * @param agent as named on the command line, not validated
 *
 * @param wire the stdin received, possibly truncated or not JSON
 */
export function lastResort(agent: string | undefined, wire: string, why: string): LastResortAnswer {
  const event = fieldsOf(wire)
  const responder = agents[named(agent) ?? agentIn(event ?? wire) ?? '']
  return (responder ?? unknownAgent).respond(event ?? {}, `hookgate cannot answer: ${why}`)
}

/**
 * Returns the last resort for an event of which only the name is known.
 *
 * @param stopHookActive whether the agent is still working because a hook refused its stop before
 */
export function lastResortAt(agent: string, eventName: string, why: string, stopHookActive: boolean): LastResortAnswer {
  const { nameKey = '' } = agents[agent] ?? {}
  return lastResort(agent, JSON.stringify({ [nameKey]: eventName, stop_hook_active: stopHookActive }), why)
}

/**
 * Returns how long the caller may be kept waiting, in ms, if that is known.
 *
 * @param wire the stdin received so far
 */
export function answerMsFor(agent: string | undefined, wire: string): number | undefined {
  return agents[named(agent) ?? agentIn(fieldsOf(wire) ?? wire) ?? '']?.answerMs
}

/** The shortest of all agents' answer times, in ms. */
export const answerMsLeast = Math.min(...Object.values(agents).map(({ answerMs = Infinity }) => answerMs))

const named = (agent: string | undefined) => (agent !== undefined && Object.hasOwn(agents, agent) ? agent : undefined)

/**
 * Parses the event's own fields, if it is valid JSON.
 *
 * They are never searched for in the text: a tool input written by a model could name another event, one that is not
 * refused.
 */
function fieldsOf(wire: string): EventFieldsReceived | undefined {
  try {
    const value: unknown = JSON.parse(wire.trim())
    return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {}
  } catch {
    return undefined
  }
}

/** Guesses the agent of an event by its fields, or by a truncated or malformed text. */
function agentIn(event: EventFieldsReceived | string): string | undefined {
  const has = (key: string) =>
    typeof event === 'string' ? new RegExp(`"${key}"\\s*:`).test(event) : typeof event[key] === 'string'
  const claude = has('hook_event_name')
  if (claude === (has('hookName') || has('hook_name'))) return undefined
  return claude ? 'claude-code' : 'cline'
}

/**
 * Refuses for an unknown caller.
 *
 * Claude Code and its kin (exit code 2, stderr) and Cline's SDK (which ignores exit codes) both understand this form.
 */
const unknownAgent = lastResortBy({
  nameOf: () => undefined,
  reported: [],
  refusal: (_eventName, reason) => ({ cancel: true, errorMessage: reason, decision: 'block', reason }),
})

/** Makes the last resort of an agent from its row. */
export function lastResortBy(rules: LastResortRules): LastResort {
  const { nameKey = 'hook_event_name', nameOf = (event) => event[nameKey], reported, refusal, refusalCode = 2 } = rules
  const { report = (systemMessage) => ({ systemMessage }), answerMs } = rules
  return {
    nameKey,
    answerMs,
    respond(event, message) {
      const line = oneLine(message)
      const received = nameOf(event)
      const name = typeof received === 'string' ? received : ''
      const isReported = reported.includes(name) || (endsTurn.has(name) && wasRefusedBefore(event))
      const [object, exitCode] = isReported ? [report(line), 1] : [refusal(name, line), refusalCode]
      return { stdout: `${JSON.stringify(object)}\n`, stderr: `${line}\n`, exitCode }
    },
  }
}

/** Events that must not be refused twice, or the agent would never end its turn. */
const endsTurn: ReadonlySet<string> = new Set([
  'Stop',
  'SubagentStop',
  'AfterAgent',
  'agentStop',
  'subagentStop',
  'stop',
])

/** Returns whether the agent is still working only because a hook refused its stop before. */
const wasRefusedBefore = (event: EventFieldsReceived) =>
  event['stop_hook_active'] === true || event['stopHookActive'] === true || Number(event['loop_count']) > 0

/** Sanitises a message: an error may quote a hook's bytes, which must not control a terminal or break the line. */
function oneLine(message: string): string {
  const line = message.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
  return line === '' ? 'hookgate cannot answer' : line
}
