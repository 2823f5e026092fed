import type { EventName } from '../../model/event.ts'

/**
 * The form of a hook's refusal at an event.
 *
 * It is `permissionDecision`, a permission request's `behavior`, an elicitation's `action`, `decision: block`, the exit
 * code alone, or none.
 */
type RefusalForm = 'permissionDecision' | 'behavior' | 'action' | 'block' | 'exitCode' | 'none'

/** The form at each event, from Claude Code's hooks reference or, where the two differ, measurements on 2.1.329. */
export const refusalForms: Readonly<Record<EventName, RefusalForm>> = {
  PreToolUse: 'permissionDecision',
  PermissionRequest: 'behavior',
  PermissionDenied: 'none',
  // Too late to undo anything: the model gets the reason beside the result.
  PostToolUse: 'block',
  PostToolUseFailure: 'block',
  PostToolBatch: 'block',
  UserPromptSubmit: 'block',
  UserPromptExpansion: 'block',
  SessionStart: 'none',
  Setup: 'none',
  SessionEnd: 'none',
  Stop: 'block',
  SubagentStop: 'block',
  SubagentStart: 'none',
  StopFailure: 'none',
  TaskCreated: 'block',
  TaskCompleted: 'exitCode',
  TeammateIdle: 'exitCode',
  Notification: 'none',
  MessageDisplay: 'none',
  InstructionsLoaded: 'none',
  ConfigChange: 'block',
  CwdChanged: 'none',
  FileChanged: 'none',
  DirectoryAdded: 'none',
  PreCompact: 'block',
  PostCompact: 'none',
  PreModelSwitch: 'permissionDecision',
  PostModelSwitch: 'none',
  Elicitation: 'action',
  ElicitationResult: 'action',
  WorktreeCreate: 'exitCode',
  WorktreeRemove: 'none',
}

/**
 * Returns whether an exit code refuses: 2, if the event honours it.
 *
 * A permission request does not (measured: the prompt comes as if no hook had run), and any code but 0 prevents a
 * worktree.
 */
export function refusesByExit(event: EventName, exitCode: number | null): boolean {
  if (event === 'WorktreeCreate') return exitCode !== 0
  const form = refusalForms[event]
  return exitCode === 2 && form !== 'none' && form !== 'behavior'
}

/** Events at which Claude Code ignores `continue: false`. */
export const continueIgnored: ReadonlySet<EventName> = new Set<EventName>([
  'SessionStart',
  'TaskCreated',
  'PreCompact',
  'Notification',
  'Elicitation',
  'ElicitationResult',
  'WorktreeCreate',
  'WorktreeRemove',
  'ConfigChange',
  'CwdChanged',
  'FileChanged',
  'DirectoryAdded',
])

/** Events at which plain text on stdout, with exit code 0, is passed to the model; at `PreCompact`, as instructions. */
export const plainTextEvents: ReadonlySet<EventName> = new Set<EventName>([
  'SessionStart',
  'UserPromptSubmit',
  'UserPromptExpansion',
  'PostModelSwitch',
  'PreCompact',
])
