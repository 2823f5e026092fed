import { resolve } from 'node:path'
import { presetNames } from '../../../files/policy-files.ts'
import { limits } from '../../../model/limits.ts'
import { choiceOf, quoted } from '../../../model/text.ts'
import { checkRules, type ReplayQuestion } from '../../../review/replay/question.ts'
import type { ReplayProgress } from '../../../review/replay/report.ts'
import { agentOf, choiceIn, momentIn, parseFlags } from '../../args/flags.ts'
import { usage } from '../../command.ts'

const flags = {
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
  const { values, positionals } = parseFlags('replay', argv, flags, true)
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
