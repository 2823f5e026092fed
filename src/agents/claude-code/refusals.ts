import type { EventName } from '../../model/event.ts'

/**
 * How a hook's refusal is spelled at an event: by `permissionDecision`, by a permission request's `behavior`, by an
 * elicitation's `action`, by `decision: block`, by nothing but its exit code, or not at all.
 */
type RefusalForm = 'permissionDecision' | 'behavior' | 'action' | 'block' | 'exitCode' | 'none'

/** Claude Code's hooks reference, with what was measured on 2.1.329 where the two differ. */
export const refusalForms: Readonly<Record<EventName, RefusalForm>> = {
  PreToolUse: 'permissionDecision',
  PermissionRequest: 'behavior',
  PermissionDenied: 'none',
  // Too late to undo anything: the model is told the reason beside the result.
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
 * Whether a hook refuses by the code it exits with: 2, where the event heeds it. A permission request does not (measured:
 * the prompt comes as if no hook had run), and a worktree is not made for any code but 0.
 */
export function refusesByExit(event: EventName, exitCode: number | null): boolean {
  if (event === 'WorktreeCreate') return exitCode !== 0
  const form = refusalForms[event]
  return exitCode === 2 && form !== 'none' && form !== 'behavior'
}

/** Events at which Claude Code reads over `continue: false`. */
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

/** Events at which plain text on stdout, with exit code 0, is for the model; at `PreCompact`, how to compact. */
export const plainTextEvents: ReadonlySet<EventName> = new Set<EventName>([
  'SessionStart',
  'UserPromptSubmit',
  'UserPromptExpansion',
  'PostModelSwitch',
  'PreCompact',
])
