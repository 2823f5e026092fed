import type { AgentName } from '../model/event.ts'
import type { Outcome } from '../model/evaluation.ts'
import type { JsonObject } from '../model/json.ts'
import type { CommandHandler } from '../model/rule.ts'
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

/** The output of a hook that exited by itself. */
interface ExitedOutput {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/** Decodes what the agent would make of a hook's exit after this event. */
export async function outcomeOf(agent: AgentName, wire: JsonObject, output: ExitedOutput): Promise<Outcome> {
  const { exitCode } = output
  const failure = exitCode === 0 ? undefined : ({ code: 'nonzeroExit', message: `exit code ${exitCode}` } as const)
  const dialect = await dialectOf(agent)
  const event = dialect.decodeEvent(wire, { nowMs: 0, env: {}, cwd: '/' })
  const exit = { kind: 'exited', ...output, failure, durationMs: 0 } as const
  return dialect.decodeAnswer(event, event.raw, exit, plainHook(agent))
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
