import type { AgentStatus, ScopeStatus } from '../enable/index.ts'
import type { AgentName } from '../model/agents.ts'
import { printable } from '../model/text.ts'
import { type Invocation, jsonText, type Printed, printed } from './command.ts'
import { askedBy } from './enable.ts'

export const agentStatusHelp = `  hookgate status claude-code|cline [--json]

Whether that agent would really ask hookgate: an event that does no harm is sent the very way the agent would send it, and
is refused by hookgate alone. Tells of every place where it is or could be registered, and of other settings that keep the
agent from asking. Exits with 0 where it asks, with 1 where it does not.
`

/** The agent's face of `hookgate status`. */
export async function printAgentStatus(
  agent: AgentName,
  invocation: Pick<Invocation, 'env' | 'cwd'>,
  asJson: boolean,
): Promise<Printed> {
  const { agentStatus } = await import('../enable/index.ts')
  const status = await agentStatus(agent, askedBy(invocation))
  const exitCode = status.calls ? 0 : 1
  return printed(asJson ? jsonText(status, 2) : statusText(status), exitCode)
}

function statusText({ agent, calls, scopes, obstacles, notes }: AgentStatus): string {
  return [
    `${agent} ${calls ? 'asks hookgate' : 'does not ask hookgate'}`,
    ...obstacles.map((obstacle) => `  but ${obstacle}`),
    ...scopes.flatMap(scopeText),
    ...notes.map((note) => `  ${note}`),
    ...(scopes.every(({ state }) => state === 'absent') ? [`next: \`hookgate enable ${agent}\``] : []),
  ]
    .map((line) => `${printable(line)}\n`)
    .join('')
}

function scopeText({ scope, place, state, events, canaries, problems }: ScopeStatus): readonly string[] {
  const what = state === 'absent' ? 'not registered' : `${state}, registered at ${events.length} events`
  return [
    `  ${scope.padEnd(8)} ${place}: ${what}`,
    ...canaries.map(({ way, answered, by, durationMs, problem }) =>
      answered
        ? `           answered in ${durationMs} ms by ${by === 'gate' ? 'the resident gate' : 'a process of its own'}: ${way}`
        : `           no answer from ${way}: ${problem}`,
    ),
    ...problems.map((problem) => `           ${problem}`),
  ]
}
