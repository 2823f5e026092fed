import { statSync } from 'node:fs'
import { type KnownAgent, titleOf } from '../agents/registry.ts'
import type { AgentName } from '../model/event.ts'
import { localTime } from '../words/moment.ts'
import type { RecordLevel } from '../model/record-settings.ts'
import { hasEventSince } from '../record/read.ts'
import { findSessions } from '../review/replay/session-files.ts'
import { agentStatus, uncovered } from './index.ts'
import type { AgentStatus, InstallContext } from './install-context.ts'
import { notRunLines, rulesAt, type RulesHere } from './rules-here.ts'

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

/** How long before its last trace an agent may have sent its last event: it may have thought or written meanwhile. */
const unseenWorkMs = 15 * 60_000

/**
 * Says that an agent worked after its last event, by the files in which it keeps its sessions: something keeps it from
 * asking, even where nothing else tells. Nothing is said of a time before it was registered.
 */
export async function unseenNote(
  agent: AgentName,
  { scopes }: Pick<AgentStatus, 'scopes'>,
  level: RecordLevel,
  { env, home, platform, places }: Pick<InstallContext, 'env' | 'home' | 'platform' | 'places'>,
): Promise<readonly string[]> {
  const registered = scopes.flatMap(({ by, place }) => (by === undefined ? [] : [changedMs(place)]))
  // Only a record of every event tells that there was none.
  if (registered.length === 0 || level !== 'all') return []
  const sessions = await findSessions({ agents: [agent], env, home, platform })
  const worked = Math.max(...sessions.map((one) => (one.kind === 'session' ? one.modifiedMs : 0)), 0)
  const since = worked - unseenWorkMs
  if (since < Math.max(...registered) || isSeenSince(places.decisions, agent, since)) return []
  const title = titleOf(agent)
  return [
    `warning: ${title} worked at ${localTime(worked)}, by the files of its sessions, and asked hookgate nothing in the 15 minutes before: start it anew; if that does not help, see what ${title} is started with`,
  ]
}

/** A record that cannot be read says nothing of the agent, and is reported elsewhere. */
function isSeenSince(file: string, agent: AgentName, sinceMs: number): boolean {
  try {
    return hasEventSince(file, agent, sinceMs)
  } catch {
    return true
  }
}

const changedMs = (file: string) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
