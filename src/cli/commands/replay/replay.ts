import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { codeOf, HookgateError } from '../../../model/errors.ts'
import { agentList, agentOf, choiceIn, momentIn, parseFlags } from '../../args/flags.ts'
import { ownPlaces } from '../../args/own-places.ts'
import { checkRules, type ReplayQuestion, type ReplaySite } from '../../../review/replay/question.ts'
import type { ReplayProgress, ReplayReport, ReportedFinding } from '../../../review/replay/report.ts'
import type { RulesNames } from '../../../review/replay/rule-sets.ts'
import { runReplay } from '../../../review/replay/replay.ts'
import { explainedColumn, paintFor } from '../../text/layout.ts'
import { type Command, type CommandOutput, type Invocation, jsonText, usage } from '../../command.ts'
import { type JunitCase, junitText, reportText } from './report-text.ts'
import { presetNames } from '../../../files/policy-files.ts'
import { limits } from '../../../model/limits.ts'
import { choiceOf, quoted } from '../../../model/text.ts'

const flagTypes = {
  from: { type: 'string' },
  agent: { type: 'string', multiple: true },
  since: { type: 'string' },
  until: { type: 'string' },
  project: { type: 'string' },
  rules: { type: 'string', multiple: true },
  preset: { type: 'string' },
  against: { type: 'string', multiple: true },
  'against-git': { type: 'string' },
  'against-current': { type: 'boolean' },
  'run-hooks': { type: 'boolean' },
  'fail-on': { type: 'string' },
  limit: { type: 'string' },
  json: { type: 'boolean' },
  junit: { type: 'string' },
} as const

/** Results that make a replay fail. */
export type FailOn = 'refused' | 'asked' | 'changed'

export interface ReplayFlags {
  readonly question: ReplayQuestion
  readonly failOn: FailOn | undefined
  readonly json: boolean
  /** A file, or `-`. */
  readonly junit: string | undefined
}

/** Findings that are shown to a person: some screens. A program gets all. */
export const shownFindings = 40

/** @throws HookgateError `usage` */
export function replayFlags(argv: readonly string[], cwd: string, nowMs: number): ReplayFlags {
  const { values, positionals } = parseFlags('replay', argv, flagTypes, true)
  const isStdin = positionals.some((path) => path === '-')
  const from =
    choiceIn('replay', 'from', values.from, ['sessions', 'record', 'stdin']) ?? (isStdin ? 'stdin' : 'sessions')
  const sources = positionals.filter((path) => path !== '-')
  if (sources.length > 0 && (isStdin || from === 'stdin')) throw usage('it reads stdin or files, not both', 'replay')
  if (sources.length > 0 && from === 'record') throw usage('--from record reads no other files', 'replay')
  if (isStdin && from !== 'stdin') throw usage(`\`-\` is stdin, and does not go with --from ${from}`, 'replay')
  const failOn = choiceIn('replay', 'fail-on', values['fail-on'], ['refused', 'asked', 'changed'])
  const compared = (['against', 'against-git', 'against-current'] as const).filter((flag) => values[flag] !== undefined)
  if (compared.length > 1) throw usage(`--${compared.join(' and --')} exclude each other`, 'replay')
  const isCompared = compared.length > 0
  if (failOn === 'changed' && !isCompared)
    throw usage('--fail-on changed needs --against, --against-git or --against-current', 'replay')
  if (values.json === true && values.junit === '-') throw usage('--json and --junit - both print on stdout', 'replay')
  const agents = values.agent?.map((name) => agentOf(name))
  if (from === 'stdin' && agents !== undefined && agents.length > 1) {
    throw usage('the events on stdin are of one agent, or say which', 'replay')
  }
  const isWhole = values.json === true || values.junit !== undefined
  const question: ReplayQuestion = {
    sources,
    from,
    agents,
    sinceMs: momentIn('replay', 'since', values.since, nowMs) ?? Number.NEGATIVE_INFINITY,
    untilMs: momentIn('replay', 'until', values.until, nowMs) ?? Number.POSITIVE_INFINITY,
    project: values.project === undefined ? undefined : resolve(cwd, values.project),
    rules: values.rules,
    preset: presetIn(values.preset),
    against: values.against,
    againstGit: values['against-git'],
    againstCurrent: values['against-current'] === true,
    runHooks: values['run-hooks'] === true,
    limit: limitOf(values.limit) ?? (isWhole ? limits.replayFindingsMax : shownFindings),
  }
  checkRules(question)
  return { question, failOn, json: values.json === true, junit: values.junit }
}

