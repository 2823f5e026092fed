import type { JsonObject } from '../../model/json.ts'
import { dialectBy } from '../table/dialect-by.ts'
import { rowOf, rows } from './wire.ts'

/** The hooks of GitHub Copilot CLI, as of 1.0.102, in both of its spellings. */
export const copilotCli = dialectBy({
  agent: 'copilot-cli',
  namesProject: false,
  rows,
  rowOf,
  recognises,
  exits: {
    // With any other code a call is refused as well, but the model is not told why.
    refusal: 0,
    ending(exitCode, { event }) {
      if (event === 'PreToolUse') return 'refuses'
      return event === 'PermissionRequest' && exitCode === 2 ? 'refuses' : 'fails'
    },
  },
  runsIn: 'project',
  variables: ({ session, workspaceRoots: [root = session.cwd] }) => ({
    COPILOT_CLI: '1',
    COPILOT_PROJECT_DIR: root,
    CLAUDE_PROJECT_DIR: root,
  }),
})

/** In its own spelling; in Claude Code's it is like VS Code's but for a transcript, which it names at no tool call. */
function recognises(wire: JsonObject): boolean {
  if ('taskId' in wire || 'clineVersion' in wire) return false
  if ('sessionId' in wire) return rowOf(wire) !== undefined
  if ('permission_mode' in wire || 'transcript_path' in wire || 'tool_use_id' in wire) return false
  return 'timestamp' in wire && 'session_id' in wire && rowOf(wire) !== undefined
}
