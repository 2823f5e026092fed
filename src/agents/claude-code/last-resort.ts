import { claudeRefusal, lastResortBy } from '../last-resort-table.ts'

// INVARIANT: imports only the table of last resorts, types included.

/**
 * The last resort at each of Claude Code's events: refused wherever a hook can refuse, except at `TeammateIdle`.
 *
 * That event does not report an earlier refusal, so a broken gate would keep a teammate working for ever.
 */
export const lastResort = lastResortBy({
  reported: [
    'PermissionDenied',
    'SessionStart',
    'Setup',
    'SessionEnd',
    'SubagentStart',
    'StopFailure',
    'TeammateIdle',
    'Notification',
    'MessageDisplay',
    'InstructionsLoaded',
    'CwdChanged',
    'FileChanged',
    'DirectoryAdded',
    'PostCompact',
    'PostModelSwitch',
    'WorktreeRemove',
  ],
  refusal(hookEventName, reason) {
    switch (hookEventName) {
      case 'PreModelSwitch':
      case 'PreSkillShellCommand':
        return { hookSpecificOutput: { hookEventName, permissionDecision: 'deny', permissionDecisionReason: reason } }
      case 'Elicitation':
      case 'ElicitationResult':
        return { hookSpecificOutput: { hookEventName, action: 'decline' } }
      default:
        return claudeRefusal(hookEventName, reason)
    }
  },
})
