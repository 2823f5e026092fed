import { agentNames, type KnownAgent } from '../agents/registry.ts'
import type { AgentStatus, InstallContext, ScopeStatus } from '../install/index.ts'
import { printable } from '../model/text.ts'
import type { GateStatus } from '../server/gate-status.ts'
import { agentList, explained } from './agent-names.ts'
import { type Command, type Invocation, jsonText, type CommandOutput, printed, usage } from './command.ts'
import { agentNamed, installContextFor } from './enable.ts'
import { parseFlags } from './flags.ts'
import { ownPlaces } from './own-places.ts'

export const statusCommand: Command = {
  summary: 'whether the resident gate is running, or whether one agent, or every agent, would ask it',
  help: `hookgate status: whether the resident gate is running

  hookgate status [--json]

  --json                one JSON object: running, pid, version, startedAt, uptimeMs, socket, http, tokenFile, log,
                        inFlight, rules, warnings; where none runs, running, why, socket and log

Exits with 0 if it answers, else with 1.

  hookgate status AGENT [--json]
  hookgate status --all [--json]

${explained('  AGENT    ', agentList)}
  --all    every agent, one after the other; unregistered agents are only named

Checks whether that agent would really ask hookgate: a harmless event, which only hookgate would refuse, is sent exactly
as the agent would send it. Lists every place where hookgate is or could be registered, by \`enable\` or by hand, other
settings that keep the agent from asking, and events that have rules but that the agent does not ask about. No gate is
left running that was not running before. Exits with 0 if the agent asks at every event that has rules, else with 1;
with --all, with 0 if at least one agent is registered and every registered agent does.

  hookgate status && hookgate status --all
`,
  async run(invocation) {
    const { values, positionals } = parseFlags('status', invocation.argv, flags, true)
    if (values.all === true) {
      if (positionals.length > 0) throw usage('--all cannot be combined with an agent', 'status')
      return printAllStatuses(invocation, values.json === true)
    }
    if (positionals.length > 0) {
      return printAgentStatus(agentNamed('status', undefined, positionals), invocation, values.json === true)
    }
    return gateStatusPrinted(invocation.env, values.json === true)
  },
}

const flags = { json: { type: 'boolean' }, all: { type: 'boolean' } } as const

async function gateStatusPrinted(env: Invocation['env'], asJson: boolean): Promise<CommandOutput> {
  const places = ownPlaces(env)
  const { askStatus } = await import('../server/ask-status.ts')
  const answer = await askStatus(places)
  if (asJson) return printed(jsonText(answer, 2), answer.running ? 0 : 1)
  if (!answer.running) return printed(`the gate is not running${answer.why === null ? '' : `: ${answer.why}`}\n`, 1)
  return printed(statusText(answer))
}

function statusText({
  pid,
  version,
  uptimeMs,
  socket,
  http,
  tokenFile,
  log,
  inFlight,
  rules,
  warnings,
}: GateStatus): string {
  return [
    `the gate is running: pid ${pid}, version ${version}, for ${durationText(uptimeMs)}`,
    `  socket     ${socket}`,
    `  http       ${http === null ? 'off' : `${http}, with the token in ${tokenFile}`}`,
    `  log        ${log}`,
    `  in flight  ${inFlight}`,
    rulesLine(rules),
    ...warnings.map(warningLine),
    '',
  ].join('\n')
}

/** Formats the line about rules. A workspace's rules are loaded with its first event. */
export function rulesLine(rules: GateStatus['rules']): string {
  const text =
    typeof rules === 'number' ? `${rules} everywhere; a workspace's own rules are added within it` : rules.problem
  return `  rules      ${text}`
}

export const warningLine = (warning: string): string => `  warning    ${warning}`

