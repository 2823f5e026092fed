import type { GateStatus } from '../server/gate-status.ts'
import { agentStatusHelp, printAgentStatus, printAllStatuses } from './agent-status.ts'
import { type Command, jsonText, type Printed, printed } from './command.ts'
import { agentNamed } from './enable.ts'
import { parseFlags, usage } from './flags.ts'
import { ownPlaces } from './own-places.ts'

export const status: Command = {
  summary: 'whether the resident gate is running, or whether one agent, or every agent, would ask it',
  help: `hookgate status: whether the resident gate is running

  hookgate status [--json]

  --json                one JSON object: running, pid, version, startedAt, uptimeMs, socket, http, tokenFile, log,
                        inFlight, rules, warnings; where none runs, running, why, socket and log

Exits with 0 if it answers, else with 1.

${agentStatusHelp}
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

async function gateStatusPrinted(env: Parameters<typeof ownPlaces>[0], asJson: boolean): Promise<Printed> {
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
  const said =
    typeof rules === 'number' ? `${rules} everywhere; a workspace's own rules are added within it` : rules.problem
  return `  rules      ${said}`
}

export const warningLine = (warning: string): string => `  warning    ${warning}`

function durationText(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  if (seconds < 120) return `${seconds} s`
  return seconds < 7200 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3600)} h`
}
