import type { EventName, HookEvent } from '../../model/event.ts'
import type { Json, JsonObject } from '../../model/json.ts'
import type { Verdict } from '../../model/verdict.ts'
import type { Carried } from '../carry.ts'
import { refusalForms } from './refusals.ts'
import { specificFields } from './wire-answer.ts'

/** The JSON object for a verdict; `undefined` where there is nothing to say in one. */
export function answerObject(event: HookEvent, verdict: Verdict, carried: Carried): JsonObject | undefined {
  const { decision, reason, stop, notices } = carried
  const form = refusalForms[event.name]
  const specific = { ...decided(event, verdict, carried), ...besides(event, verdict, carried) }
  const object = {
    ...(stop !== undefined && { continue: false, ...(stop !== '' && { stopReason: stop }) }),
    ...(notices.length > 0 && { systemMessage: notices.join('\n') }),
    ...picked(verdict.agentFields, topLevelFields(event.name)),
    // Where only the exit code refuses, Claude Code still takes the reason from here.
    ...(decision === 'deny' && (form === 'block' || form === 'exitCode') && { decision: 'block', reason }),
    ...(Object.keys(specific).length > 0 && {
      hookSpecificOutput: { hookEventName: event.name, ...specific },
    }),
  }
  return Object.keys(object).length === 0 ? undefined : object
}

/** The decision, in the words of the events that do not say `decision: block`. */
function decided(event: HookEvent, { decision: wanted, agentFields }: Verdict, carried: Carried): JsonObject {
  const { decision, reason, replaceInput } = carried
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
      // An allow by a rule that did not fill in the form leaves it to the person.
      if (wanted !== 'allow' || agentFields['action'] !== 'accept') return {}
      return picked(agentFields, ['action', 'content'])
    case 'block':
    case 'exitCode':
    case 'none':
      return {}
  }
}

function besides({ name }: HookEvent, { agentFields }: Verdict, { context, replaceOutput }: Carried): JsonObject {
  return {
    ...(context !== '' && specificFields[name].includes('additionalContext') && { additionalContext: context }),
    ...(replaceOutput && { updatedToolOutput: replaceOutput.output }),
    ...picked(agentFields, passedOn(name)),
  }
}

/** Fields for Claude Code alone that this event has no place for, one line each: dropped, but not in silence. */
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

/** At these two, what is on stdout besides a refusal is plain text. */
function topLevelFields(name: EventName): readonly string[] {
  return name === 'PreCompact' || name === 'WorktreeCreate' ? [] : ['suppressOutput', 'terminalSequence']
}

/** The event's fields that go on as they came, and mean nothing to the gate. */
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

function picked(fields: Verdict['agentFields'], names: readonly string[]): Record<string, Json> {
  return Object.fromEntries(
    names.flatMap((name): [string, Json][] => {
      const value: Json | undefined = fields[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}
