import { decodeAnswer } from '../../src/agents/claude-code/decode-answer.ts'
import type { EventName, HookEvent } from '../../src/model/event.ts'
import type { Advice, Applicable, Outcome } from '../../src/model/evaluation.ts'
import type { Failure } from '../../src/model/failure.ts'
import type { Json, JsonObject } from '../../src/model/json.ts'
import type { CommandHandler, HookExit } from '../../src/model/rule.ts'
import { claudeHookEvent } from './claude-wires.ts'

/** A hook written for Claude Code. */
export const hookHandler: CommandHandler = {
  kind: 'command',
  dialect: 'claude-code',
  program: { form: 'shell', shell: 'sh', command: 'true' },
  env: {},
  plainTextEvents: [],
  async: false,
}

type Exited = Extract<HookExit, { kind: 'exited' }>

export function failureAt(exitCode: number | null): Failure {
  return exitCode === null
    ? { code: 'signalled', message: 'killed by a signal' }
    : { code: 'nonzeroExit', message: `exited with ${exitCode}` }
}

/** Builds the exit of a hook process, successful by default. */
export function exited(ending: Partial<Exited>): Exited {
  const { exitCode = 0 } = ending
  const failure = exitCode === 0 ? undefined : failureAt(exitCode)
  return { kind: 'exited', exitCode, stdout: '', stderr: '', durationMs: 1, failure, ...ending }
}

/** Decodes the answer of a hook that printed this and ended so. */
export function answerOf(
  event: EventName | HookEvent,
  stdout: string,
  ending: Partial<Exited> = {},
  handler: CommandHandler = hookHandler,
): Outcome {
  const at = typeof event === 'string' ? claudeHookEvent(event) : event
  return decodeAnswer(at, at.raw, exited({ stdout, ...ending }), handler)
}

/** Decodes the answer of a hook that printed this object. */
export function outcomeOf(event: EventName | HookEvent, object: JsonObject): Outcome {
  return answerOf(event, JSON.stringify(object))
}

/** Decodes the answer of a hook that printed this `hookSpecificOutput`. */
export function specificOutcomeOf(
  event: EventName | HookEvent,
  specific: JsonObject,
  beside: JsonObject = {},
): Outcome {
  const hookEventName = typeof event === 'string' ? event : event.name
  return outcomeOf(event, { ...beside, hookSpecificOutput: { hookEventName, ...specific } })
}

export const silent: Outcome = { kind: 'notApplicable' }

export function applicable(parts: Partial<Omit<Applicable, 'kind'>>): Outcome {
  return { kind: 'applicable', obligations: [], advice: [], ...parts }
}

export const noticed = (text: string): Advice => ({ kind: 'notice', text })

export function fielded(field: string, value: Json): Advice {
  return { kind: 'agentField', agent: 'claude-code', field, value }
}
