import { resolve } from 'node:path'
import { z } from 'zod'
import { agentNames } from '../agents/registry.ts'
import { presetNames } from '../files/policy-files.ts'
import { limits } from '../model/limits.ts'
import type { ReplayQuestion } from '../review/replay/question.ts'
import { momentOf } from '../words/moment.ts'
import { Folder } from './asked.ts'

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
