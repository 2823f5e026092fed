import type { JsonObject } from '../../model/json.ts'
import { dialectBy } from '../table/dialect-by.ts'
import { textAt } from '../text-at.ts'
import { rows } from './wire.ts'

/** The hooks of Codex CLI, as of 0.169. It gives them no variables of its own. */
export const codex = dialectBy({
  agent: 'codex',
  namesProject: false,
  rows,
  rowOf: (wire) => rows.find(({ spelled }) => spelled === wire['hook_event_name']),
  recognises,
  // Without a reason on stderr, code 2 is no refusal: the hook has failed, and the tool runs. So does any other code.
  exits: {
    refusal: 2,
    ending: (exitCode, _row, { stderr }) => (exitCode === 2 && stderr.trim() !== '' ? 'refuses' : 'fails'),
  },
  runsIn: 'session',
  variables: () => ({}),
})

/** It is like Claude Code's, with a turn, a model at every event, and `null` for a transcript that is not kept. */
function recognises(wire: JsonObject): boolean {
  const known = rows.some(({ spelled }) => spelled === wire['hook_event_name'])
  if (!known || 'timestamp' in wire || 'conversation_id' in wire) return false
  if (wire['transcript_path'] === null || /[/\\]\.codex[/\\]/.test(textAt(wire, 'transcript_path') ?? '')) return true
  return 'turn_id' in wire || ('model' in wire && 'permission_mode' in wire)
}
