import { dialectBy } from '../table/dialect-by.ts'
import { rows } from './wire.ts'

/** The plugin hooks of OpenCode, as of 1.18, as the plugin that hookgate writes for it tells them. */
export const opencode = dialectBy({
  agent: 'opencode',
  namesProject: true,
  rows,
  rowOf: (wire) => rows.find(({ spelled }) => spelled === wire['event']),
  recognises: (wire) => 'sessionID' in wire && rows.some(({ spelled }) => spelled === wire['event']),
  exits: { refusal: 2, ending: (exitCode) => (exitCode === 2 ? 'refuses' : 'fails') },
  runsIn: 'session',
  variables: () => ({}),
})
