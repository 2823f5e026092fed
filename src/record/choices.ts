import type { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'

/** Newest rows whose agents and projects the page offers to choose from: they are read in 50 ms. */
const recordChoicesRowsMax = 20_000

/** Values to filter by: the names in the newest rows, those with the most decisions first. */
export interface RecordChoices {
  readonly agents: readonly string[]
  readonly projects: readonly string[]
  /** Ids of rules, in the order of the alphabet. */
  readonly rules: readonly string[]
}

/** Reads the index once, and the rules from the table of times: a record takes ten times as long. */
export function readChoices(database: DatabaseSync): RecordChoices {
  const agents = new Map<string, number>()
  const projects = new Map<string, number>()
  const query = `SELECT agent, project, count(*) AS number
    FROM (SELECT agent, project FROM decisions ORDER BY id DESC LIMIT ?) GROUP BY 1, 2`
  for (const row of database.prepare(query).all(recordChoicesRowsMax)) {
    const { agent, project, number } = GroupRow.parse({ ...row })
    if (agent !== null) agents.set(agent, (agents.get(agent) ?? 0) + number)
    if (project !== null) projects.set(project, (projects.get(project) ?? 0) + number)
  }
  const rules = database.prepare("SELECT DISTINCT rule FROM times WHERE rule <> '' ORDER BY 1").all()
  return {
    agents: mostFirst(agents),
    projects: mostFirst(projects),
    rules: rules.map((row) => RuleRow.parse({ ...row }).rule),
  }
}

const GroupRow = z.strictObject({ agent: z.string().nullable(), project: z.string().nullable(), number: z.int() })
const RuleRow = z.strictObject({ rule: z.string() })

const mostFirst = (numbers: ReadonlyMap<string, number>): readonly string[] =>
  [...numbers].toSorted(([, a], [, b]) => b - a).map(([name]) => name)
