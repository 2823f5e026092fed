import { lastResort as claudeCode } from './claude-code/last-resort.ts'
import { lastResort as cline } from './cline/last-resort.ts'
import { lastResort as geminiCli } from './gemini-cli/last-resort.ts'
import { lastResort as codex } from './codex/last-resort.ts'
import { lastResort as copilotCli } from './copilot-cli/last-resort.ts'
import { lastResort as qwenCode } from './qwen-code/last-resort.ts'
import { lastResort as droid } from './droid/last-resort.ts'
import { lastResort as opencode } from './opencode/last-resort.ts'
import { lastResort as cursor } from './cursor/last-resort.ts'
import { lastResort as vscode } from './vscode/last-resort.ts'
import { lastResort as windsurf } from './windsurf/last-resort.ts'
import { lastResortBy, type LastResortAnswer } from './last-resort-table.ts'

// INVARIANT: this file and the tables it imports import nothing but node: modules, types included: they must still
// answer when everything else fails to load.

/** One agent's protocol for the last resort. */
interface Responder {
  /** The field of an event that holds its name. */
  readonly nameKey: string
  /**
   * How long an answer may take, in ms, for an agent that ends its hooks after a fixed time and then proceeds.
   *
   * `undefined` for an agent whose hooks have a configured timeout.
   */
  readonly answerMs?: number
  readonly respond: (event: Fields, message: string) => LastResortAnswer
}

const agents: Readonly<Record<string, Responder>> = {
  'claude-code': respondsWith(claudeCode),
  cline: {
    nameKey: 'hookName',
    // Equals `limits.clientAnswerMs`, which must not be imported here.
    answerMs: 27_000,
    respond: (event, message) => cline(nameIn(event['hookName'] ?? event['hook_name']), message),
  },
  'gemini-cli': respondsWith(geminiCli),
  codex: respondsWith(codex),
  'copilot-cli': { nameKey: 'hook_event_name', respond: copilotCli },
  'qwen-code': respondsWith(qwenCode),
  droid: respondsWith(droid),
  opencode: namedBy('event', opencode),
  cursor: respondsWith(cursor),
  vscode: respondsWith(vscode),
  windsurf: namedBy('agent_action_name', windsurf),
}

type LastResort = (name: string | undefined, message: string, stopHookActive?: boolean) => LastResortAnswer

/** Serves agents that name their events as Claude Code does, and report whether a hook keeps them working. */
function respondsWith(respond: LastResort): Responder {
  return {
    nameKey: 'hook_event_name',
    respond: (event, message) =>
      respond(
        nameIn(event['hook_event_name']),
        message,
        event['stop_hook_active'] === true || Number(event['loop_count']) > 0,
      ),
  }
}

/** Serves agents that let no hook keep a turn from ending. */
function namedBy(nameKey: string, respond: LastResort): Responder {
  return { nameKey, respond: (event, message) => respond(nameIn(event[nameKey]), message) }
}

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
  return responder === undefined
    ? answerUnknownAgent(undefined, messageOf(why))
    : responder.respond(event ?? {}, messageOf(why))
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

const messageOf = (why: string) => `hookgate cannot answer: ${why}`

type Fields = Readonly<Record<string, unknown>>

const named = (agent: string | undefined) => (agent !== undefined && Object.hasOwn(agents, agent) ? agent : undefined)
const nameIn = (value: unknown) => (typeof value === 'string' ? value : undefined)

/**
 * Parses the event's own fields, if it is valid JSON.
 *
 * They are never searched for in the text: a tool input written by a model could name another event, one that is not
 * refused.
 */
function fieldsOf(wire: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(wire)
    return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {}
  } catch {
    return undefined
  }
}

/** Guesses the agent of an event by its fields, or by a truncated or malformed text. */
function agentIn(event: Fields | string): string | undefined {
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
const answerUnknownAgent = lastResortBy({}, (_eventName, reason) => ({
  cancel: true,
  errorMessage: reason,
  decision: 'block',
  reason,
}))
