/**
 * What each event's sender is told when the gate itself cannot answer: `refuse` where Cline heeds a refusal, `report`
 * where it heeds nothing. Keyed by the names on the wire, those of all three engines.
 *
 * INVARIANT: imports nothing but node: modules. It is what still answers when everything else fails to load.
 */
export const lastResortTable: Readonly<Record<string, 'refuse' | 'report'>> = {
  PreToolUse: 'refuse',
  PostToolUse: 'refuse',
  UserPromptSubmit: 'refuse',
  TaskStart: 'refuse',
  TaskResume: 'refuse',
  PreCompact: 'refuse',
  TaskCancel: 'report',
  TaskComplete: 'report',
  Notification: 'report',
  tool_call: 'refuse',
  tool_result: 'refuse',
  prompt_submit: 'report',
  agent_start: 'report',
  agent_resume: 'report',
  agent_abort: 'report',
  agent_end: 'report',
  agent_error: 'report',
  session_shutdown: 'report',
  pre_compact: 'report',
}

/** An event that is not in the table is refused: it may be one that a newer Cline asks before it acts. */
export function lastResort(
  hookName: string | undefined,
  message: string,
): { stdout: string; stderr: string; exitCode: number } {
  const line = oneLine(message)
  if (hookName !== undefined && lastResortTable[hookName] === 'report') {
    // Cline shows a hook that exits with another code than 0 as failed, which is all that can be done here.
    return { stdout: `${JSON.stringify({ cancel: false })}\n`, stderr: `${line}\n`, exitCode: 1 }
  }
  // Exit code 0: Cline 2 to 4 throw away what a hook printed that exits with any other, and the tool would run.
  return { stdout: `${JSON.stringify({ cancel: true, errorMessage: line })}\n`, stderr: `${line}\n`, exitCode: 0 }
}

/** Control characters go too: the message can hold what a hook or a file said, and a terminal would obey it. */
function oneLine(message: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are exactly what this pattern is for
  return message.replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ').trim()
}
