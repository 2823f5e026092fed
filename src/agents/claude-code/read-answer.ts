import { answersAt, parseSpecific, type Specific, WireAnswer } from './answers.ts'
import { isSkillCommand, skillCommand } from './index.ts'
import { type Effect, stronger } from '../../model/effect.ts'
import type { HookEvent } from '../../model/event.ts'
import type { Advice, Obligation } from '../../model/evaluation.ts'
import type { Failure } from '../../model/failure.ts'
import { type Json, type JsonObject, isJsonObject } from '../../model/json.ts'
import { printable, sayable } from '../../model/text.ts'
import { mismatch, wrongWord } from '../codec/mismatch.ts'
import { said } from '../codec/outcome.ts'
import { rewriteFor } from '../codec/rewrite.ts'
import { withTodaysNames } from './old-names.ts'

/** The meaning of an object on stdout, before the exit code is considered. */
export type AnswerReading =
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
      /** Set if it names another event. */
      readonly ofOtherEvent: boolean
    }

export function readAnswer(event: HookEvent, sent: JsonObject, printed: JsonObject): AnswerReading {
  const { object, notices } = withTodaysNames(printed)
  const parsed = WireAnswer.safeParse(object, { reportInput: true })
  if (!parsed.success) return bad(mismatch(parsed.error.issues))
  const answer = parsed.data

  const named = answer.hookSpecificOutput ?? { hookEventName: event.name }
  const isOwnName = isSkillCommand(event) && named['hookEventName'] === skillCommand
  const output = isOwnName ? { ...named, hookEventName: event.name } : named
  if (output['hookEventName'] !== event.name) {
    const why = wrongWord(['hookSpecificOutput', 'hookEventName'], event.name, output['hookEventName'])
    const isNamed = output['hookEventName'] !== undefined
    return {
      ...bad(why, isNamed && answer.decision === 'block' ? { reason: said(answer.reason) } : undefined),
      ofOtherEvent: isNamed,
    }
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

const bad = (message: string, block?: { reason: string | undefined }): Extract<AnswerReading, { kind: 'failed' }> => ({
  kind: 'failed',
  failure: { code: 'badOutput', message },
  block,
  ofOtherEvent: false,
})

interface Decided {
  readonly effect: Effect | undefined
  readonly reason: string | undefined
}
const undecided: Decided = { effect: undefined, reason: undefined }

function decisionOf(event: HookEvent, answer: WireAnswer, specific: Specific): Decided {
  switch (answersAt[event.name].refusal) {
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
  if (answer.continue === false && answersAt[event.name].ignoresContinue !== true) {
    obligations.push({ kind: 'stop', reason: sayable(answer.stopReason ?? '') })
  }
  return obligations
}

function inputFor(event: HookEvent, sent: JsonObject, updated: JsonObject): JsonObject | undefined {
  const { tool_name: toolName, tool_input: toolInput } = sent
  if (event.tool === undefined || typeof toolName !== 'string') return undefined
  const sentInput = isJsonObject(toolInput) ? toolInput : {}
  return rewriteFor(event.agent, event.tool, { agent: 'claude-code', toolName, sent: sentInput, updated })
}

/** Returns the new output. `updatedMCPToolOutput` is older, and affects only MCP tools. */
function newOutput({ tool }: HookEvent, specific: Specific): Json | undefined {
  if (specific.updatedToolOutput !== undefined) return specific.updatedToolOutput
  return tool?.kind === 'mcp' ? specific.updatedMCPToolOutput : undefined
}

export const notice = (text: string): Advice => ({ kind: 'notice', text: sayable(text) })
export const context = (text: string): Advice => ({ kind: 'addContext', text: printable(text) })

export function agentField(field: string, value: Json): Advice {
  return { kind: 'agentField', agent: 'claude-code', field, value }
}

/** Returns the advice in an answer, apart from its decision and obligations. */
function adviceOf(event: HookEvent, answer: WireAnswer, specific: Specific): readonly Advice[] {
  const advice: Advice[] = []
  if (specific.additionalContext?.trim()) advice.push(context(specific.additionalContext))
  if (answer.systemMessage?.trim()) advice.push(notice(answer.systemMessage))
  if (answer.continue === false && answersAt[event.name].ignoresContinue === true) {
    advice.push(notice(`\`continue: false\` has no effect at ${event.name}`))
  }
  for (const [field, value] of fieldsForClaudeCode(answer, specific)) {
    if (value !== undefined) advice.push(agentField(field, value))
  }
  return advice
}

/** Returns the fields that only Claude Code can use. */
function fieldsForClaudeCode(answer: WireAnswer, specific: Specific): readonly (readonly [string, Json | undefined])[] {
  const { decision } = specific
  return [
    ['suppressOutput', answer.suppressOutput],
    // Passed on with its control bytes, which are its purpose. It stays JSON, and Claude Code accepts only titles,
    // notifications and the bell.
    ['terminalSequence', answer.terminalSequence],
    ['retry', specific.retry],
    ['classifierContext', clean(specific.classifierContext)],
    ['sessionTitle', clean(specific.sessionTitle)],
    ['suppressOriginalPrompt', specific.suppressOriginalPrompt],
    ['initialUserMessage', clean(specific.initialUserMessage)],
    ['watchPaths', specific.watchPaths],
    ['reloadSkills', specific.reloadSkills],
    ['displayContent', clean(specific.displayContent)],
    // A decline is this event's refusal, which is passed on as `deny`.
    ['action', specific.action === 'decline' ? undefined : specific.action],
    ['content', specific.action === 'accept' ? specific.content : undefined],
    ['worktreePath', clean(specific.worktreePath)],
    ['updatedPermissions', decision?.behavior === 'allow' ? decision.updatedPermissions : undefined],
    ['interrupt', decision?.behavior === 'deny' ? decision.interrupt : undefined],
  ]
}

const clean = (text: string | undefined) => (text === undefined ? undefined : printable(text))
