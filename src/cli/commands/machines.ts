import { HookgateError } from '../../model/errors.ts'
import { printable } from '../../model/text.ts'
import { titleOf } from '../../agents/registry.ts'
import { beatsIn } from '../../review/machines/heartbeats.ts'
import { type Machine, type MachineProblem, machineProblems, openFleet } from '../../review/machines/fleet.ts'
import { recordsIn, recordsOf } from '../../review/replay/records.ts'
import { limits } from '../../model/limits.ts'
import { localTime } from '../../words/moment.ts'
import { momentIn, parseFlags } from '../args/flags.ts'
import { type Command, type Invocation, jsonText, usage } from '../command.ts'
import { cutLine, lineWidth, linesText, oneLine, paintFor, wrappedLine } from '../text/layout.ts'
import { spanText } from '../text/refusal-text.ts'
import { counted } from '../../words/counted.ts'

const usualSince = '30d'

export const machinesCommand: Command = {
  help: `hookgate machines: which machines of a team ask hookgate, and what is wrong with one

  hookgate machines FILE…

Reads the files that an OpenTelemetry collector's file exporter writes, or stdin as \`-\`, and prints each machine and
account by its last heartbeat: when it was seen, the version of hookgate, the signed rules, the agents that are proved
to ask. Those with something to mend come first, and below each what that is:

  silent           no heartbeat came, and none said that the gate ends: it was killed, or the machine is off
  clock            its clock is ahead of this one, so that it is not known when it was seen
  rules            its rules do not load: every call is refused
  stale            its signed rules are old or missing, or it cannot fetch them
  agents           an agent is registered and does not ask, or asked once and is registered no more
  self-protection  an agent there may change hookgate

Exits with 1 if there is one of these, no machine at all, or a file that cannot be read. Other records in the files
are passed over.

  --since WHEN         leave out machines that were last seen before; default: ${usualSince}
  --silent-since WHEN  those that were last seen before are silent; default: three of a machine's own intervals, 15 min
  --json               one JSON object: machines, left_out, unreadable

WHEN is how long ago (1h, 4w), \`yesterday\`, a day (2026-11-01) or ISO 8601, local.

  hookgate machines /var/log/agents.json
  hookgate machines heartbeats*.jsonl --silent-since 2h
`,
  async run(invocation) {
    const { values, positionals } = parseFlags('machines', invocation.argv, flags, true)
    if (positionals.length === 0) throw usage('machines needs a file of a collector, or `-` for stdin', 'machines')
    const nowMs = Date.now()
    const sinceMs = momentIn('machines', 'since', values.since ?? usualSince, nowMs) ?? 0
    const silentSinceMs = momentIn('machines', 'silent-since', values['silent-since'], nowMs)
    const read = await readFleet(positionals, invocation, nowMs)
    const all = read.fleet.machines(nowMs, silentSinceMs)
    const machines = all.filter(({ beat }) => beat.atMs >= sinceMs)
    const leftOut = all.length - machines.length
    const stderr = read.unreadable.map((line) => `hookgate: ${printable(line)}\n`).join('')
    const isWell = machines.length > 0 && machines.every(({ problems }) => problems.length === 0)
    const exitCode = isWell && read.unopened === 0 ? 0 : 1
    if (values.json === true) {
      const stdout = jsonText({ machines: machines.map(jsonOf), left_out: leftOut, unreadable: read.unreadable }, 2)
      return { stdout, stderr: '', exitCode }
    }
    if (all.length === 0) throw nothingFound(read)
    return { stdout: linesText([...tableOf(machines, nowMs), '', ...summaryOf(machines, leftOut)]), stderr, exitCode }
  },
}

const flags = {
  since: { type: 'string' },
  'silent-since': { type: 'string' },
  json: { type: 'boolean' },
} as const

type FleetRead = Awaited<ReturnType<typeof readFleet>>

/** Lines that cannot be read and are named; the rest is counted. */
const unreadableNamedMax = 5

