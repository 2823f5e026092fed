import { z } from 'zod'
import { Decision, Effect, Severity, worst } from '../model/effect.ts'
import { EventName, type HookEvent, ToolKind } from '../model/event.ts'
import { Failure } from '../model/failure.ts'
import type { Verdict } from '../model/verdict.ts'
import { maskSecrets } from '../model/mask.ts'

/** The last moment that `Date` can hold, ms since the epoch (ECMA-262). */
const calendarMsMax = 8.64e15

/** An audit line repeats this much of a command or a path; the transcript has the rest. */
const subjectCharactersMax = 500

/** The audit line of a verdict: event, decision, determining rules and times. Secrets are masked. */
export const DecisionRecord = z.strictObject({
  /** ISO 8601, UTC. */
  at: z.string(),
  agent: z.string(),
  session: z.string(),
  event: EventName,
  tool: ToolKind.optional(),
  toolName: z.string().optional(),
  /** The command, path or URL, cut to 500 characters. */
  subject: z.string().optional(),
  decision: Decision,
  /** Names the refusal or question for `hookgate allow`. */
  id: z.string().optional(),
  reason: z.string(),
  determining: z.array(z.string()).readonly(),
  /** The worst of the rules that made the decision. */
  severity: Severity.optional(),
  /** Opinions of rules that only observe. */
  observed: z.array(z.strictObject({ ruleId: z.string(), effect: Effect, reason: z.string() })).readonly(),
  rules: z.number(),
  failures: z.array(z.strictObject({ ruleId: z.string(), failure: Failure })).readonly(),
  /** Facts that were unavailable, parts of an answer that did not count, hook output that is not read. */
  remarks: z.array(z.strictObject({ ruleId: z.string(), text: z.string() })).readonly(),
  slowest: z.strictObject({ ruleId: z.string(), durationMs: z.number() }).nullable(),
  contextBytes: z.number(),
  contextTruncatedBytes: z.number(),
})
export type DecisionRecord = Readonly<z.infer<typeof DecisionRecord>>

export function recordOf(event: HookEvent, verdict: Verdict): DecisionRecord {
  const subject = event.tool?.command ?? event.tool?.path ?? event.tool?.url
  const deciding = verdict.evaluations.filter(({ ruleId }) => verdict.determining.includes(ruleId))
  const severity = worst(deciding.flatMap((one) => one.severity ?? []))
  return {
    // An agent may send any number; a date outside the calendar must not lose the record.
    at: new Date(Math.min(Math.max(event.atMs, -calendarMsMax), calendarMsMax)).toISOString(),
    agent: event.agent,
    session: event.session.id,
    event: event.name,
    ...(event.tool && { tool: event.tool.kind, toolName: event.tool.name }),
    // Masked before it is cut: half a secret would not be recognised as one.
    ...(subject !== undefined && { subject: maskSecrets(subject).slice(0, subjectCharactersMax) }),
    decision: verdict.decision,
    ...(verdict.id !== undefined && { id: verdict.id }),
    reason: maskSecrets(verdict.reason),
    determining: verdict.determining,
    ...(severity !== undefined && { severity }),
    observed: verdict.evaluations.flatMap((one) =>
      one.observed === true && one.kind === 'applicable' && one.effect !== undefined
        ? [{ ruleId: one.ruleId, effect: one.effect, reason: maskSecrets(one.reason ?? '') }]
        : [],
    ),
    rules: verdict.evaluations.length,
    failures: verdict.evaluations.flatMap(({ ruleId, ...rest }) =>
      'failure' in rest && rest.failure !== undefined
        ? // A message quotes what a hook printed.
          [{ ruleId, failure: { code: rest.failure.code, message: maskSecrets(rest.failure.message) } }]
        : [],
    ),
    remarks: verdict.evaluations.flatMap(({ ruleId, remarks = [] }) =>
      remarks.map((text) => ({ ruleId, text: maskSecrets(text) })),
    ),
    slowest: verdict.slowest,
    contextBytes: Buffer.byteLength(verdict.context),
    contextTruncatedBytes: verdict.contextTruncatedBytes,
  }
}
