import type { HookEvent } from '../../model/event.ts'
import type { Advice } from '../../model/evaluation.ts'
import type { Json } from '../../model/json.ts'
import { printable, sayable } from '../../model/text.ts'
import { continueIgnored } from './refusals.ts'
import type { Specific, WireAnswer } from './wire-answer.ts'

export const notice = (text: string): Advice => ({ kind: 'notice', text: sayable(text) })
export const context = (text: string): Advice => ({ kind: 'addContext', text: printable(text) })

export function agentField(field: string, value: Json): Advice {
  return { kind: 'agentField', agent: 'claude-code', field, value }
}

/** Returns the advice in an answer, apart from its decision and obligations. */
export function adviceOf(event: HookEvent, answer: WireAnswer, specific: Specific): readonly Advice[] {
  const advice: Advice[] = []
  if (specific.additionalContext?.trim()) advice.push(context(specific.additionalContext))
  if (answer.systemMessage?.trim()) advice.push(notice(answer.systemMessage))
  if (answer.continue === false && continueIgnored.has(event.name)) {
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
