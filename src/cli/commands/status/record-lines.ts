import { faultText, lastVerification, type Verification } from '../../../record/verification.ts'
import { dayOf, localTime } from '../../../model/local-time.ts'
import { counted } from '../../text/rule-lines.ts'
import { errorText } from '../../../model/errors.ts'
import type { RecordSettings } from '../../../model/record-settings.ts'
import type { RecordHealth } from '../../../service/server/record-health.ts'
import type { RecorderStatus } from '../../../record/recorder.ts'

/** The state of the record, in the words of `hookgate status`. */
export type RecordReport = Pick<RecordSettings, 'level'> & {
  readonly file: string
  /** Why recording does not work now, or why the database cannot be read; absent if nothing is wrong. */
  readonly problem?: string
  /** The last check of the chain, by the gate, which checks it once a day, or by a person; absent if there was none. */
  readonly verified?: Verification
} & Partial<RecordHealth>

/** @param live what the running gate says; `null` if it does not record, `undefined` if none is running */
export async function recordReport(
  file: string,
  { level }: RecordSettings,
  live: Omit<RecorderStatus, 'file'> | null | undefined,
): Promise<RecordReport> {
  const { recordHealth } = await import('../../../service/server/record-health.ts')
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

/** Formats the report in one line if there is anything to say, and a warning if decisions could not be recorded. */
export async function recordLines(report: RecordReport): Promise<readonly string[]> {
  const { lossRemedy, lossText } = await import('../../../service/server/record-health.ts')
  const { level, file, decisions, since, bytes = 0, lost = 0, problem, verified } = report
  const from = since === undefined || since === null ? '' : ` since ${dayOf(Date.parse(since))}`
  const kept = `${decisions === 1 ? 'one decision' : `${decisions} decisions`}${from}, ${sizeText(bytes)}: ${file}`
  const off = `off${decisions === undefined || decisions === 0 ? '' : `; there are still ${kept}`}`
  const loss = lossText(lost, problem)
  return [
    ...(level === 'off' ? [`  record     ${off}`] : decisions === undefined ? [] : [`  record     ${kept}`]),
    ...(verified === undefined || decisions === undefined ? [] : verifiedLines(verified)),
    ...(loss === undefined ? [] : [`  warning    ${loss}; ${lossRemedy}`]),
    ...(loss === undefined && problem !== undefined ? [`  warning    ${problem}`] : []),
  ]
}

function verifiedLines(verified: Verification): readonly string[] {
  const at = localTime(Date.parse(verified.at))
  return verified.kind === 'whole'
    ? [`  verified   ${at}: the chain of ${counted(verified.rows, 'decision')} was intact`]
    : [`  warning    ${faultText(verified)}, found ${at}; see \`hookgate log --verify\``]
}

function sizeText(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}
