import { resolve } from 'node:path'
import type { KnownAgent } from '../../agents/registry.ts'
import { limits } from '../../model/limits.ts'
import { quoted } from '../../model/text.ts'
import { usage } from '../command.ts'
import { agentOf, choiceIn, parseFlags } from '../flags.ts'
import { momentIn } from '../moment.ts'

const flags = {
  from: { type: 'string' },
  agent: { type: 'string', multiple: true },
  since: { type: 'string' },
  until: { type: 'string' },
  project: { type: 'string' },
  rules: { type: 'string', multiple: true },
  against: { type: 'string', multiple: true },
  'against-git': { type: 'string' },
  'run-hooks': { type: 'boolean' },
  'fail-on': { type: 'string' },
  limit: { type: 'string' },
  json: { type: 'boolean' },
  junit: { type: 'string' },
} as const

/** What makes a replay fail. */
export type FailOn = 'refused' | 'asked' | 'changed'

export interface ReplayFlags {
  /** Session files and folders; none: those of all agents. */
  readonly sources: readonly string[]
  readonly from: 'sessions' | 'record' | 'stdin'
  readonly agents: readonly KnownAgent[] | undefined
  readonly sinceMs: number
  readonly untilMs: number
  /** Absolute. */
  readonly project: string | undefined
  /** `undefined`: the rules in force. */
  readonly rules: readonly string[] | undefined
  readonly against: readonly string[] | undefined
  readonly againstGit: string | undefined
  readonly runHooks: boolean
  readonly failOn: FailOn | undefined
  /** `undefined`: what fits on a screen, or all for a program. */
  readonly limit: number | undefined
  readonly json: boolean
  /** A file, or `-`. */
  readonly junit: string | undefined
}

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
  const isCompared = values.against !== undefined || values['against-git'] !== undefined
  if (values.against !== undefined && values['against-git'] !== undefined) {
    throw usage('--against and --against-git exclude each other', 'replay')
  }
  if (failOn === 'changed' && !isCompared) throw usage('--fail-on changed needs --against or --against-git', 'replay')
  if (values.json === true && values.junit === '-') throw usage('--json and --junit - both print on stdout', 'replay')
  const agents = values.agent?.map((name) => agentOf(name))
  if (from === 'stdin' && agents !== undefined && agents.length > 1) {
    throw usage('the events on stdin are of one agent, or say which', 'replay')
  }
  return {
    sources,
    from,
    agents,
    sinceMs: momentIn('replay', 'since', values.since, nowMs) ?? Number.NEGATIVE_INFINITY,
    untilMs: momentIn('replay', 'until', values.until, nowMs) ?? Number.POSITIVE_INFINITY,
    project: values.project === undefined ? undefined : resolve(cwd, values.project),
    rules: values.rules,
    against: values.against,
    againstGit: values['against-git'],
    runHooks: values['run-hooks'] === true,
    failOn,
    limit: limitOf(values.limit),
    json: values.json === true,
    junit: values.junit,
  }
}

function limitOf(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const number = Number(value)
  if (/^\d+$/.test(value) && number <= limits.replayFindingsMax) return number
  throw usage(`--limit must be a whole number up to ${limits.replayFindingsMax}, not ${quoted(value)}`, 'replay')
}
