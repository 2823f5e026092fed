import { counted } from '../../words/counted.ts'
import { agentNames, type KnownAgent, titleOf } from '../../agents/registry.ts'
import { version } from '../../files/program-files.ts'
import type { AgentHere, AgentStatus, ManagedReport, ManagedStatus, ScopeStatus } from '../../install/index.ts'
import { notRunLines, rulesAt, type RulesHere } from '../../install/rules-here.ts'
import { printable } from '../../model/text.ts'
import type { GateStatus } from '../../service/server/gate-status.ts'
import { agentList, agentOf, parseFlags, agentNamed, installContextFor } from '../args/flags.ts'
import { ownPlaces } from '../args/own-places.ts'
import { bundleLines, protectionLines, rulesHere, workingFolder } from '../text/rule-lines.ts'
import { type Command, type CommandOutput, type Invocation, jsonText, printed, usage } from '../command.ts'
import { explainedColumn, linesText } from '../text/layout.ts'
import type { RecordReport } from '../../install/gate-report.ts'
import { missingText } from '../../rules/machine-settings.ts'
import { dayOf, localTime } from '../../words/moment.ts'
import { faultText, type Verification } from '../../record/verification.ts'
import { lossRemedy, lossText, setAsideText } from '../../service/server/record-health.ts'

/** Prints which agents are on this machine and where hookgate is registered, and tries nothing. */
export async function printAgentList(
  invocation: Pick<Invocation, 'env' | 'cwd'>,
  asJson: boolean,
): Promise<CommandOutput> {
  const { agentsHere } = await import('../../install/index.ts')
  const agents = await agentsHere(installContextFor(invocation))
  return printed(asJson ? jsonText({ agents }, 2) : agents.flatMap(listLines).join(''))
}

const byText = { enable: '', hand: ' by hand', administrator: ' by an administrator' } as const

const width = Math.max(...agentNames.map((name) => name.length)) + 2

function listLines({ agent, folder, places, obstacles }: AgentHere): readonly string[] {
  const registered = places.filter(({ by }) => by !== undefined)
  const what =
    registered.length > 0
      ? registered.map(({ scope, place, by }) => `registered${byText[by ?? 'enable']} (${scope}): ${place}`)
      : [folder === null ? 'not found on this machine' : `not registered; its folder is ${folder}`]
  const wrong = [...places.flatMap(({ problems }) => problems), ...obstacles].map((why) => `  but ${why}`)
  return [...what, ...wrong].map(
    (text, index) => `${printable(`${(index === 0 ? agent : '').padEnd(width)}${text}`)}\n`,
  )
}

const managedStatusHelp = `
  hookgate status --managed [AGENT…] [--json]

For administrators: how far their registration binds each agent, and every way past it that is open on this machine:
who may change the files, settings that are not pinned, variables that move a file, and code above hooks. Looks at the
settings and variables of the user who runs it and of the current folder too, and at those of no other user: it says
whose they were. Exits with 0 if the named agents, or else all that an administrator has registered, have none, and
managed rules are in force; else with 1. --json is one line.
`

export const statusCommand: Command = {
  help: `hookgate status: whether the resident gate is running

  hookgate status [--json]

  --json                one JSON object: running, pid, version, startedAt, uptimeMs, socket, http, tokenFile, log,
                        inFlight, rules, export, warnings; where none runs, running, why, socket and log; and in both
                        cases protection: "none" if nothing is checked in the current folder, "observe" if the rules
                        only observe, "enforce", or null if they do not load; and notAsking: settings in the current
                        folder, and faults of a registration, with which an enabled agent does not ask hookgate; and
                        bundle: the signed rules, or null

Exits with 0 if it answers, or the first event of an enabled agent starts it, the rules load and some are in force in
the current folder, and neither settings there nor its registration keep an enabled agent from asking; else with 1.
Where nothing is checked, or everything refused, that is said first.

  hookgate status AGENT [--json]
  hookgate status --all [--json]
  hookgate status --list [--json]

${explainedColumn('  AGENT    ', agentList)}
  --all    every agent, one after the other; unregistered agents are only named
  --list   only reads which agents are on this machine and where hookgate is registered, tries nothing, exits with 0

Checks whether that agent would really ask hookgate: a harmless event, which only hookgate would refuse, is sent exactly
as the agent would send it. Lists every place where hookgate is or could be registered, by \`enable\`, by hand or by an
administrator, other settings that keep the agent from asking, and events that have rules but that the agent does not
ask about. No gate is left running that was not running before. Exits with 0 if the rules load, some are in force in the
current folder and the agent asks at every event that has rules, else with 1; with --all, if at least one agent is
registered and all of those do.
${managedStatusHelp}
  hookgate status && hookgate status --all
`,
  async run(invocation) {
    const { values, positionals } = parseFlags('status', invocation.argv, flags, true)
    if (values.managed === true) {
      if (values.all === true || values.list === true)
        throw usage('--managed stands without --all and --list', 'status')
      return printManagedStatus(positionals, invocation, values.json === true)
    }
    if (values.list === true) {
      if (positionals.length > 0 || values.all === true)
        throw usage('--list is about every agent, and stands alone', 'status')
      return printAgentList(invocation, values.json === true)
    }
    if (values.all === true) {
      if (positionals.length > 0) throw usage('--all cannot be combined with an agent', 'status')
      return printAllStatuses(invocation, values.json === true)
    }
    if (positionals.length > 0) {
      return printAgentStatus(agentNamed('status', undefined, positionals), invocation, values.json === true)
    }
    return gateStatusPrinted(invocation, values.json === true)
  },
}

