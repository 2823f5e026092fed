import type { JsonObject } from '../../model/json.ts'
import { dialectBy } from '../table/dialect-by.ts'
import { textAt } from '../text-at.ts'
import { rows } from './wire.ts'

/** The hooks of Qwen Code, as of 0.24.4. */
export const qwenCode = dialectBy({
  agent: 'qwen-code',
  namesProject: false,
  rows,
  rowOf: (wire) => rows.find(({ spelled }) => spelled === wire['hook_event_name']),
  recognises,
  exits: {
    refusal: 2,
    // With code 2 stdout is not read, and without a reason on stderr the tool runs.
    ending(exitCode, _row, { stderr }) {
      if (exitCode === 2) return stderr.trim() === '' ? 'fails' : 'refuses'
      return exitCode === 1 || exitCode === null ? 'reads' : 'fails'
    },
  },
  runsIn: 'project',
  variables: ({ session, workspaceRoots: [root = session.cwd] }) => ({
    QWEN_PROJECT_DIR: root,
    GEMINI_PROJECT_DIR: root,
    CLAUDE_PROJECT_DIR: root,
  }),
})

/** Claude Code's protocol with the time of Gemini CLI, from which it descends, and two ids for each call. */
function recognises(wire: JsonObject): boolean {
  if (typeof wire['hook_event_name'] !== 'string' || !rows.some(({ spelled }) => spelled === wire['hook_event_name'])) {
    return false
  }
  if (/[/\\]\.qwen[/\\]/.test(textAt(wire, 'transcript_path') ?? '')) return true
  return 'tool_call_id' in wire || ('timestamp' in wire && 'permission_mode' in wire)
}
