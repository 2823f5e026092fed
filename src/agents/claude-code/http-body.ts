import type { Answer } from '../../model/dialect.ts'
import type { EventName } from '../../model/event.ts'
import { parseJsonObject } from '../../model/json.ts'

/**
 * An answer as an HTTP hook gives it. There is no exit code and no stderr, and text that is no JSON is an error, so what a
 * command hook says by these is said in JSON where Claude Code reads it there.
 */
export function httpBody({ stdout, exitCode }: Answer, event: EventName | undefined): string {
  const object = parseJsonObject(stdout)
  if (object !== undefined) {
    // By HTTP a task is kept open by nothing but this.
    const refusesTask = event === 'TaskCompleted' && exitCode === 2
    return refusesTask ? JSON.stringify({ continue: false, stopReason: object['reason'] ?? '', ...object }) : stdout
  }
  if (event === 'WorktreeCreate') {
    return JSON.stringify({ hookSpecificOutput: { hookEventName: event, worktreePath: stdout.trim() } })
  }
  // What is left is the instructions for a compaction: they have no form here, and Claude Code compacts without them.
  return ''
}
