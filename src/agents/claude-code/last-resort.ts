import { claudeRefusal, lastResortBy, type LastResorts } from '../last-resort-table.ts'

// INVARIANT: imports only the table of last resorts, types included.

/**
 * The last resort at each of Claude Code's events: `refuse` wherever a hook can refuse, except at `TeammateIdle`.
 *
 * That event does not report an earlier refusal, so a broken gate would keep a teammate working for ever.
 */
export const lastResortTable: LastResorts = {
  PreToolUse: 'refuse',
  PermissionRequest: 'refuse',
  PermissionDenied: 'report',
  PostToolUse: 'refuse',
  PostToolUseFailure: 'refuse',
  PostToolBatch: 'refuse',
  UserPromptSubmit: 'refuse',
  UserPromptExpansion: 'refuse',
  SessionStart: 'report',
  Setup: 'report',
  SessionEnd: 'report',
  Stop: 'refuse',
  SubagentStop: 'refuse',
  SubagentStart: 'report',
  StopFailure: 'report',
  TaskCreated: 'refuse',
  TaskCompleted: 'refuse',
  TeammateIdle: 'report',
  Notification: 'report',
  MessageDisplay: 'report',
  InstructionsLoaded: 'report',
  ConfigChange: 'refuse',
  CwdChanged: 'report',
  FileChanged: 'report',
  DirectoryAdded: 'report',
  PreCompact: 'refuse',
  PostCompact: 'report',
  PreModelSwitch: 'refuse',
  PostModelSwitch: 'report',
  Elicitation: 'refuse',
  ElicitationResult: 'refuse',
  WorktreeCreate: 'refuse',
  WorktreeRemove: 'report',
}

export const lastResort = lastResortBy(lastResortTable, (hookEventName, reason) => {
  switch (hookEventName) {
    case 'PreModelSwitch':
      return { hookSpecificOutput: { hookEventName, permissionDecision: 'deny', permissionDecisionReason: reason } }
    case 'Elicitation':
    case 'ElicitationResult':
      return { hookSpecificOutput: { hookEventName, action: 'decline' } }
    default:
      return claudeRefusal(hookEventName, reason)
  }
})
