import type { AgentStatus, ScopeStatus, Unheard } from '../enable/index.ts'
import type { AgentName } from '../model/agents.ts'
import { printable } from '../model/text.ts'
import { agentNames, explained } from './agent-names.ts'
import { type Invocation, jsonText, type Printed, printed } from './command.ts'
import { askedBy } from './enable.ts'

export const agentStatusHelp = `  hookgate status AGENT [--json]

${explained('  AGENT    ', agentNames)}

Whether that agent would really ask hookgate: an event that does no harm is sent the very way the agent would send it,
and is refused by hookgate alone. Tells of every place where it is or could be registered, by \`enable\` or by hand, of
other settings that keep the agent from asking, and of events that rules listen to and that it does not ask about. No
gate is left running that was not before. Exits with 0 where it asks at every event of the rules, with 1 where it does
not.
`

/** The agent's face of `hookgate status`. */
export async function printAgentStatus(
  agent: AgentName,
  invocation: Pick<Invocation, 'env' | 'cwd'>,
  asJson: boolean,
): Promise<Printed> {
  const { agentStatus } = await import('../enable/index.ts')
  const status = await agentStatus(agent, askedBy(invocation))
  const { mendable, never, said } = await unheardOf(agent, status, invocation)
  const whole = { ...status, unheard: [...mendable, ...never], notes: [...said, ...status.notes] }
  const exitCode = status.calls && mendable.length === 0 ? 0 : 1
  return printed(asJson ? jsonText(whole, 2) : statusText(whole), exitCode)
}

/** Of the rules that are in force where the question is asked. */
async function unheardOf(
  agent: AgentName,
  status: AgentStatus,
  { env, cwd }: Pick<Invocation, 'env' | 'cwd'>,
): Promise<Unheard> {
  const { unheard } = await import('../enable/index.ts')
  const { openPolicyCache, placesFor, readRules } = await import('../rules/index.ts')
  const { openSandbox } = await import('../sandbox.ts')
  const sandbox = openSandbox('process')
  try {
    const { home } = askedBy({ env, cwd })
    const read = await readRules(placesFor({ env, cwd, home }), [cwd], openPolicyCache(sandbox))
    const found = unheard(agent, status, read.ruleSet.rules)
    const count = read.errors.length
    return count === 0
      ? found
      : { ...found, said: [...found.said, 'not all rules could be read: see `hookgate check`'] }
  } finally {
    await sandbox.close()
  }
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

function scopeText(status: ScopeStatus): readonly string[] {
  const { scope, place, state, events, canaries, problems } = status
  const hand = status.by === 'hand' ? 'by hand ' : ''
  const at = events.length > 3 ? `${events.length} events` : events.join(', ')
  const what = state === 'absent' ? 'not registered' : `${state}, registered ${hand}at ${at}`
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
