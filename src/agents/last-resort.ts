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
import { lastResortBy, type Said } from './last-resort-table.ts'

// INVARIANT: this file and the tables it imports import nothing but node: modules, types included: they are what still
// answers when everything else fails to load.

/** How an agent is spoken to. */
interface Speaker {
  /** The field of an event that says which it is. */
  readonly nameKey: string
  /**
   * How long an answer may take, ms, of an agent that ends its hooks after a time of its own and then goes ahead;
   * `undefined` for one that is told how long to wait.
   */
  readonly answerMs?: number
  readonly speak: (event: Fields, message: string) => Said
}

const agents: Readonly<Record<string, Speaker>> = {
  'claude-code': spokenBy(claudeCode),
  cline: {
    nameKey: 'hookName',
    // As `limits.clientAnswerMs`, which is not loaded.
    answerMs: 27_000,
    speak: (event, message) => cline(nameIn(event['hookName'] ?? event['hook_name']), message),
  },
  'gemini-cli': spokenBy(geminiCli),
  codex: spokenBy(codex),
  'copilot-cli': { nameKey: 'hook_event_name', speak: copilotCli },
  'qwen-code': spokenBy(qwenCode),
  droid: spokenBy(droid),
  opencode: namedBy('event', opencode),
  cursor: spokenBy(cursor),
  vscode: spokenBy(vscode),
  windsurf: namedBy('agent_action_name', windsurf),
}

type Spoken = (name: string | undefined, message: string, stopHookActive?: boolean) => Said

/** Agents that name their events as Claude Code does, and say whether they are still at work because of a hook. */
function spokenBy(speak: Spoken): Speaker {
  return {
    nameKey: 'hook_event_name',
    speak: (event, message) =>
      speak(
        nameIn(event['hook_event_name']),
        message,
        event['stop_hook_active'] === true || Number(event['loop_count']) > 0,
      ),
  }
}

/** Agents whose turns a hook cannot keep from ending. */
function namedBy(nameKey: string, speak: Spoken): Speaker {
  return { nameKey, speak: (event, message) => speak(nameIn(event[nameKey]), message) }
}

/**
 * What an agent is told when the gate itself cannot answer: a refusal where the event can be refused, a clear error
 * where it cannot.
 *
 * @param agent as named on the command line, whatever that was
 * @param wire what came on stdin, whole or not, JSON or not
 */
export function lastResort(agent: string | undefined, wire: string, why: string): Said {
  const event = fieldsOf(wire)
  const speaker = agents[named(agent) ?? agentIn(event ?? wire) ?? '']
  return speaker === undefined ? toAnybody(undefined, messageOf(why)) : speaker.speak(event ?? {}, messageOf(why))
}

/**
 * The same at an event that is known by its name alone.
 *
 * @param stopHookActive whether the agent has gone on before because a hook would not let it end
 */
export function lastResortAt(agent: string, eventName: string, why: string, stopHookActive: boolean): Said {
  const { nameKey = '' } = agents[agent] ?? {}
  return lastResort(agent, JSON.stringify({ [nameKey]: eventName, stop_hook_active: stopHookActive }), why)
}

/**
 * How long whoever asks may be kept waiting, in ms, where that is known.
 *
 * @param wire what has come on stdin so far
 */
export function answerMsFor(agent: string | undefined, wire: string): number | undefined {
  return agents[named(agent) ?? agentIn(fieldsOf(wire) ?? wire) ?? '']?.answerMs
}

/** The least of these. */
export const answerMsLeast = Math.min(...Object.values(agents).map(({ answerMs = Infinity }) => answerMs))

const messageOf = (why: string) => `hookgate cannot answer: ${why}`

type Fields = Readonly<Record<string, unknown>>

const named = (agent: string | undefined) => (agent !== undefined && Object.hasOwn(agents, agent) ? agent : undefined)
const nameIn = (value: unknown) => (typeof value === 'string' ? value : undefined)

/**
 * The event's own fields, or none. They are never searched for in the text: what a model writes into a tool's input
 * could name another event there, one that is not refused.
 */
function fieldsOf(wire: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(wire)
    return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {}
  } catch {
    return undefined
  }
}

/** Whose words an event is in that nobody named: by its own fields, or by a text that is cut off or broken. */
function agentIn(event: Fields | string): string | undefined {
  const has = (key: string) =>
    typeof event === 'string' ? new RegExp(`"${key}"\\s*:`).test(event) : typeof event[key] === 'string'
  const claude = has('hook_event_name')
  if (claude === (has('hookName') || has('hook_name'))) return undefined
  return claude ? 'claude-code' : 'cline'
}

/**
 * For a caller that cannot be told apart: a refusal that Claude Code and its kin (exit code 2, stderr) and Cline's SDK
 * (which ignores exit codes) understand alike.
 */
const toAnybody = lastResortBy({}, (_eventName, reason) => ({
  cancel: true,
  errorMessage: reason,
  decision: 'block',
  reason,
}))
