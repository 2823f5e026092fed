import type { RecordReport } from '../../../install/gate-report.ts'
import { dayOf, localTime } from '../../../words/moment.ts'
import { faultText, type Verification } from '../../../record/verification.ts'
import { lossRemedy, lossText } from '../../../service/server/record-health.ts'
import { counted } from '../../text/rule-lines.ts'

/** Formats the report in one line if there is anything to say, and a warning if decisions could not be recorded. */
export function recordLines(report: RecordReport): readonly string[] {
  const { level, file, decisions, since, bytes = 0, lost = 0, problem, verified } = report
  const from = since === undefined || since === null ? '' : ` since ${dayOf(Date.parse(since))}`
  const kept = `${decisions === 1 ? 'one event' : `${decisions} events`}${from}, ${sizeText(bytes)}: ${file}`
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
    ? [`  verified   ${at}: the chain of ${counted(verified.rows, 'event')} was intact`]
    : [`  warning    ${faultText(verified)}, found ${at}; see \`hookgate log --verify\``]
}

function sizeText(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}
