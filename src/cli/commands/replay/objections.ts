import type { JunitCase } from '../../../review/replay/junit.ts'
import type { ReplayReport, ReportedFinding } from '../../../review/replay/report.ts'
import type { FailOn } from './flags.ts'

/** Says why a replay fails; `undefined` if it does not. What could not be decided may be refused, so it fails too. */
export function failureOf({ now, before, changes = {}, partial }: ReplayReport, failOn: FailOn): string | undefined {
  if (partial) return 'not all calls were decided'
  if (now.undecided > 0 || (before?.undecided ?? 0) > 0) return 'some calls could not be decided'
  const isCompared = before !== undefined
  const refused = isCompared ? (changes.newlyRefused ?? 0) : now.refused
  const asked = isCompared ? (changes.newlyAsked ?? 0) : now.asked
  const newly = isCompared ? 'newly ' : ''
  if (failOn === 'changed') return Object.keys(changes).length > 0 ? 'some calls are decided in another way' : undefined
  if (refused > 0) return `${refused} calls are ${newly}refused`
  return failOn === 'asked' && asked > 0 ? `${asked} calls are ${newly}asked about` : undefined
}

/** Makes the tests of a JUnit report: one of each finding, which fails if it is what `failOn` names, and one of the rest. */
export function junitCases(report: ReplayReport, failOn: FailOn): readonly JunitCase[] {
  const shown = report.findings.map((finding) => findingCase(finding, failOn))
  const undecided = report.undecided.map(({ why, times, first: { file, line } }): JunitCase => {
    const text = `${times} calls, first: ${file}${line === undefined ? '' : `:${line}`}`
    return { suite: 'not decided', name: why, failure: { kind: 'error', message: why, text } }
  })
  const early: readonly JunitCase[] = report.partial
    ? [{ suite: 'replay', name: 'whole', failure: { kind: 'error', message: 'ended early', text: '' } }]
    : []
  return [{ suite: 'replay', name: `${report.calls} calls of ${report.files} files` }, ...early, ...shown, ...undecided]
}

function findingCase(finding: ReportedFinding, failOn: FailOn): JunitCase {
  const { subject, calls, change, now, before, agent, first } = finding
  const { rules } = now.rules.length > 0 || before === undefined ? now : before
  const suite = rules.map(({ name }) => name).join(', ')
  const what = change ?? now.answer
  if (!isObjection(finding, failOn)) return { suite, name: `${what}: ${subject}` }
  const text = [
    subject,
    ...rules.map(({ name, file, reason }) => `${name}, of ${file}: ${reason}`),
    `${calls} calls, ${agent}; first: ${first.file}${first.line === undefined ? '' : `:${first.line}`}, in ${first.cwd}`,
  ].join('\n')
  return { suite, name: `${what}: ${subject}`, failure: { kind: 'failure', message: `${what}, ${calls} calls`, text } }
}

function isObjection({ change, before, now }: ReportedFinding, failOn: FailOn): boolean {
  if (failOn === 'changed') return change !== undefined
  const refuses = before === undefined ? now.answer === 'refused' : change === 'newlyRefused'
  const asks = before === undefined ? now.answer === 'asked' : change === 'newlyAsked'
  return refuses || (failOn === 'asked' && asks)
}