const flags = {
  json: { type: 'boolean' },
  all: { type: 'boolean' },
  list: { type: 'boolean' },
  managed: { type: 'boolean' },
} as const

async function gateStatusPrinted(invocation: Pick<Invocation, 'env' | 'cwd'>, asJson: boolean): Promise<CommandOutput> {
  const { gateReport, gateReportJson } = await import('../../install/gate-report.ts')
  const here = await rulesHere(invocation)
  const report = await gateReport(ownPlaces(invocation.env), here, () => installContextFor(invocation))
  const { answer, notAsking, isRegistered, waiting, record } = report
  const isReady = answer.running || waiting.length > 0
  const exitCode = isReady && isProtecting(here) && notAsking.length === 0 ? 0 : 1
  if (asJson) return printed(jsonText(gateReportJson(report), 2), exitCode)
  const first = linesText([...ruleLines(here), ...notAsking.map(printable)])
  const bundle = here.bundle === undefined ? [] : bundleLines(here.bundle.state).map(printable)
  const last = linesText([
    ...bundle,
    ...recordLines(record).map(printable),
    ...notRunLines(here.rules).map(warningLine),
  ])
  const idle = isRegistered
    ? ''
    : linesText([warningLine('no agent of this user asks the gate: `hookgate init` registers those that it finds')])
  if (answer.running) return printed(first + statusText(answer) + idle + last, exitCode)
  const [next] = waiting.map((agent) => `the first event of ${titleOf(agent)} starts it`)
  const why = answer.why ?? next
  return printed(`${first}the gate is not running${why === undefined ? '' : `: ${why}`}\n${last}`, exitCode)
}

/** Returns true if rules are in force, signed ones too, all load, and only an administrator can change the managed ones. */
const isProtecting = ({ protection, unmanaged, bundle }: RulesHere) =>
  protection !== undefined && protection !== 'none' && unmanaged.length === 0 && bundle?.state.freshness !== 'missing'

/** Returns the lines that stand first where the rules do not load, nothing is checked, or the rules only observe. */
function ruleLines(here: RulesHere): readonly string[] {
  const [first, ...more] = here.wrong
  if (first === undefined) return [...here.unmanaged.map(printable), ...protectionLines(here)]
  const others = more.length === 0 ? '' : ` (and ${counted(more.length, 'more mistake')}: see \`hookgate check\`)`
  return [
    printable(
      `the rules do not load; until this is fixed, every call is refused, unless the gate still has older ones: ${first}${others}`,
    ),
  ]
}

function statusText({
  pid,
  version: running,
  uptimeMs,
  socket,
  http,
  tokenFile,
  log,
  inFlight,
  rules,
  export: exported,
  warnings,
}: GateStatus): string {
  return [
    `the gate is running: pid ${pid}, version ${running}, for ${durationText(uptimeMs)}`,
    `  socket     ${socket}`,
    `  http       ${http === null ? 'off' : `${http}, with the token in ${tokenFile}`}`,
    `  log        ${log}`,
    `  in flight  ${inFlight}`,
    rulesLine(rules),
    ...(exported.length === 0 ? [] : [`  export     ${exported.map(exportText).join(', ')}`]),
    ...warnings.map(warningLine),
    '',
  ].join('\n')
}

function exportText({ name, sent, refused, removed }: GateStatus['export'][number]): string {
  const dropped = refused + removed === 0 ? '' : ` and ${refused + removed} dropped`
  return `${name}: ${sent} sent${dropped}`
}

