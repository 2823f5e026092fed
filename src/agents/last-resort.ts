import { lastResort as claudeCode } from './claude-code/last-resort.ts'
import { lastResort as cline } from './cline/last-resort.ts'
import { lastResort as geminiCli } from './gemini-cli/last-resort.ts'
import { lastResort as codex } from './codex/last-resort.ts'
import { lastResort as copilotCli } from './copilot-cli/last-resort.ts'
import { lastResort as qwenCode } from './qwen-code/last-resort.ts'
import { lastResort as droid } from './droid/last-resort.ts'
import { lastResort as opencode } from './opencode/last-resort.ts'
import { lastResort as kilo } from './kilo/last-resort.ts'
import { lastResort as grokBuild } from './grok-build/last-resort.ts'
import { lastResort as kimiCode } from './kimi-code/last-resort.ts'
import { lastResort as cursor } from './cursor/last-resort.ts'
import { lastResort as vscode } from './vscode/last-resort.ts'
import { lastResort as windsurf } from './windsurf/last-resort.ts'
import { type EventFieldsReceived, type LastResort, type LastResortAnswer, lastResortBy } from './last-resort-table.ts'

// INVARIANT: this file and the tables it imports import nothing but node: modules, types included: they must still
// answer when everything else fails to load. Hence the list: the registry imports more.

const agents: Readonly<Record<string, LastResort>> = {
  'claude-code': claudeCode,
  cline,
  'gemini-cli': geminiCli,
  codex,
  'copilot-cli': copilotCli,
  'qwen-code': qwenCode,
  droid,
  opencode,
  kilo,
  'grok-build': grokBuild,
  'kimi-code': kimiCode,
  cursor,
  vscode,
  windsurf,
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
