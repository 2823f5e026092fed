// INVARIANT: nothing is imported here, types included: this is what still answers when everything else fails to load.

/**
 * What a gate that cannot decide tells Claude Code at each event. `refuse` wherever a hook can refuse, save `TeammateIdle`:
 * it does not say whether it was refused before, so a broken gate would keep a teammate at work for ever.
 */
export const lastResortTable: Readonly<Record<string, 'refuse' | 'report'>> = {
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

/**
 * @param eventName as it came; for an unknown one, or none, the answer is a refusal in the form that all events heed
 * @param stopHookActive the agent is still at work only because a hook refused its stop before: refusing again would
 *   make it run on for ever
 */
export function lastResort(
  eventName: string | undefined,
  message: string,
  stopHookActive = false,
): { stdout: string; stderr: string; exitCode: number } {
  const line = oneLine(message)
  const stopped = stopHookActive && (eventName === 'Stop' || eventName === 'SubagentStop')
  if (stopped || lastResortTable[eventName ?? ''] === 'report') {
    return { stdout: `${JSON.stringify({ systemMessage: line })}\n`, stderr: `${line}\n`, exitCode: 1 }
  }
  return { stdout: `${JSON.stringify(refusal(eventName ?? '', line))}\n`, stderr: `${line}\n`, exitCode: 2 }
}

function refusal(hookEventName: string, reason: string): object {
  switch (hookEventName) {
    case 'PreToolUse':
    case 'PreModelSwitch':
      return { hookSpecificOutput: { hookEventName, permissionDecision: 'deny', permissionDecisionReason: reason } }
    case 'PermissionRequest':
      return { hookSpecificOutput: { hookEventName, decision: { behavior: 'deny', message: reason } } }
    case 'Elicitation':
    case 'ElicitationResult':
      return { hookSpecificOutput: { hookEventName, action: 'decline' } }
    default:
      return { decision: 'block', reason }
  }
}

/** Whatever went wrong may carry a hook's bytes: none of them may act on a terminal or end the line. */
function oneLine(message: string): string {
  const line = message.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
  return line === '' ? 'hookgate cannot answer' : line
}
