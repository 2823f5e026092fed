import type { GateStatus } from '../server/gate-status.ts'
import { agentStatusHelp, printAgentStatus } from './agent-status.ts'
import { type Command, jsonText, type Printed, printed } from './command.ts'
import { agentNamed } from './enable.ts'
import { parseFlags } from './flags.ts'
import { ownPlaces } from './own-places.ts'

export const status: Command = {
  summary: 'whether the resident gate is running, or whether an agent would ask it',
  help: `hookgate status: whether the resident gate is running

  hookgate status [--json]

  --json                one JSON object: running, pid, version, socket, http, tokenFile, log, uptimeMs, inFlight, rules

Exits with 0 where it answers, with 1 where it does not.

${agentStatusHelp}`,
  async run({ argv, env, cwd }) {
    const { values, positionals } = parseFlags('status', argv, { json: { type: 'boolean' } }, true)
    if (positionals.length > 0) {
      return printAgentStatus(agentNamed('status', undefined, positionals), { env, cwd }, values.json === true)
    }
    return gateStatusPrinted(env, values.json === true)
  },
}

async function gateStatusPrinted(env: Parameters<typeof ownPlaces>[0], asJson: boolean): Promise<Printed> {
  const places = ownPlaces(env)
  const { askStatus } = await import('../server/ask-status.ts')
  const asked = await askStatus(places)
  if (asJson) return printed(jsonText(asked, 2), asked.running ? 0 : 1)
  if (!asked.running) return printed(`the gate is not running${asked.why === null ? '' : `: ${asked.why}`}\n`, 1)
  return printed(statusText(asked))
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
    `the gate is running: pid ${pid}, version ${version}, since ${durationText(uptimeMs)}`,
    `  socket     ${socket}`,
    `  http       ${http === null ? 'not asked for' : `${http}, for whoever has the token in ${tokenFile}`}`,
    `  log        ${log}`,
    `  in flight  ${inFlight}`,
    `  rules      ${rulesText(rules)}`,
    ...warnings.map((warning) => `  warning    ${warning}`),
    '',
  ].join('\n')
}

/** The gate may not have been asked about any workspace yet. */
function rulesText(rules: GateStatus['rules']): string {
  if (typeof rules !== 'number') return rules.problem
  return `${rules} everywhere; those of a workspace hold beside them, within it`
}

function durationText(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  if (seconds < 120) return `${seconds} s`
  return seconds < 7200 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3600)} h`
}