/** Formats the line about rules. A workspace's rules are loaded with its first event. */
export function rulesLine(rules: GateStatus['rules']): string {
  const text =
    typeof rules === 'number' ? `${rules} everywhere; a workspace's own rules are added within it` : rules.problem
  return `  rules      ${text}`
}

export const warningLine = (warning: string): string => `  warning    ${warning}`

function durationText(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  if (seconds < 120) return `${seconds} s`
  return seconds < 7200 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3600)} h`
}

/** Prints the status of one agent. */
export async function printAgentStatus(
  agent: KnownAgent,
  invocation: Pick<Invocation, 'env' | 'cwd'>,
  asJson: boolean,
): Promise<CommandOutput> {
  const { agentReports } = await import('../../install/gate-report.ts')
  const { reports, here } = await agentReports([agent], installContextFor(invocation))
  const protection = here.protection ?? null
  const all = reports.map(({ status }) => status)
  const text = asJson
    ? all.map((status) => jsonText({ ...status, protection }, 2))
    : [linesText(ruleLines(here)), ...all.map(agentText)]
  return printed(text.join(''), isProtecting(here) && reports.every(({ isCovered }) => isCovered) ? 0 : 1)
}

/** Prints the status of every agent; those that are not registered are named in one line. */
async function printAllStatuses(invocation: Pick<Invocation, 'env' | 'cwd'>, asJson: boolean): Promise<CommandOutput> {
  const { agentReports } = await import('../../install/gate-report.ts')
  const { reports, here } = await agentReports(agentNames, installContextFor(invocation))
  const protection = here.protection ?? null
  const present = reports.filter(({ status }) => !isAbsent(status))
  const isSound = isProtecting(here) && present.length > 0 && present.every(({ isCovered }) => isCovered)
  const exitCode = isSound ? 0 : 1
  if (asJson) {
    const agents = reports.map(({ status }) => status)
    return printed(jsonText({ protection, agents }, 2), exitCode)
  }
  const first = linesText(ruleLines(here))
  const absent = reports.filter(({ status }) => isAbsent(status)).map(({ status }) => status.agent)
  const others = absent.length === 0 ? [] : [`${explainedColumn('not registered: ', absent.join(', '))}\n`]
  const next = present.length === 0 ? ['next: `hookgate init`\n'] : []
  return printed([first, ...present.map(({ status }) => agentText(status)), ...others, ...next].join(''), exitCode)
}

const isAbsent = ({ scopes }: AgentStatus) => scopes.every(({ state }) => state === 'absent')

function agentText(status: AgentStatus): string {
  const { agent, calls, scopes, obstacles, held, notes } = status
  return [
    `${titleOf(agent)} ${calls ? 'asks hookgate' : 'does not ask hookgate'}`,
    ...obstacles.map((obstacle) => `  but ${obstacle}`),
    ...scopes.flatMap(scopeText),
    ...held.map((code) => `  ${code}`),
    ...notes.map((note) => `  ${note}`),
    ...(isAbsent(status) ? [`next: \`hookgate enable ${agent}\``] : []),
  ]
    .map((line) => `${printable(line)}\n`)
    .join('')
}

/** Returns why an agent does not ask hookgate at every event that has rules. */
export function reportedWhy({ scopes, obstacles, notes }: AgentStatus): readonly string[] {
  const broken = scopes.filter(({ state }) => state === 'broken' || state === 'unproved')
  const silent = broken.flatMap(({ canaries }) => canaries.flatMap(({ problem }) => problem ?? []))
  const why = [...obstacles, ...broken.flatMap(({ problems }) => problems), ...silent]
  return why.length > 0 ? why : notes
}

function scopeText(status: ScopeStatus): readonly string[] {
  const { scope, place, state, events, canaries, problems } = status
  const at = events.length > 3 ? `${events.length} events` : events.join(', ')
  const registered = events.length === 0 ? '' : `, registered${byText[status.by ?? 'enable']} at ${at}`
  const what = state === 'absent' ? 'not registered' : `${state}${registered}`
  return [
    `  ${scope.padEnd(8)} ${place}: ${what}`,
    ...canaries.map(({ way, answered, by, durationMs, problem }) =>
      answered
        ? `           answered in ${durationMs} ms by ${by === 'gate' ? 'the resident gate' : 'a separate process'}: ${way}`
        : `           no answer from ${way}: ${problem}`,
    ),
    ...problems.map((problem) => `           ${problem}`),
  ]
}