/** Reads all heartbeats in files. */
async function readFleet(files: readonly string[], { openStdin, stdin }: Invocation, nowMs: number) {
  const fleet = openFleet(nowMs)
  const named: string[] = []
  let [unnamed, surplus, decisions, others, unopened] = [0, 0, 0, 0, 0]
  const note = (text: string) => void (named.length < unreadableNamedMax ? named.push(text) : (unnamed += 1))
  async function* given() {
    yield await stdin
  }
  for (const file of files) {
    const records = file === '-' ? recordsIn(openStdin?.() ?? given(), 'stdin') : recordsOf(file, { kind: 'jsonLines' })
    // oxlint-disable-next-line no-await-in-loop -- in the order in which they were written
    for await (const one of records) {
      const place = one.line === undefined ? file : `${file}:${one.line}`
      if (one.kind === 'unreadable') {
        note(`${place}: ${one.why}`)
        if (one.line === undefined) unopened += 1
        continue
      }
      const { beats, malformed, isDecision } = beatsIn(one.record)
      if (malformed > 0) note(`${place}: ${counted(malformed, 'heartbeat')} without what each has`)
      for (const beat of beats) if (!fleet.add(beat)) surplus += 1
      if (isDecision) decisions += 1
      else if (beats.length === 0) others += 1
    }
  }
  const unreadable = [
    ...named,
    ...(unnamed === 0 ? [] : [`${counted(unnamed, 'more line')} cannot be read`]),
    ...(surplus === 0 ? [] : [`${surplus} heartbeats of more than ${limits.machinesMax} machines are left out`]),
  ]
  return { fleet, unreadable, decisions, others, unopened }
}

function nothingFound({ unreadable, decisions, others }: FleetRead): HookgateError {
  const [first] = unreadable
  if (decisions > 0) {
    const remedy = 'have the gates send to a collector, with `export.otlp`, and name the file that it writes'
    return new HookgateError('usage', 'these are decisions, as `export.file` has them, without heartbeats', { remedy })
  }
  const seen = others > 0 ? `, among ${counted(others, 'other line')}` : first === undefined ? '' : `: ${first}`
  const remedy = 'name a file to which the file exporter of a collector writes logs; docs/export.md has its settings'
  return new HookgateError('usage', `there is no heartbeat of hookgate${seen}`, { remedy })
}

const paint = paintFor()

/** Formats the machines in columns, and below each what is wrong with it. */
function tableOf(machines: readonly Machine[], nowMs: number): readonly string[] {
  const rows = machines.map((machine) => ({ machine, cells: cellsOf(machine) }))
  const heads = ['machine', 'last seen', 'hookgate', 'signed rules', 'agents that ask']
  const widths = heads.map((head, at) => Math.max(head.length, ...rows.map(({ cells }) => cells[at]?.length ?? 0)))
  const lineOf = (cells: readonly string[]) =>
    cells.map((cell, at) => (at === cells.length - 1 ? cell : cell.padEnd(widths[at] ?? 0))).join('  ')
  const linesOf = (machine: Machine, cells: readonly string[]) => [
    ...wrappedLine(lineOf(cells), lineWidth, '    '),
    ...machine.problems
      .flatMap((problem) => wrappedLine(`    ${problemText(problem, machine, nowMs)}`, lineWidth, '    '))
      .map((line) => paint('yellow', line)),
  ]
  return [paint('dim', lineOf(heads)), ...rows.flatMap(({ machine, cells }) => linesOf(machine, cells))]
}

/** Characters of a name in a column. */
const nameWidth = 32
const cell = (text: string) => cutLine(oneLine(text), nameWidth)

const cellsOf = ({ beat, aheadMs }: Machine): readonly string[] => [
  cell(nameOf(beat)),
  aheadMs === undefined ? `${localTime(beat.atMs)}${beat.stopping === undefined ? '' : ', ended'}` : '?',
  cell(beat.version),
  cell(rulesOf(beat)),
  beat.agents.proved.length === 0 ? '-' : namesOf(beat.agents.proved),
]

const nameOf = ({ host, user }: Machine['beat']) => (user === undefined ? host : `${host} (${user})`)

