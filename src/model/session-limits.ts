/* oxlint-disable unicorn/no-thenable -- a word of the settings; nothing of it is awaited */
import { z } from 'zod'
import { Duration, StateScope } from './past.ts'
import { pastLimits } from './past-limits.ts'

/**
 * What a call over a limit gets: the person is asked, it is refused, or the agent's turn ends, where the agent can end it;
 * elsewhere it is refused.
 */
export const LimitThen = z.enum(['ask', 'deny', 'stop'])
export type LimitThen = z.infer<typeof LimitThen>

const then = LimitThen.optional().describe(
  'What a call over the limit gets: `deny` (default), `ask`, or `stop`, which ends the turn where the agent can.',
)

/** More tokens than anybody has: a limit beyond it is a mistake. */
const tokensLimitMax = 1_000_000_000_000

const Loop = z.strictObject({
  times: z.int().min(2).max(1000).describe('How often in a row, until the person says something.'),
  then,
})
const loop = z.union([z.literal(false), Loop]).optional()
export type LoopLimit = z.infer<typeof Loop>

const tokensMax = z.int().min(1).max(tokensLimitMax)
const TokensOf = z
  .strictObject({
    session: tokensMax.optional().describe('Of a session with its sub-agents.'),
    day: tokensMax.optional().describe('Of all sessions in the last 24 hours.'),
    then,
  })
  .refine(({ session, day }) => (session ?? day) !== undefined, {
    error: 'must say how many a `session` or a `day` may have',
  })

const someOf = z.union([z.string().min(1), z.array(z.string().min(1)).min(1)])
const number = z.int().min(1).max(pastLimits.stateCountMax)

const CallLimit = z
  .strictObject({
    tool: someOf.optional().describe('Kinds of tools (`fetch`, `agent`), or names: `mcp__github__*`.'),
    command: someOf.optional().describe('Shell commands by program and subcommand: `gh`, `npm publish`.'),
    host: someOf.optional().describe('Hosts that a call contacts: `*.example.com`.'),
    most: number.optional().describe('How many such calls there may be.'),
    within: Duration.optional().describe('The time in which they count: `10m`, `1d`. Default: all.'),
    scope: StateScope.optional().describe('Whose calls count together: `session` (default), `workspace` or `user`.'),
    atOnce: number.optional().describe('How many may run at the same time.'),
    then,
  })
  .refine(({ most, atOnce }) => (most === undefined) !== (atOnce === undefined), {
    error: 'must have `most` or `atOnce`, and not both',
  })
  .refine(({ tool, command, host }) => (tool ?? command ?? host) !== undefined, {
    error: 'must name a `tool`, a `command` or a `host`',
  })
  .refine(({ atOnce, within }) => atOnce === undefined || within === undefined, {
    error: 'has `within`, which counts calls, and `atOnce`, which counts those that run now',
  })
export type CallLimit = z.infer<typeof CallLimit>

/** Limits of one file: a few loops, and some dozens of tools, servers and hosts. */
const callLimitsMax = 100

/** `limits` of a rules file. */
export const SessionLimits = z.strictObject({
  refused: loop.describe('The same call is refused again and again.'),
  failed: loop.describe('The same call fails again and again, and no file is edited between.'),
  repeated: loop.describe('The same call runs again and again, and no file is edited between.'),
  tokens: z
    .union([z.literal(false), TokensOf])
    .optional()
    .describe(
      'How many tokens may be spent, by the session files of agents that say it; without those read from a cache.',
    ),
  calls: z.array(CallLimit).max(callLimitsMax).optional().describe('How many calls there may be.'),
})
export type SessionLimits = z.infer<typeof SessionLimits>
