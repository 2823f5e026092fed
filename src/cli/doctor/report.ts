import type { Finding } from '../../install/doctor/finding.ts'
import type { Report } from '../../install/doctor/examine.ts'
import type { Result, RowReport } from '../../install/doctor/prove.ts'
import type { Way } from '../../install/doctor/row.ts'
import { printable } from '../../model/text.ts'

type State = Finding['state'] | Result['kind']

const labels: Readonly<Record<State, string>> = {
  ok: 'ok',
  note: 'note',
  notSafe: 'NOT SAFE',
  wrong: 'wrong',
  notShown: 'unknown',
}
const labelWidth = 10
const indent = ' '.repeat(labelWidth + 2)

const ways: Readonly<Record<Way, string>> = { client: 'its hook', http: 'HTTP', run: '`hookgate run`' }

/** What a person reads: each thing that was looked at, and beneath it what is wrong with it and what to do. */
export function printDoctor(report: Report): string {
  const { version, findings, rows } = report
  const always = sharedComplaints(rows)
  const lines = [
    `hookgate ${version}, on this machine`,
    ...findings.flatMap(findingLines),
    '',
    ...matrixHead(rows),
    ...rows.flatMap((row) => rowLines(row, whatWidth(rows), always)),
    ...always.map((complaint) => `${indent}every time, ${complaint}`),
    '',
    ...conclusion(report),
  ]
  return lines.map((line) => `${printable(line).trimEnd()}\n`).join('')
}

function findingLines({ state, what, remedy }: Finding): readonly string[] {
  return [labelled(state, what), ...(remedy === undefined ? [] : [`${indent}${remedy}`])]
}

const whatWidth = (rows: readonly RowReport[]) => Math.max(...rows.map(({ what }) => what.length)) + 2

function matrixHead(rows: readonly RowReport[]): readonly string[] {
  return [`${'when'.padEnd(whatWidth(rows) + labelWidth + 2)}your agents see`]
}

function rowLines(row: RowReport, width: number, always: readonly string[]): readonly string[] {
  const { what, results } = row
  const own = amissIn(results).filter((result) => !always.includes(complaintOf(result)))
  return [
    labelled(worst(results), `${what.padEnd(width)}${seenText(row)}`),
    ...own.map((result) => {
      const doubt = result.kind === worst(results) ? '' : `${labels[result.kind]}: `
      return `${indent}${doubt}${complaintOf(result)}`
    }),
  ]
}

/** What is seen, and what by other ways, of those that were asked. */
function seenText({ seen, otherwise = {}, results }: RowReport): string {
  const asked = [...new Set(results.map(({ way }) => way))]
  return [
    seen,
    ...asked.flatMap((way) => (otherwise[way] === undefined ? [] : `by ${ways[way]}, ${otherwise[way]}`)),
  ].join('; ')
}

const amissIn = (results: readonly Result[]) => results.filter(({ kind }) => kind !== 'ok')
const complaintOf = ({ agent, way, why }: Result) => `${agent} by ${ways[way]}: ${why ?? ''}`

/** What is wrong in every row is told once. */
function sharedComplaints(rows: readonly RowReport[]): readonly string[] {
  const [first, ...others] = rows.map(({ results }) => amissIn(results).map(complaintOf))
  return (first ?? []).filter((complaint) => others.every((more) => more.includes(complaint)))
}

const severity: readonly Result['kind'][] = ['notSafe', 'wrong', 'notShown']

const worst = (results: readonly Result[]): State =>
  severity.find((kind) => results.some((result) => result.kind === kind)) ?? 'ok'

const labelled = (state: State, text: string) => `  ${labels[state].padEnd(labelWidth)}${text}`

function conclusion({ ok, findings, rows, agents }: Report): readonly string[] {
  const seen = rows.flatMap(({ results }) => results)
  const asked = agents.map((agent) => {
    const by = new Set(seen.filter((result) => result.agent === agent).map(({ way }) => ways[way]))
    return `${agent} by ${[...by].join(', ')}`
  })
  const proved = `${rows.length} failures, seen as ${asked.join('; ')}`
  if (ok) return [`everything is as it should be: ${proved}`]
  const amiss = rows.filter(({ results }) => amissIn(results).length > 0).length
  const broken = findings.filter(({ state }) => state === 'notSafe').length
  const counts = [...(broken > 0 ? [`${broken} of the checks`] : []), ...(amiss > 0 ? [`${amiss} of ${proved}`] : [])]
  return [
    `not as it should be: ${counts.join(' and ')}`,
    ...(amiss > 0
      ? [`next: \`hookgate enable AGENT\` rewrites an agent's files; then run \`hookgate doctor\` again`]
      : []),
  ]
}
