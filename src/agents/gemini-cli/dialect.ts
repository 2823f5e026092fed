import type { JsonObject } from '../../model/json.ts'
import { parseJsonObject } from '../../model/json.ts'
import { dialectBy } from '../table/dialect-by.ts'
import type { EventRow } from '../table/table.ts'
import { textAt } from '../text-at.ts'
import { failureIn, rows } from './wire.ts'

/** The hooks of Gemini CLI, as of 0.61. */
export const geminiCli = dialectBy({
  agent: 'gemini-cli',
  namesProject: false,
  rows,
  rowOf,
  recognises,
  exits: {
    refusal: 2,
    // JSON counts whatever the code; without any, every code but 0 and 1 refuses, with the text for a reason. What was
    // killed counts as having ended well.
    ending(exitCode, _row, { stdout, stderr }) {
      if (exitCode === null || exitCode === 1 || parseJsonObject(stdout) !== undefined) return 'reads'
      return stdout.trim() === '' && stderr.trim() === '' ? 'fails' : 'refuses'
    },
  },
  runsIn: 'session',
  variables: ({ session, workspaceRoots: [root = session.cwd] }) => ({
    GEMINI_PROJECT_DIR: root,
    GEMINI_CWD: session.cwd,
    GEMINI_SESSION_ID: session.id,
    CLAUDE_PROJECT_DIR: root,
  }),
})

function rowOf(wire: JsonObject): EventRow | undefined {
  const event = failureIn(wire['tool_response']) === undefined ? 'PostToolUse' : 'PostToolUseFailure'
  return rows.find(({ spelled, ...row }) => {
    if (spelled !== wire['hook_event_name']) return false
    return spelled !== 'AfterTool' || row.event === event
  })
}

const ownNames: ReadonlySet<unknown> = new Set(['BeforeTool', 'AfterTool', 'BeforeAgent', 'AfterAgent', 'PreCompress'])

/** Its own names for events, or a time and a transcript without a permission mode, which its descendants have. */
function recognises(wire: JsonObject): boolean {
  if (ownNames.has(wire['hook_event_name'])) return true
  if (rowOf(wire) === undefined || 'permission_mode' in wire) return false
  if (wire['source'] === 'new') return false
  return 'timestamp' in wire && textAt(wire, 'transcript_path') !== undefined && textAt(wire, 'cwd') !== undefined
}
