import { dialectBy } from '../table/dialect-by.ts'
import { rows } from './wire.ts'

/** The hooks of Windsurf's Cascade, by its documentation of November 2026. */
export const windsurf = dialectBy({
  agent: 'windsurf',
  namesProject: false,
  rows,
  rowOf: (wire) => rows.find(({ spelled }) => spelled === wire['agent_action_name']),
  recognises: (wire) => rows.some(({ spelled }) => spelled === wire['agent_action_name']),
  exits: { refusal: 2, ending: (exitCode) => (exitCode === 2 ? 'refuses' : 'fails') },
  runsIn: 'project',
  variables: () => ({}),
})
