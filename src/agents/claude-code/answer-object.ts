import type { EventName, HookEvent } from '../../model/event.ts'
import { type JsonObject, picked } from '../../model/json.ts'
import type { Verdict } from '../../model/verdict.ts'
import type { SupportedVerdict } from '../supported-verdict.ts'
import { refusalForms } from './refusals.ts'
import { specificFields } from './wire-answer.ts'

/** Encodes a verdict as a JSON object; returns `undefined` if there is nothing to say in one. */
export function answerObject(event: HookEvent, verdict: Verdict, supported: SupportedVerdict): JsonObject | undefined {
  const { decision, reason, stop, notices } = supported
  const form = refusalForms[event.name]
  const specific = { ...decided(event, verdict, supported), ...besides(event, verdict, supported) }
  const object = {
    ...(stop !== undefined && { continue: false, ...(stop !== '' && { stopReason: stop }) }),
    ...(notices.length > 0 && { systemMessage: notices.join('\n') }),
    ...picked(verdict.agentFields, topLevelFields(event.name)),
    // Where only the exit code refuses, Claude Code still reads the reason from here.
    ...(decision === 'deny' && (form === 'block' || form === 'exitCode') && { decision: 'block', reason }),
    ...(Object.keys(specific).length > 0 && {
      hookSpecificOutput: { hookEventName: event.name, ...specific },
    }),
  }
  return Object.keys(object).length === 0 ? undefined : object
}

/** Encodes the decision for events that do not use `decision: block`. */
function decided(
  event: HookEvent,
  { decision: wanted, agentFields }: Verdict,
  supported: SupportedVerdict,
): JsonObject {
  const { decision, reason, replaceInput } = supported
  switch (refusalForms[event.name]) {
    case 'permissionDecision':
      return {
        ...(decision !== 'abstain' && {
          permissionDecision: decision,
          ...(reason !== '' && { permissionDecisionReason: reason }),
        }),
        ...(replaceInput && { updatedInput: replaceInput }),
      }
    case 'behavior':
      if (decision === 'deny') {
        return { decision: { behavior: 'deny', message: reason, ...picked(agentFields, ['interrupt']) } }
      }
      if (decision !== 'allow') return {}
      return {
        decision: {
          behavior: 'allow',
          ...(replaceInput && { updatedInput: replaceInput }),
          ...picked(agentFields, ['updatedPermissions']),
        },
      }
    case 'action':
      if (decision === 'deny') return { action: agentFields['action'] === 'cancel' ? 'cancel' : 'decline' }
      // An allow by a rule that did not fill in the form leaves the form to the user.
      if (wanted !== 'allow' || agentFields['action'] !== 'accept') return {}
      return picked(agentFields, ['action', 'content'])
    case 'block':
    case 'exitCode':
    case 'none':
      return {}
  }
}

function besides(
  { name }: HookEvent,
  { agentFields }: Verdict,
  { context, replaceOutput }: SupportedVerdict,
): JsonObject {
  return {
    ...(context !== '' && specificFields[name].includes('additionalContext') && { additionalContext: context }),
    ...(replaceOutput && { updatedToolOutput: replaceOutput.output }),
    ...picked(agentFields, passedOn(name)),
  }
}

/** Lists fields for Claude Code that this event has no place for, one line each: they are dropped, but reported. */
export function misplacedFields({ name }: HookEvent, { agentFields }: Verdict): readonly string[] {
  const fields = Object.keys(agentFields)
  if (fields.length === 0) return []
  const placed = new Set([...topLevelFields(name), ...passedOn(name), ...decisionFields[refusalForms[name]]])
  return fields
    .filter((field) => !placed.has(field))
    .map((field) => `a field \`${field}\`, which claude-code does not know at ${name}`)
}

const decisionFields: Readonly<Record<(typeof refusalForms)[EventName], readonly string[]>> = {
  permissionDecision: [],
  behavior: ['interrupt', 'updatedPermissions'],
  action: ['action', 'content'],
  block: [],
  exitCode: ['worktreePath'],
  none: [],
}

/**
 * Returns the extra top-level fields of an event. The stdout of `PreCompact` and `WorktreeCreate` is plain text unless
 * it refuses.
 */
function topLevelFields(name: EventName): readonly string[] {
  return name === 'PreCompact' || name === 'WorktreeCreate' ? [] : ['suppressOutput', 'terminalSequence']
}

/** Returns the event's fields that are passed on unchanged and ignored by the gate. */
function passedOn(name: EventName): readonly string[] {
  return specificFields[name].filter((field) => plainFields.has(field))
}
const plainFields: ReadonlySet<string> = new Set([
  'retry',
  'classifierContext',
  'sessionTitle',
  'suppressOriginalPrompt',
  'initialUserMessage',
  'watchPaths',
  'reloadSkills',
  'displayContent',
])
