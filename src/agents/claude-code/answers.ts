import { z } from 'zod'
import type { EventName } from '../../model/event.ts'
import type { JsonObject } from '../../model/json.ts'
import { anObject, anything } from '../codec/mismatch.ts'

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

/** The answers that Claude Code takes at an event. */
export interface EventAnswers {
  /**
   * The form of a refusal.
   *
   * It is `permissionDecision`, a permission request's `behavior`, an elicitation's `action`, `decision: block`, the
   * exit code alone, or none.
   */
  readonly refusal: 'permissionDecision' | 'behavior' | 'action' | 'block' | 'exitCode' | 'none'
  /** The fields of `hookSpecificOutput` that are read. The others are unknown there, so they are not validated. */
  readonly fields: readonly SpecificField[]
  /** Whether `continue: false` has no effect. */
  readonly ignoresContinue?: true
  /** Whether plain text on stdout, with exit code 0, is passed to the model; at `PreCompact`, as instructions. */
  readonly textIsContext?: true
}

/** The answers at each event, from the hooks reference or, where the two differ, measurements on 2.1.329. */
export const answersAt: Readonly<Record<EventName, EventAnswers>> = {
  PreToolUse: {
    refusal: 'permissionDecision',
    fields: ['permissionDecision', 'permissionDecisionReason', 'updatedInput', 'additionalContext'],
  },
  // Too late to undo anything: the model gets the reason beside the result.
  PostToolUse: {
    refusal: 'block',
    fields: ['additionalContext', 'updatedToolOutput', 'updatedMCPToolOutput', 'classifierContext'],
  },
  PostToolUseFailure: { refusal: 'block', fields: ['additionalContext'] },
  PostToolBatch: { refusal: 'block', fields: ['additionalContext'] },
  Notification: { refusal: 'none', fields: ['additionalContext'], ignoresContinue: true },
  UserPromptSubmit: {
    refusal: 'block',
    fields: ['additionalContext', 'sessionTitle', 'suppressOriginalPrompt'],
    textIsContext: true,
  },
  UserPromptExpansion: {
    refusal: 'block',
    fields: ['additionalContext', 'suppressOriginalPrompt'],
    textIsContext: true,
  },
  SessionStart: {
    refusal: 'none',
    fields: ['additionalContext', 'initialUserMessage', 'sessionTitle', 'watchPaths', 'reloadSkills'],
    ignoresContinue: true,
    textIsContext: true,
  },
  SessionEnd: { refusal: 'none', fields: [] },
  Stop: { refusal: 'block', fields: ['additionalContext'] },
  StopFailure: { refusal: 'none', fields: [] },
  SubagentStart: { refusal: 'none', fields: ['additionalContext'] },
  SubagentStop: { refusal: 'block', fields: ['additionalContext'] },
  PreCompact: { refusal: 'block', fields: [], ignoresContinue: true, textIsContext: true },
  PostCompact: { refusal: 'none', fields: [] },
  PreModelSwitch: { refusal: 'permissionDecision', fields: ['permissionDecision', 'permissionDecisionReason'] },
  PostModelSwitch: { refusal: 'none', fields: ['additionalContext'], textIsContext: true },
  PermissionRequest: { refusal: 'behavior', fields: ['decision'] },
  PermissionDenied: { refusal: 'none', fields: ['retry'] },
  Setup: { refusal: 'none', fields: [] },
  TeammateIdle: { refusal: 'exitCode', fields: [] },
  TaskCreated: { refusal: 'block', fields: [], ignoresContinue: true },
  TaskCompleted: { refusal: 'exitCode', fields: [] },
  Elicitation: { refusal: 'action', fields: ['action', 'content'], ignoresContinue: true },
  ElicitationResult: { refusal: 'action', fields: ['action', 'content'], ignoresContinue: true },
  ConfigChange: { refusal: 'block', fields: [], ignoresContinue: true },
  WorktreeCreate: { refusal: 'exitCode', fields: ['worktreePath'], ignoresContinue: true },
  WorktreeRemove: { refusal: 'none', fields: [], ignoresContinue: true },
  InstructionsLoaded: { refusal: 'none', fields: [] },
  CwdChanged: { refusal: 'none', fields: ['watchPaths'], ignoresContinue: true },
  FileChanged: { refusal: 'none', fields: ['watchPaths'], ignoresContinue: true },
  DirectoryAdded: { refusal: 'none', fields: [], ignoresContinue: true },
  MessageDisplay: { refusal: 'none', fields: ['displayContent'] },
}

/**
 * Returns whether an exit code refuses: 2, if the event honours it.
 *
 * A permission request does not (measured: the prompt comes as if no hook had run), and any code but 0 prevents a
 * worktree.
 */
export function refusesByExit(event: EventName, exitCode: number | null): boolean {
  if (event === 'WorktreeCreate') return exitCode !== 0
  const { refusal } = answersAt[event]
  return exitCode === 2 && refusal !== 'none' && refusal !== 'behavior'
}

export function parseSpecific(event: EventName, output: JsonObject) {
  const known = answersAt[event].fields.filter((field) => Object.hasOwn(output, field))
  const schema = event === 'PreModelSwitch' ? OfModelSwitch : Specific
  return schema.safeParse(Object.fromEntries(known.map((field) => [field, output[field]])), { reportInput: true })
}
