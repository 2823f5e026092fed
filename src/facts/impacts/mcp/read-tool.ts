import type { Impact } from '../../../model/impact.ts'
import { doings } from './doings.ts'
import { impactOf, type ToolImpactFound } from './found.ts'
import { messageSent } from './messages.ts'
import { withRepository, repositoryWrite } from '../forges.ts'
import { repositoryOfTool } from './forges.ts'
import { shownByCode } from '../code/shown-by-code.ts'
import { sqlDeeds } from '../texts/sql.ts'
import { systemChange } from './systems.ts'
import { type NamedTool, readCall, type ServerCall } from './tool.ts'

/** Returns what the call of a server's tool would do, by the words of its name and the fields of its input. */
export function impactsOfTool(tool: NamedTool): readonly Impact[] {
  const call = readCall(tool)
  const inArea = (area: Impact['area'], found: ToolImpactFound | undefined) =>
    found === undefined ? [] : [impactOf(call, area, found)]
  const own = [
    ...(call.serverName === '' ? [] : inArea('mcp-tools', doingOf(call))),
    ...inArea('mcp-systems', systemChange(call)),
    ...(call.serverName === '' ? [] : inArea('outgoing-messages', messageSent(call))),
    ...(call.serverName === '' ? [] : shownBy(call).map((found) => impactOf(call, found.area, found))),
    ...(call.serverName === '' ? [] : statementsOf(call).map((found) => impactOf(call, 'sql', found))),
  ]
  if (call.serverName === '') return own
  return withRepository(own, repositoryOfTool(call), (names) =>
    impactOf(call, 'code-hosting', { ...repositoryWrite, names }),
  )
}

function doingOf(call: ServerCall): ToolImpactFound | undefined {
  for (const { find, whereOnlyLooked } of doings) {
    const found = call.onlyLooks && whereOnlyLooked !== true ? undefined : find(call)
    if (found !== undefined) return found
  }
  return undefined
}

/** Names of tools that run code, or the cells of a notebook. */
const running = /eval|exec|run|code|cell|kernel|notebook|script/i

/** Returns what code shows of variables that a tool runs. */
const shownBy = ({ name, texts }: ServerCall): readonly (ToolImpactFound & Pick<Impact, 'area'>)[] =>
  running.test(name)
    ? texts.flatMap(({ key, text }) =>
        shownByCode(text).map((found) => Object.assign({}, found, { by: key, through: 'code' as const })),
      )
    : []

/** Fields in which tools of servers take SQL. */
const sqlKey = /^(?:sql|query|queries|statements?|sql_?(?:quer(?:y|ies)|text|statements?)|script)$/i

/** Tools that search texts, for which a query is a text itself. */
const searching = /(?:^|[_-])(?:docs?|documentation|search|wiki|knowledge)(?:[_-]|$)/i

/** Returns what the SQL does that a tool is given. */
const statementsOf = ({ name, texts }: ServerCall): readonly ToolImpactFound[] =>
  searching.test(name)
    ? []
    : texts.flatMap(({ key, text }) =>
        sqlKey.test(key)
          ? sqlDeeds(text).map(({ words, ...deed }) => Object.assign(deed, { by: key, said: words }))
          : [],
      )
