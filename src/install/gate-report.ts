import type { KnownAgent } from '../agents/registry.ts'
import { errorText, HookgateError } from '../model/errors.ts'
import type { RecordSettings } from '../model/record-settings.ts'
import type { GatePaths } from '../files/state/places.ts'
import type { RecorderStatus } from '../record/recorder.ts'
import { lastVerification, type Verification } from '../record/verification.ts'
import { askStatus, type StatusAnswer } from '../service/server/heartbeats.ts'
import { type RecordHealth, recordHealth } from '../service/server/record-health.ts'
import { registeredAgents, switchedOffHere } from './index.ts'
import type { InstallContext } from './install-context.ts'
import type { RulesHere } from './rules-here.ts'

/** The resident gate, and what it does in one folder. */
interface GateReport {
  readonly answer: StatusAnswer
  readonly here: RulesHere
  /** Settings in the folder with which an enabled agent does not ask hookgate. */
  readonly notAsking: readonly string[]
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
  const notAsking = context === undefined ? [] : await switchedOffHere(context)
  const isWaiting = !answer.running && answer.why === null && context !== undefined
  const waiting = isWaiting ? await registeredAgents(context) : []
  const record = recordReport(places.decisions, here.record, answer.running ? answer.recorder : undefined)
  return { answer, here, notAsking, waiting, record }
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
  const more = {
    ...(live?.problem !== undefined && { problem: live.problem }),
    ...(last !== undefined && { verified: last }),
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
