import { join } from 'node:path'
import type { DatabaseTokens } from '../transcripts.ts'

/** SQL for the tokens of one answer of the model, without those that the provider read from its cache. */
const spent = ['input', 'output', 'reasoning', 'cache.write']
  .map((name) => `ifnull(json_extract(message.data, '$.tokens.${name}'), 0)`)
  .join(' + ')

/** The sessions of OpenCode, as of 1.18, and of agents derived from it: a sub-agent is a session with a parent. */
export const databaseTokens = (agent: string): DatabaseTokens => ({
  databasesIn: ({ env, home }) => join(env['XDG_DATA_HOME'] || join(home, '.local', 'share'), agent),
  named: new RegExp(`^(?:${agent}|opencode)(?:-[\\w.-]+)?\\.db$`),
  has: 'SELECT id FROM session WHERE id = :session',
  query: `
    WITH RECURSIVE own(id) AS (
      SELECT :session UNION SELECT session.id FROM session JOIN own ON session.parent_id = own.id LIMIT 1000
    ), answers(hour, tokens) AS (
      SELECT message.time_created / 3600000, ${spent}
      FROM own JOIN message ON message.session_id = own.id
      WHERE message.time_created <= :until AND json_valid(message.data)
      ORDER BY message.time_created DESC LIMIT :most
    )
    SELECT hour, sum(tokens) AS tokens FROM answers GROUP BY hour ORDER BY hour`,
})
