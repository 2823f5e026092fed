import { statSync } from 'node:fs'
import { titleOf } from '../agents/registry.ts'
import type { AgentName } from '../model/event.ts'
import { localTime } from '../model/local-time.ts'
import type { RecordLevel } from '../model/record-settings.ts'
import { hasEventSince } from '../record/read.ts'
import { findSessions } from '../review/replay/session-files.ts'
import type { AgentStatus, InstallContext } from './install-context.ts'

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
