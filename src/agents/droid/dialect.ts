import type { JsonObject } from '../../model/json.ts'
import { dialectBy } from '../table/dialect-by.ts'
import { textAt } from '../text-at.ts'
import { rows } from './wire.ts'

/** The hooks of Factory's droid, as of 0.225. */
export const droid = dialectBy({
  agent: 'droid',
  namesProject: false,
  rows,
  rowOf: (wire) => rows.find(({ spelled }) => spelled === wire['hook_event_name']),
  recognises,
  exits: {
    refusal: 2,
    // Code 3 ends the agent without a word, which nobody asks for who wants the tool to run.
    ending: (exitCode) => (exitCode === 2 || exitCode === 3 ? 'refuses' : 'reads'),
  },
  runsIn: 'session',
  variables: ({ session, workspaceRoots: [root = session.cwd] }) => ({
    FACTORY_PROJECT_DIR: root,
    DROID_PROJECT_DIR: root,
    CLAUDE_PROJECT_DIR: root,
  }),
})

const modes: ReadonlySet<unknown> = new Set(['off', 'spec', 'auto-low', 'auto-medium', 'auto-high'])

/** Claude Code's protocol with modes of its own. */
function recognises(wire: JsonObject): boolean {
  if (!rows.some(({ spelled }) => spelled === wire['hook_event_name'])) return false
  if (/[/\\]\.factory[/\\]/.test(textAt(wire, 'transcript_path') ?? '')) return true
  return modes.has(wire['permission_mode'])
}