function presetIn(name: string | undefined): string | undefined {
  const known = presetNames()
  if (name === undefined || known.includes(name)) return name
  throw usage(`--preset must be ${choiceOf(known)}, not ${quoted(name)}`, 'replay')
}

function limitOf(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const number = Number(value)
  if (/^\d+$/.test(value) && number <= limits.replayFindingsMax) return number
  throw usage(`--limit must be a whole number up to ${limits.replayFindingsMax}, not ${quoted(value)}`, 'replay')
}

/** The place in which a progress bar is drawn. */
interface ProgressTerminal {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

/** Redrawing more often than this cannot be read. */
const redrawMs = 200

/** Draws a bar, on nothing but a terminal, until the returned function is called. */
export function showProgress(progress: () => ReplayProgress, terminal: ProgressTerminal): () => void {
  if (terminal.isTTY !== true) return () => {}
  const startedAtMs = performance.now()
  const draw = () => {
    const seconds = (performance.now() - startedAtMs) / 1000
    const line = progressLine(progress(), seconds)
    terminal.write(`\r\u001b[K${line.slice(0, Math.max(0, (terminal.columns ?? 80) - 1))}`)
  }
  const timer = setInterval(draw, redrawMs)
  return () => {
    clearInterval(timer)
    terminal.write('\r\u001b[K')
  }
}

/** Formats calls, rate and the time that is left, as far as it can be known. */
export function progressLine({ calls, bytes, bytesTotal }: ReplayProgress, seconds: number): string {
  const rate = seconds > 0 ? Math.round(calls / seconds) : 0
  const counts = `${calls.toLocaleString('en')} calls, ${rate.toLocaleString('en')} a second`
  if (bytesTotal === 0) return counts
  const part = Math.min(1, bytes / bytesTotal)
  const full = Math.round(part * barWidth)
  const bar = `[${'#'.repeat(full)}${'.'.repeat(barWidth - full)}] ${Math.floor(part * 100)} %`
  if (part < leastPart) return `${bar}, ${counts}`
  return `${bar}, ${counts}, ${durationText((seconds * (1 - part)) / part)} left`
}
const barWidth = 24
/** The share of the work below which the remaining time cannot be estimated. */
const leastPart = 0.01

function durationText(seconds: number): string {
  const whole = Math.ceil(seconds)
  if (whole < 60) return `${whole} s`
  return whole < 3600 ? `${Math.ceil(whole / 60)} min` : `${(whole / 3600).toFixed(1)} h`
}

export const replayCommand: Command = {
  help: `hookgate replay: decide past tool calls by the rules of today

  hookgate replay [options] [SOURCE…]
  hookgate replay [options] - < events.jsonl

Reads the tool calls in the session files that agents keep, sub-agents' included, decides each by the rules in force,
and says what would have been refused, asked about and allowed: by rule, each distinct command once, the most frequent
first. Nothing is run, recorded or changed. SOURCE is a session file or a folder of them; without one, the sessions of
all agents are found. With \`-\`, events are read from stdin as JSON lines, as agents send them to hooks.

  --from WHERE          sessions (the default), stdin, or record: what hookgate itself has decided and recorded
${explainedColumn('  --agent NAME          ', `only the calls of this agent; repeatable: ${agentList}`)}
  --since WHEN          only calls since then: how long ago (2h, 30d, 4w), a date, or a time as ISO 8601
  --until WHEN          only calls up to then
  --project DIR         only calls made in this folder or below it
  --rules PATH          these rules instead of those in force, as \`hookgate run\` takes them; repeatable
  --preset NAME         the rules of a preset instead of those in force; \`hookgate packs\` lists them
  --against PATH        decide by these rules too, and show what the others change: newly refused, newly asked, no
                        longer refused or asked, or for another reason; repeatable
  --against-git REV     the same with the rules of this repository at a revision: those of --rules, or .hookgate/
  --against-current     with --rules or --preset: the same with the rules in force
  --run-hooks           run the hooks as well, with their effects; without it, a hook has no opinion, and is counted
  --fail-on WHAT        exit with 1 if a call is refused, or asked (or refused); with --against, if one is so newly; or
                        changed: if there is any difference
  --limit N             how many commands to show (default: ${shownFindings}; with --json and --junit all that were kept)
  --json                the report as one JSON object
  --junit FILE          write a JUnit report, in which the commands that --fail-on names fail; - is stdout

Files, branches, the environment and the time are those of today: a call that depends on them is marked. Secrets in
commands and reasons are masked. Lines that cannot be read are counted and named. Ctrl-C ends it early, with what was
found so far.

  hookgate replay --since 30d
  hookgate replay --against-git origin/main --fail-on refused sessions/
`,
  async run(invocation) {
    const flags = replayFlags(invocation.argv, invocation.cwd, Date.now())
    const interrupt = interruptible()
    try {
      const { report, names } = await runReplay(flags.question, siteOf(invocation), {
        signal: interrupt.signal,
        watch: (progress) => showProgress(progress, process.stderr),
      })
      return outputOf(report, flags, names, invocation)
    } finally {
      interrupt.end()
    }
  },
}

function siteOf({ env, cwd, stdin, openStdin }: Invocation): ReplaySite {
  return {
    env,
    cwd,
    get places() {
      return ownPlaces(env)
    },
    openStdin: openStdin ?? (() => onceRead(stdin)),
  }
}

async function* onceRead(stdin: Promise<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield await stdin
}

/** Turns the signals that end a program into the end of the replay, once: a second one ends the program. */
function interruptible() {
  const abort = new AbortController()
  const onSignal = () => abort.abort()
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const signal of signals) process.once(signal, onSignal)
  return {
    signal: abort.signal,
    end: () => signals.forEach((signal) => process.off(signal, onSignal)),
  }
}

