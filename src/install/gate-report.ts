import { errorText, HookgateError } from '../model/errors.ts'
import type { RecordSettings, RecordLevel } from '../model/record-settings.ts'
import type { GatePaths } from '../files/state/places.ts'
import type { RecorderStatus } from '../record/recorder.ts'
import { damagedDatabases } from '../record/writer.ts'
import { lastVerification, type Verification } from '../record/verification.ts'
import { askStatus, type StatusAnswer } from '../service/server/heartbeats.ts'
import { type RecordHealth, recordHealth } from '../service/server/record-health.ts'
import { isGateRunning } from './status.ts'
import { brokenRegistrations, registeredAgents, switchedOffHere, agentStatus, uncovered } from './index.ts'
import type { InstallContext, AgentStatus } from './install-context.ts'
import { statSync } from 'node:fs'
import { type KnownAgent, titleOf } from '../agents/registry.ts'
import type { AgentName } from '../model/event.ts'
import { localTime } from '../words/moment.ts'
import { hasEventSince } from '../record/read.ts'
import { findSessions } from '../review/replay/session-files.ts'
import { notRunLines, rulesAt, type RulesHere } from './rules-here.ts'

/** The resident gate, and what it does in one folder. */
interface GateReport {
  readonly answer: StatusAnswer
  readonly here: RulesHere
  /** Settings in the folder, or faults of its registration, with which an enabled agent does not ask hookgate. */
  readonly notAsking: readonly string[]
  /** True if an agent is registered, whether or not it asks here. */
  readonly isRegistered: boolean
  /** The agents whose first event starts a gate that does not run. */
  readonly waiting: readonly KnownAgent[]
  readonly record: RecordReport
}

/** The state of the record, in the words of `hookgate status`. */
export type RecordReport = Pick<RecordSettings, 'level'> & {
  readonly file: string
  /** Why recording does not work now, or why the database cannot be read; absent if nothing is wrong. */
  readonly problem?: string
  /** The last check of the chain, by the gate, which checks it once a day, or by a person; absent if there was none. */
  readonly verified?: Verification
  /** Damaged databases that were set aside, the oldest first; absent if there are none. */
  readonly setAside?: readonly string[]
} & Partial<RecordHealth>

/**
 * Asks the gate, and reads what it does in a folder.
 *
 * @param here the rules of that folder
 * @param contextOf throws where no agent can be enabled: in a folder that was removed, or without a home
 * @throws HookgateError `unavailable` if the gate's folder is not private
 */
export async function gateReport(
  places: GatePaths,
  here: RulesHere,
  contextOf: () => InstallContext,
): Promise<GateReport> {
  const answer = await askStatus(places)
  const context = contextIn(contextOf)
  const registered = context === undefined ? [] : await registeredAgents(context)
  const broken = context === undefined ? new Map<KnownAgent, never[]>() : await brokenRegistrations(registered, context)
  const notAsking = [
    ...(context === undefined ? [] : await switchedOffHere(registered, context)),
    ...[...broken].flatMap(([agent, problems]) => problems.map((one) => `${titleOf(agent)} may not ask: ${one}`)),
  ]
  const waiting = !answer.running && answer.why === null ? registered.filter((agent) => !broken.has(agent)) : []
  const record = recordReport(places.decisions, here.record, answer.running ? answer.recorder : undefined)
  return { answer, here, notAsking, isRegistered: registered.length > 0, waiting, record }
}

function contextIn(contextOf: () => InstallContext): InstallContext | undefined {
  try {
    return contextOf()
  } catch (error) {
    if (error instanceof HookgateError) return undefined
    throw error
  }
}

/** @param live what the running gate says; `null` if it does not record, `undefined` if none is running */
function recordReport(
  file: string,
  { level }: RecordSettings,
  live: Omit<RecorderStatus, 'file'> | null | undefined,
): RecordReport {
  const last = lastVerification(file)
  const setAside = damagedDatabases(file)
  const more = {
    ...(live?.problem !== undefined && { problem: live.problem }),
    ...(last !== undefined && { verified: last }),
    ...(setAside.length > 0 && { setAside }),
  }
  try {
    const health = recordHealth(file)
    // Decisions that the gate has lost since its last batch are not in the database yet.
    return { level, file, ...health, lost: Math.max(health?.lost ?? 0, live?.lost ?? 0), ...more }
  } catch (error) {
    return { level, file, lost: live?.lost ?? 0, problem: errorText(error), ...more }
  }
}

/** Returns the report without what only its text needs. */
export const gateReportJson = ({ answer, here, notAsking, record }: GateReport) => ({
  ...answer,
  recorder: undefined,
  record,
  protection: here.protection ?? null,
  unmanaged: here.unmanaged,
  notAsking,
  bundle: here.bundle?.state ?? null,
})

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
  const gateRuns = await isGateRunning(context)
  // oxlint-disable-next-line no-await-in-loop -- see above
  for (const agent of agents) statuses.push([agent, await agentStatus(agent, context, gateRuns)])
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
