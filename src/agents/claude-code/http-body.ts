import type { Answer } from '../../model/dialect.ts'
import type { EventName } from '../../model/event.ts'
import { parseJsonObject } from '../../model/json.ts'

/**
 * Encodes an answer as an HTTP hook's body.
 *
 * HTTP has no exit code and no stderr, and text that is not JSON is an error, so their content is put into JSON where
 * Claude Code reads it there.
 */
export function httpBody({ stdout, exitCode }: Answer, event: EventName | undefined): string {
  const object = parseJsonObject(stdout)
  if (object !== undefined) {
    // By HTTP, only `continue: false` keeps a task open.
    const refusesTask = event === 'TaskCompleted' && exitCode === 2
    return refusesTask ? JSON.stringify({ continue: false, stopReason: object['reason'] ?? '', ...object }) : stdout
  }
  if (event === 'WorktreeCreate') {
    return JSON.stringify({ hookSpecificOutput: { hookEventName: event, worktreePath: stdout.trim() } })
  }
  // What remains are the instructions for a compaction: HTTP has no form for them, and Claude Code compacts without
  // them.
  return ''
}