/** Prints how far an administrator's registration binds the agents, and what is open. */
async function printManagedStatus(
  names: readonly string[],
  invocation: Pick<Invocation, 'env' | 'cwd'>,
  asJson: boolean,
): Promise<CommandOutput> {
  const wanted: readonly KnownAgent[] = [...new Set(names.map((name) => agentOf(name)))]
  const cwd = workingFolder(invocation) ?? '/'
  const context = installContextFor({ env: invocation.env, cwd })
  const { managedStatus } = await import('../../install/index.ts')
  const status = await managedStatus(wanted, context)
  const rules = await managedRules(await rulesAt({ env: invocation.env, cwd }, []))
  const isSound = status.sound && rules.holes.length === 0
  const exitCode = isSound ? 0 : 1
  const looked = { home: context.home, folder: cwd }
  if (!asJson) return printed(managedText(status, rules, looked), exitCode)
  const report = { version: version(), sound: isSound, rules, agents: status.agents, looked }
  return printed(`${JSON.stringify(report)}\n`, exitCode)
}

/** The rules that the registration enforces. */
interface ManagedRules {
  readonly files: readonly string[]
  readonly holes: readonly string[]
}

async function managedRules(here: RulesHere): Promise<ManagedRules> {
  const { loaded, wrong, unmanaged, selfProtectionOff } = here
  const files = [...new Set(loaded.filter(({ source }) => source.scope === 'managed').map(({ source }) => source.file))]
  return {
    files,
    holes: [
      ...(files.length === 0
        ? [
            'there are no managed rules: each user decides what is checked; `hookgate new managed` writes a file of them',
          ]
        : await notInForce(here)),
      ...wrong,
      ...unmanaged,
      ...(selfProtectionOff === undefined ? [] : [selfProtectionOff]),
    ],
  }
}

/** Says what managed files order and is not in force: signed rules that never came, or any rule at all. */
async function notInForce({ rules, wrong, bundle }: RulesHere): Promise<readonly string[]> {
  const { freshness, channel, problem } = bundle?.state ?? {}
  if (freshness === 'missing') return [missingText(String(channel), problem)]
  const { protectionBy } = await import('../../rules/index.ts')
  const isEmpty =
    wrong.length === 0 && protectionBy(rules.filter(({ source }) => source.scope === 'managed')) === 'none'
  return isEmpty ? ['no managed rule is in force: give the managed file a `preset`, or other rules'] : []
}

/** The user and the project whose own settings were looked at. */
interface SettingsRead {
  readonly home: string
  readonly folder: string
}

function managedText({ agents }: ManagedStatus, rules: ManagedRules, { home, folder }: SettingsRead): string {
  const widths = { title: Math.max(...agents.map(({ title }) => title.length)), class: 'user only'.length }
  const rows = agents.flatMap((report) => [
    `${report.title.padEnd(widths.title)}  ${report.class.padEnd(widths.class)}  ${stateOf(report)}`,
    ...report.holes.map(({ message, remedy }) => `  open: ${message}; ${remedy}`),
    ...(report.registered ? report.staysOpen.map((text) => `  stays open: ${text}`) : []),
  ])
  const files = rules.files.length === 0 ? 'none' : rules.files.join(', ')
  const read = [...new Set([home, folder])].join(' and ')
  const looked = `only the settings of ${read} were read: other users can run this for theirs, without root`
  return [`managed rules: ${files}`, ...rules.holes.map((hole) => `  open: ${hole}`), ...rows, looked]
    .map((line) => `${printable(line)}\n`)
    .join('')
}

function stateOf({ registered, file, knownFrom, holes }: ManagedReport): string {
  if (file === null) return 'reads no hooks of an administrator here'
  if (!registered) return holes.length === 0 ? 'not registered' : `not registered: ${file}`
  const known = knownFrom === 'documentation' ? ' (by its documentation, not tried)' : ''
  return `registered in ${file}${known}`
}

/** Formats the report in one line if there is anything to say, and a warning if decisions could not be recorded. */
export function recordLines(report: RecordReport): readonly string[] {
  const { level, file, decisions, since, bytes = 0, lost = 0, problem, verified, setAside = [] } = report
  const from = since === undefined || since === null ? '' : ` since ${dayOf(Date.parse(since))}`
  const kept = `${counted(decisions ?? 0, 'event')}${from}, ${sizeText(bytes)}: ${file}`
  const off = `off${decisions === undefined || decisions === 0 ? '' : `; there are still ${kept}`}`
  const loss = lossText(lost, problem)
  return [
    ...(level === 'off' ? [`  record     ${off}`] : decisions === undefined ? [] : [`  record     ${kept}`]),
    ...(verified === undefined || decisions === undefined ? [] : verifiedLines(verified)),
    ...setAside.map((one) => `  damaged    ${setAsideText(one)}`),
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
