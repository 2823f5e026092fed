import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { agentNames, titleOf } from '../../agents/registry.ts'
import { byHand } from '../../changes/change.ts'
import { homeFolder } from '../../files/home-folder.ts'
import { presetNames } from '../../files/policy-files.ts'
import { HookgateError } from '../../model/errors.ts'
import { limits } from '../../model/limits.ts'
import type { DecisionFilter } from '../../record/filter.ts'
import { startThread } from '../../record/own-thread.ts'
import type { ReplayQuestion } from '../../review/replay/question.ts'
import { findSessions, sessionFolders } from '../../review/replay/session-files.ts'
import { momentOf } from '../../words/moment.ts'
import type { ReplayMessages, ReplayPart, ReplayThreadData } from '../replay-thread.ts'
import { answering, Folder, type PageContext, streaming } from '../route.ts'

/** A call that a replay has found, which may be in the record. */
const FoundCall = z.strictObject({
  agent: z.string(),
  subject: z.string(),
  /** The row, if the record was replayed. */
  seq: z.int().positive().optional(),
})

/** Lists what can be replayed and by which rules, and runs one replay at a time. */
export function replayRoutes({ env, places, record }: PageContext) {
  const home = () => homeFolder(env['HOME'])
  let running: { readonly signal: AbortSignal; readonly ended: Promise<void> } | undefined

  async function* runAlone(asked: ReplayAsked, signal: AbortSignal): AsyncIterable<ReplayPart> {
    // One that was stopped has to remove what it wrote.
    if (running?.signal.aborted === true) await running.ended
    if (running !== undefined) throw isRunning()
    const { promise: ended, resolve: setEnded } = Promise.withResolvers<void>()
    running = { signal, ended }
    try {
      const question = questionOf(asked, home(), Date.now())
      yield* runOnThread({ question, site: { cwd: asked.cwd, env, places } }, signal)
    } finally {
      running = undefined
      setEnded()
    }
  }

  return {
    replaySources: answering(z.strictObject({}), async () => {
      const site = { home: home(), env, platform: process.platform }
      const sources = await findSessions(site)
      const files = sources.filter((one) => one.kind === 'session')
      const folders = await sessionFolders(site)
      return {
        agents: [...Map.groupBy(files, ({ agent }) => agent ?? '')].map(([agent, own]) => ({
          agent,
          title: titleOf(agent),
          files: own.length,
          bytes: own.reduce((total, { bytes }) => total + bytes, 0),
        })),
        /** The folders in which sessions are looked for. */
        folders: [
          ...new Map(
            folders.map(({ agent, folder }) => [`${agent} ${folder}`, { title: titleOf(agent), folder }]),
          ).values(),
        ],
        isRecorded: record.look().reader !== undefined,
        presets: presetNames(),
      }
    }),

    /** The same by hand. */
    replayLine: answering(ReplayAsked, (asked) => ({ line: byHand(replayLine(asked, home())) })),

    replay: streaming(ReplayAsked, runAlone),

    /** The newest recorded decision about the same. */
    recordedCall: answering(FoundCall, ({ agent, subject, seq }) => {
      const { reader } = record.look()
      const filter: DecisionFilter =
        seq === undefined ? { agent, text: subject } : { afterSeq: seq - 1, beforeSeq: seq + 1 }
      const rows = reader === undefined ? [] : [...reader.rows(filter, rowsLookedAt)].toReversed()
      const found = rows.find((row) => seq !== undefined || row.record.subject === subject)
      return { id: found?.record.id ?? null }
    }),
  }
}

/** A command that is part of others may have many newer rows; then the decision is not found. */
const rowsLookedAt = 200

const isRunning = () =>
  new HookgateError('unavailable', 'another replay is running', {
    remedy: 'wait for it, or stop it in the tab that began it',
  })

/** Paths of one replay, typed by a person. */
const pageReplayPathsMax = 50

/** A value of a command line. No argument of a program can hold a NUL. */
const Word = z
  .string()
  .trim()
  .min(1)
  .max(limits.pageWordCharactersMax)
  .refine((text) => !text.includes('\0'), 'it has a NUL character')

const Paths = z.array(Word).min(1).max(pageReplayPathsMax)

/** The options of a replay that the page offers. None runs a hook or writes a file. */
export const ReplayAsked = z.strictObject({
  /** The project that the page looks at, in which the command runs. */
  cwd: Folder,
  calls: z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('sessions'),
      /** Empty for the sessions of all agents. */
      agents: z.array(z.string().pipe(z.enum(agentNames, 'there is no such agent'))),
    }),
    z.strictObject({ kind: z.literal('record') }),
    z.strictObject({ kind: z.literal('files'), paths: Paths }),
  ]),
  /** The time of the first call to replay, in the command's own format. */
  since: Word.refine((text) => momentOf(text, 0) !== undefined, 'it is no time').optional(),
  /** True for only the calls in this project. */
  isOfProject: z.boolean(),
  rules: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('current') }),
    z.strictObject({ kind: z.literal('preset'), name: z.string().refine((name) => presetNames().includes(name)) }),
    z.strictObject({ kind: z.literal('files'), paths: Paths }),
  ]),
  against: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('nothing') }),
    z.strictObject({ kind: z.literal('current') }),
    z.strictObject({ kind: z.literal('files'), paths: Paths }),
    z.strictObject({ kind: z.literal('git'), revision: Word }),
  ]),
})

