import type { JsonObject } from '../../model/json.ts'
import { dialectBy } from '../table/dialect-by.ts'
import { rows } from './wire.ts'

/** The hooks of Cursor, by its documentation of November 2026. */
export const cursor = dialectBy({
  agent: 'cursor',
  namesProject: true,
  rows,
  rowOf: (wire) => rows.find(({ spelled }) => spelled === wire['hook_event_name']),
  recognises,
  // Code 2 refuses, but the messages for the model and the person are in the object.
  exits: { refusal: 0, ending: (exitCode) => (exitCode === 2 ? 'refuses' : 'fails') },
  runsIn: 'project',
  variables: ({ session, workspaceRoots: [root = session.cwd] }) => ({
    CURSOR_PROJECT_DIR: root,
    CLAUDE_PROJECT_DIR: root,
  }),
})

/** Nobody else has conversations. */
function recognises(wire: JsonObject): boolean {
  return 'conversation_id' in wire && rows.some(({ spelled }) => spelled === wire['hook_event_name'])
}
