import { z } from 'zod'
import type { EventName } from '../../model/event.ts'
import type { JsonObject } from '../../model/json.ts'
import { anObject, anything } from '../json-schemas.ts'

/** The fields of an answer at any event. Known fields must have their type; unknown ones are ignored. */
export const WireAnswer = z
  .object({
    continue: z.boolean(),
    stopReason: z.string(),
    suppressOutput: z.boolean(),
    systemMessage: z.string(),
    terminalSequence: z.string(),
    decision: z.enum(['approve', 'block']),
    reason: z.string(),
    hookSpecificOutput: anObject,
  })
  .partial()
export type WireAnswer = z.infer<typeof WireAnswer>

/** The fields inside `hookSpecificOutput`, of all events. */
const Specific = z
  .object({
    permissionDecision: z.enum(['allow', 'deny', 'ask', 'defer']),
    permissionDecisionReason: z.string(),
    updatedInput: anObject,
    additionalContext: z.string(),
    decision: z.object({
      behavior: z.enum(['allow', 'deny']),
      updatedInput: anObject.optional(),
      updatedPermissions: z.array(anything).optional(),
      message: z.string().optional(),
      interrupt: z.boolean().optional(),
    }),
    retry: z.boolean(),
    updatedToolOutput: anything,
    updatedMCPToolOutput: anything,
    classifierContext: z.string(),
    sessionTitle: z.string(),
    suppressOriginalPrompt: z.boolean(),
    initialUserMessage: z.string(),
    watchPaths: z.array(z.string()),
    reloadSkills: z.boolean(),
    displayContent: z.string(),
    action: z.enum(['accept', 'decline', 'cancel']),
    content: anObject,
    worktreePath: z.string(),
  })
  .partial()
export type Specific = z.infer<typeof Specific>
type SpecificField = keyof Specific

// A model switch cannot be deferred.
const OfModelSwitch = Specific.extend({ permissionDecision: z.enum(['allow', 'deny', 'ask']).optional() })

/** The fields that Claude Code reads at each event. The others are unknown there, so they are not validated. */
export const specificFields: Readonly<Record<EventName, readonly SpecificField[]>> = {
  PreToolUse: ['permissionDecision', 'permissionDecisionReason', 'updatedInput', 'additionalContext'],
  PermissionRequest: ['decision'],
  PermissionDenied: ['retry'],
  PostToolUse: ['additionalContext', 'updatedToolOutput', 'updatedMCPToolOutput', 'classifierContext'],
  PostToolUseFailure: ['additionalContext'],
  PostToolBatch: ['additionalContext'],
  UserPromptSubmit: ['additionalContext', 'sessionTitle', 'suppressOriginalPrompt'],
  UserPromptExpansion: ['additionalContext', 'suppressOriginalPrompt'],
  SessionStart: ['additionalContext', 'initialUserMessage', 'sessionTitle', 'watchPaths', 'reloadSkills'],
  Setup: [],
  SessionEnd: [],
  Stop: ['additionalContext'],
  SubagentStop: ['additionalContext'],
  SubagentStart: ['additionalContext'],
  StopFailure: [],
  TaskCreated: [],
  TaskCompleted: [],
  TeammateIdle: [],
  Notification: ['additionalContext'],
  MessageDisplay: ['displayContent'],
  InstructionsLoaded: [],
  ConfigChange: [],
  CwdChanged: ['watchPaths'],
  FileChanged: ['watchPaths'],
  DirectoryAdded: [],
  PreCompact: [],
  PostCompact: [],
  PreModelSwitch: ['permissionDecision', 'permissionDecisionReason'],
  PostModelSwitch: ['additionalContext'],
  Elicitation: ['action', 'content'],
  ElicitationResult: ['action', 'content'],
  WorktreeCreate: ['worktreePath'],
  WorktreeRemove: [],
}

export function parseSpecific(event: EventName, output: JsonObject) {
  const known = specificFields[event].filter((field) => Object.hasOwn(output, field))
  const schema = event === 'PreModelSwitch' ? OfModelSwitch : Specific
  return schema.safeParse(Object.fromEntries(known.map((field) => [field, output[field]])), { reportInput: true })
}