function durationText(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  if (seconds < 120) return `${seconds} s`
  return seconds < 7200 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3600)} h`
}

/** Prints the status of one agent. */
export async function printAgentStatus(
  agent: KnownAgent,
  invocation: Pick<Invocation, 'env' | 'cwd'>,
  asJson: boolean,
): Promise<CommandOutput> {
  const reports = await reportsOf([agent], invocation)
  const all = reports.map(({ status }) => status)
  const text = asJson ? all.map((status) => jsonText(status, 2)) : all.map(agentText)
  return printed(text.join(''), reports.every(({ isCovered }) => isCovered) ? 0 : 1)
}

/** Prints the status of every agent; those that are not registered are named in one line. */
async function printAllStatuses(invocation: Pick<Invocation, 'env' | 'cwd'>, asJson: boolean): Promise<CommandOutput> {
  const reports = await reportsOf(agentNames, invocation)
  const present = reports.filter(({ status }) => !isAbsent(status))
  const exitCode = present.length > 0 && present.every(({ isCovered }) => isCovered) ? 0 : 1
  if (asJson) return printed(jsonText({ agents: reports.map(({ status }) => status) }, 2), exitCode)
  const absent = reports.filter(({ status }) => isAbsent(status)).map(({ status }) => status.agent)
  const others = absent.length === 0 ? [] : [`${explained('not registered: ', absent.join(', '))}\n`]
  const next = present.length === 0 ? ['next: `hookgate enable AGENT`\n'] : []
  return printed([...present.map(({ status }) => agentText(status)), ...others, ...next].join(''), exitCode)
}

interface AgentReport {
  readonly status: AgentStatus & { readonly uncoveredEvents: readonly string[] }
  /** True if the agent calls hookgate at every event with rules. */
  readonly isCovered: boolean
}

/** Collects reports one agent after the other: concurrent ones would start processes and slow each other down. */
async function reportsOf(
  agents: readonly KnownAgent[],
  invocation: Pick<Invocation, 'env' | 'cwd'>,
): Promise<readonly AgentReport[]> {
  const { agentStatus, uncovered } = await import('../install/index.ts')
  const context = installContextFor(invocation)
  const statuses: (readonly [KnownAgent, AgentStatus])[] = []
  // oxlint-disable-next-line no-await-in-loop -- see above
  for (const agent of agents) statuses.push([agent, await agentStatus(agent, context)])
  const { rules, isWhole } = await rulesInForce(context)
  return statuses.map(([agent, status]) => {
    const { fixable, never, notes: uncoveredNotes } = uncovered(agent, status, rules)
    const unread = isWhole ? [] : ['not all rules could be read: see `hookgate check`']
    const notes = [...uncoveredNotes, ...unread, ...status.notes]
    return {
      status: { ...status, uncoveredEvents: [...fixable, ...never], notes },
      isCovered: status.calls && fixable.length === 0,
    }
  })
}

/** Loads the rules that apply in the working folder. */
async function rulesInForce({ env, cwd, home }: InstallContext) {
  const { placesFor, readRules } = await import('../rules/index.ts')
  const { withPolicies } = await import('./with-policies.ts')
  return withPolicies(async (policies) => {
    const read = await readRules(placesFor({ env, cwd, home }), [cwd], policies)
    return { rules: read.ruleSet.rules, isWhole: read.errors.length === 0 }
  })
}

const isAbsent = ({ scopes }: AgentStatus) => scopes.every(({ state }) => state === 'absent')

function agentText(status: AgentStatus): string {
  const { agent, calls, scopes, obstacles, notes } = status
  return [
    `${agent} ${calls ? 'asks hookgate' : 'does not ask hookgate'}`,
    ...obstacles.map((obstacle) => `  but ${obstacle}`),
    ...scopes.flatMap(scopeText),
    ...notes.map((note) => `  ${note}`),
    ...(isAbsent(status) ? [`next: \`hookgate enable ${agent}\``] : []),
  ]
    .map((line) => `${printable(line)}\n`)
    .join('')
}

function scopeText(status: ScopeStatus): readonly string[] {
  const { scope, place, state, events, canaries, problems } = status
  const hand = status.by === 'hand' ? 'by hand ' : ''
  const at = events.length > 3 ? `${events.length} events` : events.join(', ')
  const registered = events.length === 0 ? '' : `, registered ${hand}at ${at}`
  const what = state === 'absent' ? 'not registered' : `${state}${registered}`
  return [
    `  ${scope.padEnd(8)} ${place}: ${what}`,
    ...canaries.map(({ way, answered, by, durationMs, problem }) =>
      answered
        ? `           answered in ${durationMs} ms by ${by === 'gate' ? 'the resident gate' : 'a separate process'}: ${way}`
        : `           no answer from ${way}: ${problem}`,
    ),
    ...problems.map((problem) => `           ${problem}`),
  ]
}
