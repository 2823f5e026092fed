import { type Effect, stronger } from '../../model/effect.ts'
import type { HookEvent } from '../../model/event.ts'
import type { Advice, Obligation } from '../../model/evaluation.ts'
import type { Failure } from '../../model/failure.ts'
import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts'
import { sayable } from '../../model/text.ts'
import { mismatch, wrongWord } from '../mismatch.ts'
import { said } from '../outcome.ts'
import { rewriteFor } from '../rewrite.ts'
import { adviceOf, notice } from './advice.ts'
import { withTodaysNames } from './old-names.ts'
import { continueIgnored, refusalForms } from './refusals.ts'
import { parseSpecific, type Specific, WireAnswer } from './wire-answer.ts'

/** The meaning of an object on stdout, before the exit code is considered. */
export type Reading =
  | {
      readonly kind: 'answer'
      readonly effect: Effect | undefined
      readonly reason: string | undefined
      /** `decision: block` at an event that ignores it; it still supplies the reason of a refusal by exit code. */
      readonly idleBlock: { readonly reason: string | undefined } | undefined
      readonly obligations: readonly Obligation[]
      readonly advice: readonly Advice[]
    }
  /** The answer replaces the input by one that the calling agent has no fields for. */
  | { readonly kind: 'untranslatable' }
  | {
      readonly kind: 'failed'
      readonly failure: Failure
      /** Claude Code honours `decision: block` even beside a `hookSpecificOutput` for another event. */
      readonly block: { readonly reason: string | undefined } | undefined
    }

export function readAnswer(event: HookEvent, sent: JsonObject, printed: JsonObject): Reading {
  const { object, notices } = withTodaysNames(printed)
  const parsed = WireAnswer.safeParse(object, { reportInput: true })
  if (!parsed.success) return bad(mismatch(parsed.error.issues))
  const answer = parsed.data

  const output = answer.hookSpecificOutput ?? { hookEventName: event.name }
  if (output['hookEventName'] !== event.name) {
    const why = wrongWord(['hookSpecificOutput', 'hookEventName'], event.name, output['hookEventName'])
    const named = output['hookEventName'] !== undefined
    return bad(why, named && answer.decision === 'block' ? { reason: said(answer.reason) } : undefined)
  }
  const inner = parseSpecific(event.name, output)
  if (!inner.success) return bad(mismatch(inner.error.issues, ['hookSpecificOutput']))

  const { effect, reason } = decisionOf(event, answer, inner.data)
  const obligations = obligationsOf(event, sent, answer, inner.data, effect)
  if (obligations === undefined) return { kind: 'untranslatable' }
  return {
    kind: 'answer',
    effect,
    reason,
    idleBlock: answer.decision === 'block' && effect !== 'deny' ? { reason: said(answer.reason) } : undefined,
    obligations,
    advice: [...adviceOf(event, answer, inner.data), ...notices.map(notice)],
  }
}

const bad = (message: string, block?: { reason: string | undefined }): Reading => ({
  kind: 'failed',
  failure: { code: 'badOutput', message },
  block,
})

interface Decided {
  readonly effect: Effect | undefined
  readonly reason: string | undefined
}
const undecided: Decided = { effect: undefined, reason: undefined }

function decisionOf(event: HookEvent, answer: WireAnswer, specific: Specific): Decided {
  switch (refusalForms[event.name]) {
    case 'permissionDecision':
      return permission(event, answer, specific)
    case 'behavior':
      return specific.decision === undefined
        ? undecided
        : { effect: specific.decision.behavior, reason: said(specific.decision.message) }
    case 'action':
      if (specific.action === undefined) return undecided
      return { effect: specific.action === 'accept' ? 'allow' : 'deny', reason: said(answer.reason) }
    case 'block':
      return answer.decision === 'block' ? { effect: 'deny', reason: said(answer.reason) } : undecided
    case 'exitCode':
    case 'none':
      return undecided
  }
}

/** Combines both ways to express a permission: the stronger one counts (measured for both mixtures). */
function permission(event: HookEvent, answer: WireAnswer, specific: Specific): Decided {
  const modern: Decided = { effect: specific.permissionDecision, reason: said(specific.permissionDecisionReason) }
  const legacy = legacyEffect(event, answer)
  if (legacy === undefined) return modern
  const old: Decided = { effect: legacy, reason: said(answer.reason) }
  if (modern.effect === undefined) return old
  if (modern.effect === old.effect) return { effect: old.effect, reason: modern.reason ?? old.reason }
  return stronger(modern.effect, legacy) === legacy ? old : modern
}

function legacyEffect({ name }: HookEvent, { decision }: WireAnswer): Effect | undefined {
  if (decision === 'block') return 'deny'
  return decision === 'approve' && name === 'PreToolUse' ? 'allow' : undefined
}

/**
 * Returns the obligations of an answer.
 *
 * @returns undefined if a rewrite cannot be translated for the calling agent
 */
function obligationsOf(
  event: HookEvent,
  sent: JsonObject,
  answer: WireAnswer,
  specific: Specific,
  effect: Effect | undefined,
): readonly Obligation[] | undefined {
  const obligations: Obligation[] = []
  const updated = specific.updatedInput ?? specific.decision?.updatedInput
  // The input of a refused call is not replaced.
  if (updated !== undefined && effect !== 'deny') {
    const input = inputFor(event, sent, updated)
    if (input === undefined) return undefined
    obligations.push({ kind: 'replaceInput', input })
  }
  const output = newOutput(event, specific)
  if (output !== undefined) obligations.push({ kind: 'replaceOutput', output })
  if (answer.continue === false && !continueIgnored.has(event.name)) {
    obligations.push({ kind: 'stop', reason: sayable(answer.stopReason ?? '') })
  }
  return obligations
}

function inputFor(event: HookEvent, sent: JsonObject, updated: JsonObject): JsonObject | undefined {
  const { tool_name: toolName, tool_input: toolInput } = sent
  if (event.action === undefined || typeof toolName !== 'string') return undefined
  const sentInput = isJsonObject(toolInput) ? toolInput : {}
  return rewriteFor(event.agent, event.action, { agent: 'claude-code', toolName, sent: sentInput, updated })
}

/** Returns the new output. `updatedMCPToolOutput` is older, and affects only MCP tools. */
function newOutput({ action }: HookEvent, specific: Specific): Json | undefined {
  if (specific.updatedToolOutput !== undefined) return specific.updatedToolOutput
  return action?.tool === 'mcp' ? specific.updatedMCPToolOutput : undefined
}
