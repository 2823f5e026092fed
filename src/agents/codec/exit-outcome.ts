import type { Answer, Dialect } from '../../model/dialect.ts'
import type { AgentName, HookEvent } from '../../model/event.ts'
import type { Outcome } from '../../model/evaluation.ts'
import type { JsonObject } from '../../model/json.ts'
import type { CommandHandler } from '../../model/rule.ts'

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
