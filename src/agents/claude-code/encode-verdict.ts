import { answersAt, type EventAnswers } from './answers.ts'
import type { Answer, ProtocolSupport } from '../../model/dialect.ts'
import type { EventName, HookEvent } from '../../model/event.ts'
import { type Json, type JsonObject, picked } from '../../model/json.ts'
import type { Verdict } from '../../model/verdict.ts'
import { type SupportedVerdict, supportedPart } from '../codec/supported-verdict.ts'
import { jsonLine, stderrLines } from '../table/dialect-by.ts'
import { claudeCode, isSkillCommand, skillCommand, support } from './index.ts'

/**
 * Encodes a verdict for Claude Code: one JSON object, or nothing, with exit code 0, or 2 for a refusal.
 *
 * Two events take plain text: `PreCompact` its instructions, `WorktreeCreate` the folder's path.
 */
export function encodeVerdict(event: HookEvent, verdict: Verdict): Answer {
  const supported = supportedPart(event, verdict, supportFor(event, verdict), claudeCode.title)
  const unexpressed = [...supported.unexpressed, ...misplacedFields(event, verdict)]
  if (supported.decision === 'deny') return refusal(event, verdict, supported, unexpressed)
  if (event.name === 'WorktreeCreate') return worktree(event, verdict, supported, unexpressed)
  const object = answerObject(event, verdict, supported)
  const stdout = event.name === 'PreCompact' ? instructions(supported.context) : jsonLine(object)
  return { stdout, stderr: stderrLines(unexpressed), exitCode: 0 }
}

/** Returns what can be expressed at an event, including what depends on the verdict. */
function supportFor(event: HookEvent, { decision, obligations }: Verdict): ProtocolSupport {
  const table = support(event)
  // A permission request accepts another input only with an allow: without one it can only be refused.
  if (event.name === 'PermissionRequest' && decision !== 'allow' && decision !== 'deny') {
    return { ...table, replaceInput: 'asDeny' }
  }
  const misfit = obligations.some(
    (obligation) => obligation.kind === 'replaceOutput' && !fits(event, obligation.output),
  )
  return misfit && table.replaceOutput === 'native' ? { ...table, replaceOutput: 'asDeny' } : table
}

/**
 * Returns whether Claude Code would accept a changed output.
 *
 * Measured: an output that does not fit a built-in tool's schema is silently dropped, so that a secret that a rule had
 * removed would be shown. The schemas are not published, but a different kind of value fits none. MCP tools have none.
 */
function fits({ tool, result }: HookEvent, output: Json): boolean {
  if (tool?.kind === 'mcp' || result?.output === undefined) return true
  return kindOf(output) === kindOf(result.output)
}

const kindOf = (value: Json) => (Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value)

/**
 * Encodes a refusal as JSON, stderr and exit code 2 together: the one form measured to block at every event that can be
 * blocked.
 */
function refusal(
  event: HookEvent,
  verdict: Verdict,
  supported: SupportedVerdict,
  unexpressed: readonly string[],
): Answer {
  const lost = event.name === 'PreCompact' && supported.context !== '' ? ['a context, since nothing is compacted'] : []
  return {
    stdout: jsonLine(answerObject(event, verdict, supported)),
    stderr: `${supported.reason}\n${stderrLines([...unexpressed, ...lost])}`,
    exitCode: 2,
  }
}

/**
 * Encodes the path of a worktree, which a hook creates in place of Claude Code; without a path there is no folder to
 * use.
 */
function worktree(
  event: HookEvent,
  verdict: Verdict,
  supported: SupportedVerdict,
  unexpressed: readonly string[],
): Answer {
  const path = verdict.agentFields['worktreePath']
  if (typeof path === 'string' && path.trim() !== '' && !path.includes('\n')) {
    return { stdout: `${path}\n`, stderr: stderrLines(unexpressed), exitCode: 0 }
  }
  const reason =
    'no hook printed the path of the new worktree; do not register hookgate for WorktreeCreate without a hook that makes one'
  return refusal(event, verdict, { ...supported, decision: 'deny', reason }, unexpressed)
}

/** Encodes plain text, and keeps it from being parsed as an object. */
function instructions(context: string): string {
  if (context.trim() === '') return ''
  return context.trimStart().startsWith('{') ? `Instructions:\n${context}\n` : `${context}\n`
}

/** Encodes a verdict as a JSON object; returns `undefined` if there is nothing to say in one. */
function answerObject(event: HookEvent, verdict: Verdict, supported: SupportedVerdict): JsonObject | undefined {
  const { decision, reason, stop, notices } = supported
  const form = answersAt[event.name].refusal
  const specific = { ...decided(event, verdict, supported), ...besides(event, verdict, supported) }
  const object = {
    ...(stop !== undefined && { continue: false, ...(stop !== '' && { stopReason: stop }) }),
    ...(notices.length > 0 && { systemMessage: notices.join('\n') }),
    ...picked(verdict.agentFields, topLevelFields(event.name)),
    // Where only the exit code refuses, Claude Code still reads the reason from here.
    ...(decision === 'deny' && (form === 'block' || form === 'exitCode') && { decision: 'block', reason }),
    ...(Object.keys(specific).length > 0 && {
      hookSpecificOutput: { hookEventName: isSkillCommand(event) ? skillCommand : event.name, ...specific },
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
  switch (answersAt[event.name].refusal) {
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
    ...(context !== '' && answersAt[name].fields.includes('additionalContext') && { additionalContext: context }),
    ...(replaceOutput && { updatedToolOutput: replaceOutput.output }),
    ...picked(agentFields, passedOn(name)),
  }
}

/** Lists fields for Claude Code that this event has no place for, one line each: they are dropped, but reported. */
function misplacedFields({ name }: HookEvent, { agentFields }: Verdict): readonly string[] {
  const fields = Object.keys(agentFields)
  if (fields.length === 0) return []
  const placed = new Set([...topLevelFields(name), ...passedOn(name), ...decisionFields[answersAt[name].refusal]])
  return fields
    .filter((field) => !placed.has(field))
    .map((field) => `a field \`${field}\`, which Claude Code does not know at ${name}`)
}

const decisionFields: Readonly<Record<EventAnswers['refusal'], readonly string[]>> = {
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
  return answersAt[name].fields.filter((field) => plainFields.has(field))
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
