import { agentNames, type KnownAgent } from '../../agents/registry.ts'
import { version } from '../../files/version.ts'
import { agentStatus, type InstallContext } from '../index.ts'
import { inTurn } from '../canary.ts'
import { rulesAt } from '../rules-here.ts'
import { unseenNote } from '../unseen-work.ts'
import {
  type DoctorFinding,
  agentFindings,
  checkGate,
  checkNode,
  checkPrivacy,
  checkRecord,
  checkRules,
  recentFailures,
} from './checks.ts'
import { type FaultReport, proveFaults } from './faults.ts'
import { installedHook } from './installed-hook.ts'

export interface Report {
  readonly ok: boolean
  readonly version: string
  readonly agents: readonly KnownAgent[]
  readonly findings: readonly DoctorFinding[]
  readonly rows: readonly FaultReport[]
}

/**
 * Checks an installation, and tries on the hooks that agents run what they answer when something fails.
 *
 * @param named the only agent to look at; all of them where none is named
 */
export async function examine(context: InstallContext, named: KnownAgent | undefined): Promise<Report> {
  const agents = named === undefined ? agentNames : [named]
  const installed = { ...context, version: version() }
  const statuses = await inTurn(agents, async (agent) => ({ agent, status: await agentStatus(agent, context) }))
  const { level } = (await rulesAt(context, [context.cwd])).record
  const unseen = await inTurn(statuses, ({ agent, status }) => unseenNote(agent, status, level, context))
  const hooks = new Map(
    statuses.flatMap(({ agent, status }) => {
      const hook = installedHook(agent, status, context.places)
      return hook === undefined ? [] : [[agent, hook] as const]
    }),
  )
  const [gate, rules, record, failures] = await Promise.all([
    checkGate(installed),
    checkRules(installed),
    checkRecord(installed),
    recentFailures(context.places),
  ])
  const rows = hooks.size === 0 ? [] : await proveFaults(context, hooks)
  const findings = [
    checkNode(context.launcher.node),
    ...gate,
    ...checkPrivacy(installed),
    ...rules,
    ...record,
    ...failures,
    ...agentFindings(
      statuses.map(({ status }) => status),
      new Map([...hooks].map(([agent, { client }]) => [agent, client])),
      named !== undefined,
    ),
    ...unseen.flat().map((what) => ({ about: 'agent', state: 'note', what }) as const),
  ]
  const isSafe =
    findings.every(({ state }) => state !== 'notSafe') &&
    rows.every(({ results }) => results.every(({ kind }) => kind === 'ok'))
  return { ok: isSafe, version: version(), agents, findings, rows }
}
