import type { JsonObject } from '../../model/json.ts'
import { dialectBy } from '../table/dialect-by.ts'
import { textAt } from '../text-at.ts'
import { rows } from './wire.ts'

/** The hooks of VS Code's agent mode, by the source of September 2026. It knows no matcher: every hook runs for every tool. */
export const vscode = dialectBy({
  agent: 'vscode',
  namesProject: false,
  rows,
  rowOf: (wire) => rows.find(({ spelled }) => spelled === wire['hook_event_name']),
  recognises,
  // Every other code is a warning, and the tool runs.
  exits: { refusal: 2, ending: (exitCode) => (exitCode === 2 ? 'refuses' : 'fails') },
  runsIn: 'project',
  variables: () => ({}),
})

/** A time and a transcript without a permission mode; at the start of a session only its own word tells it from Gemini CLI. */
function recognises(wire: JsonObject): boolean {
  const name = wire['hook_event_name']
  if (!rows.some(({ spelled }) => spelled === name)) return false
  if (!('timestamp' in wire) || 'permission_mode' in wire || 'tool_call_id' in wire) return false
  if (textAt(wire, 'transcript_path') === undefined) return false
  return name !== 'SessionStart' || wire['source'] === 'new'
}
