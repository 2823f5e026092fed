import { z } from 'zod'
import { changeKinds } from '../review/replay/difference.ts'

const Count = z.int().nonnegative()

const Answer = z.enum(['refused', 'asked', 'allowed', 'noOpinion', 'undecided'])

const Answers = z.strictObject({
  refused: Count,
  asked: Count,
  allowed: Count,
  noOpinion: Count,
  undecided: Count,
})

const Change = z.enum(changeKinds)

const Said = z.strictObject({
  answer: Answer,
  rules: z.array(z.strictObject({ id: z.string(), name: z.string(), file: z.string(), reason: z.string() })),
})

const Circumstance = z.enum(['files', 'git', 'environment', 'folder gone'])

const Causes = z.array(
  z.strictObject({
    why: z.string(),
    first: z.strictObject({ file: z.string(), line: z.number().optional() }),
    times: Count,
  }),
)

/** The output of `hookgate replay --json`. */
export const PrintedReport = z.strictObject({
  partial: z.boolean(),
  calls: Count,
  decisions: Count,
  distinctIsExact: z.boolean(),
  files: Count,
  from: z.string().nullable(),
  to: z.string().nullable(),
  agents: z.record(z.string(), Count),
  now: Answers,
  before: Answers.optional(),
  changes: z.partialRecord(Change, Count).optional(),
  rules: z.array(z.strictObject({ rule: z.string(), file: z.string(), answer: Answer, calls: Count, commands: Count })),
  findings: z.array(
    z.strictObject({
      subject: z.string(),
      agent: z.string(),
      calls: Count,
      change: Change.optional(),
      now: Said,
      before: Said.optional(),
      asOfNow: z.array(Circumstance),
      first: z.strictObject({ file: z.string(), line: z.number().optional(), cwd: z.string() }),
    }),
  ),
  findingsNotShown: Count,
  callsNotKept: Count,
  asOfNow: z.partialRecord(Circumstance, Count),
  hooksNotRun: z.record(z.string(), Count),
  unreadable: Causes,
  undecided: Causes,
  seconds: z.number(),
})

/** A line of `--progress json`. */
export const PrintedProgress = z.strictObject({ calls: Count, bytes: Count, bytesTotal: Count })

export type PrintedReport = z.output<typeof PrintedReport>
export type PrintedProgress = z.output<typeof PrintedProgress>