/** The exit code of a program that Ctrl-C ended, by the shells' convention. */
const interruptedCode = 130

function outputOf(report: ReplayReport, flags: ReplayFlags, names: RulesNames, { cwd }: Invocation): CommandOutput {
  const failOn = flags.failOn ?? 'refused'
  const failure = flags.failOn && failureOf(report, flags.failOn)
  const xml = flags.junit === undefined ? '' : junitText(junitCases(report, failOn), report.seconds)
  if (flags.junit !== undefined && flags.junit !== '-') writeReport(resolve(cwd, flags.junit), xml)
  const stdout =
    flags.junit === '-'
      ? xml
      : flags.json
        ? jsonText(report, 2)
        : reportText(report, { ...names, place: flags.question.from === 'record' ? 'row' : 'line' }, paint)
  return {
    stdout,
    stderr: failure === undefined ? '' : `hookgate: --fail-on ${failOn}: ${failure}\n`,
    exitCode: report.partial ? interruptedCode : failure === undefined ? 0 : 1,
  }
}

const paint = paintFor()

function writeReport(file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch (cause) {
    throw new HookgateError('usage', `the report cannot be written: ${codeOf(cause) ?? String(cause)}`, {
      place: { file },
      remedy: 'name a file that you can write, or `-` for stdout',
      cause,
    })
  }
}

/** Says why a replay fails; `undefined` if it does not. What could not be decided may be refused, so it fails too. */
function failureOf({ now, before, changes = {}, partial }: ReplayReport, failOn: FailOn): string | undefined {
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
function junitCases(report: ReplayReport, failOn: FailOn): readonly JunitCase[] {
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
