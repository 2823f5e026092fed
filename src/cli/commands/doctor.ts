import { counted } from '../../words/counted.ts'
import { titleOf } from '../../agents/registry.ts'
import type { DoctorFinding, Report } from '../../install/doctor/examine.ts'
import type { FaultReport, FaultResult } from '../../install/doctor/faults.ts'
import { printable } from '../../model/text.ts'
import { explainedColumn } from '../text/layout.ts'
import { type Command, jsonText, printed, usage } from '../command.ts'
import { installContextFor, agentList, agentOf, parseFlags } from '../args/flags.ts'

export const doctorCommand: Command = {
  help: `hookgate doctor: whether hookgate is installed safely, and what your agents see when something fails

  hookgate doctor [AGENT] [--json]

Checks your installation: Node, the gate, who can access its socket and token, your rules, recent failures, and whether
your agents ask hookgate. Then tries on the very file that each agent runs what it answers while the gate is down, stuck
or busy, the rules are malformed, or the file's client is missing. This takes some seconds for each agent.

The failures happen in a temporary folder. Your gate, your rules and your agents' settings are not touched.

  ok        as it should be
  NOT SAFE  the agent may go ahead where it must not; the fix is shown beside it
  wrong     the agent is stopped, but for the wrong reason

${explainedColumn('  AGENT     ', `${agentList}; default: all`)}
  --json    the report as JSON: ok, findings, and rows with what each agent saw

Exits with 0 if all is good, else with 1.

  hookgate doctor
  hookgate doctor cline
`,
  async run({ argv, env, cwd }) {
    const { values, positionals } = parseFlags('doctor', argv, { json: { type: 'boolean' } }, true)
    const [word, ...surplus] = positionals
    if (surplus.length > 0) throw usage('doctor takes one agent, or none to check all of them', 'doctor')
    const agent = agentOf(word)
    const { examine } = await import('../../install/doctor/examine.ts')
    const report = await examine(installContextFor({ env, cwd }), agent)
    return printed(values.json === true ? jsonText(report, 2) : printDoctor(report), report.ok ? 0 : 1)
  },
}

type RowState = DoctorFinding['state'] | FaultResult['kind']

const labels: Readonly<Record<RowState, string>> = { ok: 'ok', note: 'note', notSafe: 'NOT SAFE', wrong: 'wrong' }
const labelWidth = 10
const indent = ' '.repeat(labelWidth + 2)

/** Prints each check and each fault for people, with what is wrong and its remedy on the lines below. */
function printDoctor(report: Report): string {
  const { version, findings, rows } = report
  const always = sharedComplaints(rows)
  const lines = [
    `hookgate ${version}, on this machine`,
    ...findings.flatMap(findingLines),
    '',
    ...(rows.length === 0 ? [] : [`${'when'.padEnd(whatWidth(rows) + labelWidth + 2)}your agents see`]),
    ...rows.flatMap((row) => rowLines(row, whatWidth(rows), always)),
    ...always.map((complaint) => `${indent}every time, ${complaint}`),
    ...(rows.length === 0 ? [] : ['']),
    ...conclusion(report),
  ]
  return lines.map((line) => `${printable(line).trimEnd()}\n`).join('')
}

function findingLines({ state, what, remedy }: DoctorFinding): readonly string[] {
  return [labelledLine(state, what), ...(remedy === undefined ? [] : [`${indent}${remedy}`])]
}

const whatWidth = (rows: readonly FaultReport[]) => Math.max(...rows.map(({ what }) => what.length)) + 2

function rowLines({ what, seen, results }: FaultReport, width: number, always: readonly string[]): readonly string[] {
  const worst = worstOf(results)
  const own = failedIn(results).filter((result) => !always.includes(complaintOf(result)))
  return [
    labelledLine(worst, `${what.padEnd(width)}${seen}`),
    ...own.map((result) => `${indent}${result.kind === worst ? '' : `${labels[result.kind]}: `}${complaintOf(result)}`),
  ]
}

const failedIn = (results: readonly FaultResult[]) => results.filter(({ kind }) => kind !== 'ok')
const complaintOf = ({ agent, why }: FaultResult) => `${titleOf(agent)}: ${why ?? ''}`

/** Finds complaints that all rows share, which are printed once, below them. */
function sharedComplaints(rows: readonly FaultReport[]): readonly string[] {
  const [first, ...others] = rows.map(({ results }) => failedIn(results).map(complaintOf))
  return (first ?? []).filter((complaint) => others.every((more) => more.includes(complaint)))
}

const severity: readonly FaultResult['kind'][] = ['notSafe', 'wrong']

const worstOf = (results: readonly FaultResult[]): RowState =>
  severity.find((kind) => results.some((result) => result.kind === kind)) ?? 'ok'

const labelledLine = (state: RowState, text: string) => `  ${labels[state].padEnd(labelWidth)}${text}`

function conclusion({ ok, findings, rows }: Report): readonly string[] {
  const agents = rows[0]?.results.map(({ agent }) => titleOf(agent)) ?? []
  const guarded = `${agents.join(', ')} ${agents.length === 1 ? 'was' : 'were'} still guarded`
  if (ok)
    return [`all good${agents.length === 0 ? '' : `: in ${counted(rows.length, 'simulated failure')} ${guarded}`}`]
  const failed = rows.filter(({ results }) => failedIn(results).length > 0).length
  const broken = findings.filter(({ state }) => state === 'notSafe').length
  const counts = [
    ...(broken > 0 ? [`${counted(broken, 'check')} failed`] : []),
    ...(failed > 0
      ? [`${failed} of ${counted(rows.length, 'simulated failure')} went wrong for ${agents.join(', ')}`]
      : []),
  ]
  const next = "next: `hookgate enable AGENT` rewrites an agent's files; then run `hookgate doctor` again"
  return [`not good: ${counts.join(', and ')}`, ...(failed > 0 ? [next] : [])]
}
