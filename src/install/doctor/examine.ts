import { join } from 'node:path'
import { chooseClient } from '../../client/index.ts'
import { agentStatus, type AgentStatus, type Asked } from '../index.ts'
import { AgentName } from '../../model/agents.ts'
import { errorText } from '../../model/errors.ts'
import { version } from '../../server/version.ts'
import { agentFindings, checkGate, checkNode, checkPrivacy, checkRules } from './checks.ts'
import type { Finding } from './finding.ts'
import { inTurn } from '../in-turn.ts'
import { type InstalledHook, installedHook, usualHook } from './installed-hook.ts'
import { prove, type RowReport } from './prove.ts'
import { recentFailures } from './recent-failures.ts'

export interface Report {
  readonly ok: boolean
  readonly version: string
  readonly agents: readonly AgentName[]
  readonly findings: readonly Finding[]
  readonly rows: readonly RowReport[]
}

/**
 * Looks at an installation, and has everything fail around a copy of it, in a folder of its own: the user's gate, rules and
 * settings stay as they are.
 *
 * @param named the agent to look at; all of them where none is
 */
export async function examine(asked: Asked, named: AgentName | undefined): Promise<Report> {
  const agents = named === undefined ? AgentName.options : [named]
  const installed = { ...asked, version: version() }
  // What starts processes of the user's, before those of the matrix keep the machine busy.
  const statuses = await inTurn(agents, async (agent) => ({ agent, status: await agentStatus(agent, asked) }))
  const [gate, rulesFound, failures] = await Promise.all([
    checkGate(installed),
    checkRules(installed),
    recentFailures(asked.places),
  ])
  const { rowReports, costs } = await prove(
    asked,
    agents,
    async (folder) =>
      new Map(await inTurn(statuses, async ({ agent, status }) => [agent, await hookOf(agent, status, asked, folder)])),
  )
  const findings = [
    checkNode(asked.launcher.node),
    ...gate,
    ...checkPrivacy(installed),
    ...rulesFound,
    ...failures,
    ...agentFindings(
      statuses.map(({ status }) => status),
      named !== undefined,
    ),
    ...costs,
  ]
  const isRight =
    findings.every(({ state }) => state !== 'notSafe') &&
    rowReports.every(({ results }) => results.every(({ kind }) => kind === 'ok'))
  return { ok: isRight, version: version(), agents, findings, rows: rowReports }
}

/** The file that is installed; where there is none, the one that would be, with its client in a folder of the doctor's. */
async function hookOf(
  agent: AgentName,
  status: AgentStatus,
  asked: Asked,
  folder: string,
): Promise<InstalledHook | string> {
  if (asked.platform === 'win32') return 'it is for Unix shells'
  const installed = installedHook(agent, status, asked.places)
  if (installed !== undefined) return installed
  try {
    const { client } = await chooseClient({ folder: join(folder, 'clients'), node: asked.launcher.node })
    return usualHook(agent, client, asked)
  } catch (error) {
    return errorText(error)
  }
}
