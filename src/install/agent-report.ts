import type { KnownAgent } from '../agents/registry.ts'
import { agentStatus, uncovered } from './index.ts'
import type { AgentStatus, InstallContext } from './install-context.ts'
import { notRunLines, rulesAt, type RulesHere } from './rules-here.ts'
import { unseenNote } from './unseen-work.ts'

/** An agent's registration, tried, with what the rules in force make of it. */
export interface AgentReport {
  readonly status: AgentStatus & { readonly uncoveredEvents: readonly string[] }
  /** True if the agent calls hookgate at every event with rules. */
  readonly isCovered: boolean
}

/** Collects reports one agent after the other: concurrent ones would start processes and slow each other down. */
export async function agentReports(
  agents: readonly KnownAgent[],
  context: InstallContext,
): Promise<{ readonly reports: readonly AgentReport[]; readonly here: RulesHere }> {
  const statuses: (readonly [KnownAgent, AgentStatus])[] = []
  // oxlint-disable-next-line no-await-in-loop -- see above
  for (const agent of agents) statuses.push([agent, await agentStatus(agent, context)])
  const here = await rulesAt(context, [context.cwd])
  const { rules, selfProtectionOff, record } = here
  const made = statuses.map(async ([agent, status]): Promise<AgentReport> => {
    const { fixable, never, notes: uncoveredNotes } = uncovered(agent, status, rules)
    const notes = [
      ...(selfProtectionOff === undefined ? [] : [selfProtectionOff]),
      ...uncoveredNotes,
      ...notRunLines(rules),
      ...status.notes,
      ...(await unseenNote(agent, status, record.level, context)),
    ]
    return {
      status: { ...status, uncoveredEvents: [...fixable, ...never], notes },
      isCovered: status.calls && fixable.length === 0,
    }
  })
  return { reports: await Promise.all(made), here }
}