function rulesOf({ bundle }: Machine['beat']): string {
  if (bundle === undefined) return '-'
  const { name, revision, mode } = bundle
  return name === undefined ? 'none' : `${name} ${revision ?? '?'}${mode === 'observe' ? ', observe' : ''}`
}

const namesOf = (agents: readonly string[]) => agents.map((agent) => oneLine(titleOf(agent))).join(', ')

/** Says what is wrong with a machine. */
function problemText(problem: MachineProblem, { beat, aheadMs = 0 }: Machine, nowMs: number): string {
  switch (problem) {
    case 'silent':
      return `silent for ${spanText(nowMs - beat.atMs)}: its gate was killed, or the machine is off`
    case 'clock':
      return `its clock is ${spanText(aheadMs)} ahead of this one: it is not known when it was seen`
    case 'rules':
      return `its rules do not load: ${oneLine(beat.rules.problem ?? 'it does not say why')}`
    case 'stale': {
      const { channel = '?', freshness, problem: why } = beat.bundle ?? {}
      const how = { fresh: 'cannot be fetched', stale: 'are old', missing: 'never came' }[freshness ?? 'missing']
      return `the signed rules of channel ${oneLine(channel)} ${how}${why === undefined ? '' : `: ${oneLine(why)}`}`
    }
    case 'agents': {
      const { broken, absent } = beat.agents
      return [
        ...(broken.length === 0 ? [] : [`registered, and does not ask: ${namesOf(broken)}`]),
        ...(absent.length === 0 ? [] : [`asked before, and is registered no more: ${namesOf(absent)}`]),
        ...(beat.agentsProblem === undefined ? [] : [`which agents ask is unknown: ${oneLine(beat.agentsProblem)}`]),
      ].join('; ')
    }
    case 'self-protection':
      return 'self-protection is off: an agent there may change hookgate'
  }
}

/** Each problem behind a number of machines. */
const countedProblems: Readonly<Record<MachineProblem, string>> = {
  silent: 'silent',
  clock: 'with a clock that is ahead',
  rules: 'whose rules do not load',
  stale: 'with old signed rules',
  agents: 'with an agent that does not ask',
  'self-protection': 'without self-protection',
}

/** Counts what the list has: problems, gates that ended, versions and signed rules. */
function summaryOf(machines: readonly Machine[], leftOut: number): readonly string[] {
  const wrong = machineProblems.flatMap((problem) => {
    const count = machines.filter(({ problems }) => problems.includes(problem)).length
    return count === 0 ? [] : [`${count} ${countedProblems[problem]}`]
  })
  const ended = machines.filter(({ beat }) => beat.stopping !== undefined).length
  const head = [
    counted(machines.length, 'machine'),
    wrong.length === 0 ? 'nothing is wrong' : wrong.join(', '),
    ...(ended === 0 ? [] : [`the gate has ended on ${ended}: an agent's next call starts it`]),
    ...(leftOut === 0 ? [] : [`${leftOut} not seen since --since`]),
  ]
  if (machines.length === 0) return [head.join('; ')]
  const following = machines.filter(({ beat }) => beat.bundle !== undefined)
  const rules = following.length === 0 ? '' : `; signed rules ${spread(following, rulesOf)}`
  return [head.join('; '), `hookgate ${spread(machines, ({ version }) => version)}${rules}`]
}

/** Counts machines by what they have, the most frequent first. */
const spread = (machines: readonly Machine[], of: (beat: Machine['beat']) => string) =>
  [...Map.groupBy(machines, ({ beat }) => of(beat))]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .slice(0, spreadMax)
    .map(([value, those]) => `${cell(value)} on ${those.length}`)
    .join(', ')
/** Versions that are counted one by one. */
const spreadMax = 5

const jsonOf = ({ beat: { atMs, intervalMs, ...beat }, aheadMs, problems }: Machine) => ({
  ...beat,
  lastSeen: aheadMs === undefined ? new Date(atMs).toISOString() : null,
  interval: intervalMs / 1000,
  ...(aheadMs !== undefined && { clockAhead: aheadMs / 1000 }),
  problems,
})
