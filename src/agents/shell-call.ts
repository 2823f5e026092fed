import type { AgentName } from '../model/agents.ts'
import type { Outcome } from '../model/evaluation.ts'
import type { JsonObject } from '../model/json.ts'
import type { CommandHandler } from '../model/rule.ts'
import { dialectOf } from './index.ts'

/** A shell command that is about to be run, as a hook of the agent would be told of it. */
export async function shellCall(
  agent: AgentName,
  command: string,
  cwd: string,
  sessionId: string,
): Promise<JsonObject> {
  const dialect = await dialectOf(agent)
  const [wire = {}] = dialect.encodeEvent({
    name: 'PreToolUse',
    agent: 'claude-code',
    session: { id: sessionId, cwd },
    workspaceRoots: [cwd],
    atMs: Date.now(),
    action: { tool: 'shell', name: 'Bash', id: sessionId, input: { command }, command },
    raw: {},
  })
  return wire
}

/** What came back from a hook that has ended by itself. */
interface Ended {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/** What the agent makes of that, where it was told of this event. */
export async function outcomeOf(agent: AgentName, wire: JsonObject, ended: Ended): Promise<Outcome> {
  const { exitCode } = ended
  const failure = exitCode === 0 ? undefined : ({ code: 'nonzeroExit', message: `exit code ${exitCode}` } as const)
  const dialect = await dialectOf(agent)
  const event = dialect.decodeEvent(wire, { nowMs: 0, env: {}, cwd: '/' })
  const exit = { kind: 'exited', ...ended, failure, durationMs: 0 } as const
  return dialect.decodeAnswer(event, event.raw, exit, plainHook(agent))
}

/** A hook of an agent with nothing special to it. */
const plainHook = (dialect: AgentName): CommandHandler => ({
  kind: 'command',
  dialect,
  program: { form: 'exec', file: '', args: [] },
  env: {},
  plainTextEvents: [],
  async: false,
})
