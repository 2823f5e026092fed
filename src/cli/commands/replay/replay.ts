import { writeFileSync } from 'node:fs'
import { agentList } from '../../args/flags.ts'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { styleText } from 'node:util'
import { codeOf, HookgateError } from '../../../model/errors.ts'
import { limits } from '../../../model/limits.ts'
import { type JunitCase, junitText } from '../../../review/replay/junit.ts'
import { replay } from '../../../review/replay/replay.ts'
import { type ReplayReport, type ReportedFinding, reportOf } from '../../../review/replay/report.ts'
import { ReplayTally } from '../../../review/replay/tally.ts'
import { explainedColumn } from '../../text/layout.ts'
import { type Command, type CommandOutput, type Invocation, jsonText, type Paint, usage } from '../../command.ts'
import { type FailOn, type ReplayFlags, replayFlags } from './flags.ts'
import { acceptedBy, openInput } from './inputs.ts'
import { showProgress } from './progress.ts'
import { reportText, type RulesNames } from './report-text.ts'
import { openRuleSets } from './rule-sets.ts'

/** Findings that are shown to a person: some screens. A program gets all. */
const shownFindings = 40

export const replayCommand: Command = {
  summary: 'decide past tool calls by the rules of today, or by two sets of rules, and show the difference',
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
  --progress json       meanwhile, lines of JSON on stderr: calls decided, bytes read, and bytes in all (0: not known)
  --junit FILE          write a JUnit report, in which the commands that --fail-on names fail; - is stdout

Files, branches and the environment are as of now, and so is the time: a call that depends on them is marked. Secrets in
commands and reasons are masked. Lines that cannot be read are counted and named. Ctrl-C ends it early, with what was
found so far.

  hookgate replay --since 30d
  hookgate replay --against-git origin/main --fail-on refused sessions/
`,
  async run(invocation) {
    const flags = replayFlags(invocation.argv, invocation.cwd, Date.now())
    const input = await openInput(flags, invocation)
    const sets = await openRuleSets(flags, invocation)
    const tally = new ReplayTally()
    const interrupt = interruptible()
    const stopProgress = showProgress(tally, input.read, process.stderr, flags.progress)
    const startedAtMs = performance.now()
    try {
      const whole = replay(input.items, tally, {
        now: sets.now,
        before: sets.before,
        accepts: acceptedBy(flags),
        atOnce: limits.replayCallsAtOnce * availableParallelism(),
        signal: interrupt.signal,
      })
      await Promise.race([whole, interrupt.interrupted])
      const report = reportOf(tally, {
        isCompared: sets.before !== undefined,
        isPartial: interrupt.signal.aborted,
        limit: flags.limit ?? (flags.json || flags.junit !== undefined ? limits.replayFindingsMax : shownFindings),
        seconds: (performance.now() - startedAtMs) / 1000,
      })
      stopProgress()
      return outputOf(report, flags, sets.names, invocation)
    } finally {
      stopProgress()
      interrupt.end()
      sets.end()
    }
  },
}

/** Turns the signals that end a program into the end of the replay, once: a second one ends the program. */
function interruptible() {
  const abort = new AbortController()
  const { promise: interrupted, resolve: interruptNow } = Promise.withResolvers<void>()
  const onSignal = () => {
    abort.abort()
    interruptNow()
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const signal of signals) process.once(signal, onSignal)
  return {
    signal: abort.signal,
    interrupted,
    end: () => signals.forEach((signal) => process.off(signal, onSignal)),
  }
}

/** The exit code of a program that Ctrl-C ended, by the shells' convention. */
const interruptedCode = 130

function outputOf(report: ReplayReport, flags: ReplayFlags, names: RulesNames, { cwd }: Invocation): CommandOutput {
  if (report.calls === 0 && !report.partial && report.unreadable.length === 0) throw noCalls(flags)
  const failOn = flags.failOn ?? 'refused'
  const failure = flags.failOn && failureOf(report, flags.failOn)
  const xml = flags.junit === undefined ? '' : junitText(junitCases(report, failOn), report.seconds)
  if (flags.junit !== undefined && flags.junit !== '-') writeReport(resolve(cwd, flags.junit), xml)
  const stdout =
    flags.junit === '-'
      ? xml
      : flags.json
        ? jsonText(report, 2)
        : reportText(report, { ...names, place: flags.from === 'record' ? 'row' : 'line' }, paint)
  return {
    stdout,
    stderr: failure === undefined ? '' : `hookgate: --fail-on ${failOn}: ${failure}\n`,
    exitCode: report.partial ? interruptedCode : failure === undefined ? 0 : 1,
  }
}

const paint: Paint = (style, text) => styleText(style, text, { stream: process.stdout })

const noCalls = ({ sources, from }: ReplayFlags) =>
  usage(
    from === 'stdin'
      ? 'there is no tool call on stdin'
      : from === 'record'
        ? 'there is no tool call in the record that the options let through'
        : `there is no tool call in ${sources.length === 0 ? 'the sessions that were found' : sources.join(', ')} that the options let through`,
    'replay',
  )

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