export type ReplayAsked = z.output<typeof ReplayAsked>

/**
 * Returns what a request asks. All paths are made absolute, since the page's process is in another folder.
 *
 * @param home what `~/` stands for
 */
export function questionOf(asked: ReplayAsked, home: string, nowMs: number): ReplayQuestion {
  const { cwd, calls, since, isOfProject, rules, against } = asked
  const whole = (paths: readonly string[]) => paths.map((path) => resolve(cwd, withHome(path, home)))
  return {
    sources: calls.kind === 'files' ? whole(calls.paths) : [],
    from: calls.kind === 'record' ? 'record' : 'sessions',
    agents: calls.kind === 'sessions' && calls.agents.length > 0 ? calls.agents : undefined,
    sinceMs: (since === undefined ? undefined : momentOf(since, nowMs)) ?? Number.NEGATIVE_INFINITY,
    untilMs: Number.POSITIVE_INFINITY,
    project: isOfProject ? resolve(cwd) : undefined,
    rules: rules.kind === 'files' ? whole(rules.paths) : undefined,
    preset: rules.kind === 'preset' ? rules.name : undefined,
    against: against.kind === 'files' ? whole(against.paths) : undefined,
    againstGit: against.kind === 'git' ? against.revision : undefined,
    againstCurrent: against.kind === 'current',
    runHooks: false,
    limit: limits.replayFindingsMax,
  }
}

const withHome = (path: string, home: string) => (path.startsWith('~/') ? `${home}${path.slice(1)}` : path)

/**
 * Returns the command line that does the same by hand. Each value is in the word of its flag, and paths come after `--`, so none
 * becomes another flag.
 *
 * @param home what `~/` stands for, since no shell reads the line
 */
export function replayLine({ cwd, calls, since, isOfProject, rules, against }: ReplayAsked, home: string): string[] {
  const whole = (path: string) => withHome(path, home)
  return [
    'replay',
    ...(calls.kind === 'record' ? ['--from=record'] : []),
    ...(calls.kind === 'sessions' ? flagged('agent', calls.agents) : []),
    ...(since === undefined ? [] : flagged('since', [since])),
    ...(isOfProject ? flagged('project', [cwd]) : []),
    ...(rules.kind === 'preset' ? flagged('preset', [rules.name]) : []),
    ...(rules.kind === 'files' ? flagged('rules', rules.paths.map(whole)) : []),
    ...(against.kind === 'current' ? ['--against-current'] : []),
    ...(against.kind === 'files' ? flagged('against', against.paths.map(whole)) : []),
    ...(against.kind === 'git' ? flagged('against-git', [against.revision]) : []),
    // A path that is only a dash would be stdin.
    ...(calls.kind === 'files' ? ['--', ...calls.paths.map((path) => (path === '-' ? './-' : whole(path)))] : []),
  ]
}

const flagged = (flag: string, values: readonly string[]) => values.map((value) => `--${flag}=${value}`)

/** How long a replay that is stopped may take to remove what it wrote, ms. */
const pageReplayEndMs = 3000

/** The memory of a replay's young and old objects, MB: as much as Node gives a process of its own. */
const pageReplayHeapMb = [64, 2048] as const

type Arrived = ReplayMessages['from']

/**
 * Runs a replay on a thread of its own, which ends when `signal` is aborted.
 *
 * @throws HookgateError with what the replay said, if it made no report
 */
async function* runOnThread({ question, site }: ReplayThreadData, signal: AbortSignal): AsyncIterable<ReplayPart> {
  const arrived: Arrived[] = []
  let wake: (() => void) | undefined
  const { promise: over, resolve: setOver } = Promise.withResolvers<void>()
  const arrive = (one: Arrived) => {
    arrived.push(one)
    if (one.kind !== 'progress') setOver()
    wake?.()
  }
  const thread = startThread<ReplayMessages>(
    {
      entry: 'ui/replay-thread',
      name: 'hookgate-replay',
      workerData: { question, site: { ...site, env: { ...site.env } } } satisfies ReplayThreadData,
      heapMb: pageReplayHeapMb,
      env: site.env,
    },
    arrive,
    (why = 'the replay ended without a report') => arrive({ kind: 'failed', code: 'unavailable', message: why }),
  )
  const stop = () => thread.post('stop')
  signal.addEventListener('abort', stop)
  try {
    if (signal.aborted) stop()
    for (;;) {
      const one = arrived.shift()
      // oxlint-disable-next-line no-await-in-loop -- one message after the other
      if (one === undefined) await new Promise<void>((go) => (wake = go))
      else if (one.kind === 'failed') throw new HookgateError(one.code, one.message, one)
      else if (signal.aborted) return
      else yield one
      if (one?.kind === 'report') return
    }
  } finally {
    signal.removeEventListener('abort', stop)
    // It removes what it wrote first.
    stop()
    await Promise.race([over, sleep(pageReplayEndMs, undefined, { ref: false })])
    await thread.terminate()
  }
}
