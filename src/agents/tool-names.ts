import type { ToolKind } from '../model/event.ts'
import { mcpParts } from '../model/tool-kinds.ts'
import { type JsonObject, textsAt } from '../model/json.ts'
import { limits } from '../model/limits.ts'
import { agentNames, agents, descriptorOf } from './registry.ts'
import { type ToolFields, toolPurposes } from './tools.ts'

/** Tools with the same purpose under each agent's names: the first name is the one sent to that agent's hooks. */
interface ToolRow {
  readonly tool: ToolKind
  readonly names: Readonly<Record<string, readonly string[]>>
  readonly fields: Readonly<Record<string, ToolFields>>
}

/**
 * The table of tool names, one row for each purpose.
 *
 * A rule that names any tool of a row matches all of them, so that one rule serves every agent.
 */
export const toolTable: readonly ToolRow[] = Object.entries(toolPurposes).map(([purpose, tool]) => {
  const having = agents.flatMap(({ name, tools }) =>
    Object.entries(tools).flatMap(([key, [names, fields = {}]]) => (key === purpose ? [{ name, names, fields }] : [])),
  )
  return {
    tool,
    names: Object.fromEntries(having.map(({ name, names }) => [name, typeof names === 'string' ? [names] : names])),
    fields: Object.fromEntries(having.map(({ name, fields }) => [name, fields])),
  }
})

/** MCP tools have no rows: decoding turns every agent's spelling into `mcp__<server>__<tool>`. */
const mcpName = /^mcp__.+?__./s

/** Each agent's rows by the names in them. */
const rowsByAgent: ReadonlyMap<string, ReadonlyMap<string, readonly ToolRow[]>> = new Map(
  agentNames.map((agent) => {
    const pairs = toolTable.flatMap((row) => (row.names[agent] ?? []).map((name) => ({ name, row })))
    const byName = [...Map.groupBy(pairs, ({ name }) => name)]
    return [agent, new Map(byName.map(([name, own]) => [name, own.map(({ row }) => row)]))]
  }),
)

/** Returns the rows that have a name. If there are two (Cline's `editor`), the call's input decides between them. */
function toolRows(agent: string, name: string): readonly ToolRow[] {
  return rowsByAgent.get(agent)?.get(name) ?? []
}

/** Returns the row of a call, by its name and the kind that its decoder assigned. */
export function toolRow(agent: string, name: string, tool: ToolKind): ToolRow | undefined {
  const found = toolRows(agent, name)
  return found.find((row) => row.tool === tool) ?? found[0]
}

/** Returns the file patterns of a call. For a tool missing from the table, any key that its kind uses counts. */
export function globsIn(agent: string, name: string, tool: ToolKind, input: JsonObject): readonly string[] {
  const key = toolRow(agent, name, tool)?.fields[agent]?.glob
  const keys = key === undefined ? (globKeys.get(tool) ?? []) : [key]
  return keys.flatMap((one) => textsAt(input, one)).filter((glob) => glob !== '')
}

const globKeys: ReadonlyMap<ToolKind, readonly string[]> = new Map(
  (['list', 'search'] as const).map((tool) => {
    const keys = toolTable.filter((row) => row.tool === tool).flatMap((row) => Object.values(row.fields))
    return [tool, [...new Set(keys.flatMap(({ glob }) => glob ?? []))]]
  }),
)

/** Returns a tool's kind, by its name alone. */
export function toolKind(agent: string, name: string): ToolKind {
  if (mcpName.test(name)) return 'mcp'
  return toolRows(agent, name)[0]?.tool ?? 'other'
}

/** Returns `other`'s name for the same tool: from the same row, else from its first row of the same kind. */
export function toolNameFor(other: string, row: ToolRow): string | undefined {
  const named = row.names[other] ?? toolTable.find(({ tool, names }) => tool === row.tool && names[other])?.names[other]
  return named?.[0]
}

/**
 * Returns every name that a matcher may use for a call: its own, its kind, and the names other agents use.
 *
 * A tool of the same kind that the same agent names differently does not match: on Claude Code, `Bash` does not match
 * `PowerShell`. A tool that the agent's table does not have goes by all names of its kind, since it could be any of them.
 */
export function toolSpellings(agent: string, name: string, tool: ToolKind): readonly string[] {
  const key = `${agent} ${tool} ${name}`
  const known = spellingsKnown.get(key)
  if (known !== undefined) return known
  const spellings = new Set([name, tool])
  const rows = toolRows(agent, name)
  if (rows.length === 0) for (const spelled of namesOfKind.get(tool) ?? []) spellings.add(spelled)
  for (const row of rows) {
    for (const other of agentNames) {
      if (other === agent) continue
      const names =
        row.names[other] ??
        toolTable.filter((same) => same.tool === row.tool).flatMap((same) => same.names[other] ?? [])
      // A name of another tool of the same agent is not a name of this one.
      for (const spelled of names)
        if (toolRows(agent, spelled).every((own) => own.names[agent]?.includes(name))) spellings.add(spelled)
    }
  }
  const list = Object.freeze([...spellings])
  // Names of MCP and custom tools come from outside, so the cache must be bounded.
  const isCacheable = spellingsKnown.size < limits.matchesCachedMax && key.length <= limits.cacheKeyCharactersMax
  if (isCacheable) spellingsKnown.set(key, list)
  return list
}
/** All agents' names for the tools of a kind. */
const namesOfKind: ReadonlyMap<ToolKind, readonly string[]> = new Map(
  [...Map.groupBy(toolTable, ({ tool }) => tool)].map(([tool, rows]) => [
    tool,
    rows.flatMap(({ names }) => Object.values(names).flat()),
  ]),
)
const spellingsKnown = new Map<string, readonly string[]>()

/** Every known tool name of any agent, and the kinds, for recognising a misspelt matcher. */
export const knownToolNames: ReadonlySet<string> = new Set(
  toolTable.flatMap((row) => Object.values(row.names).flat().concat(row.tool)),
)

/** Returns an agent's name of `mcp__<server>__<tool>`; `undefined` for other names, and if it is the same. */
export function mcpNameFor(agent: string, name: string): string | undefined {
  const parts = mcpParts(name)
  return parts && descriptorOf(agent)?.mcpName?.(...parts)
}

/** Splits `mcp_server_tool`, which does not mark the end of the server's name: that is assumed to contain no `_`. */
export function mcpByName(name: string): readonly [server: string, tool: string] | undefined {
  const [, server, tool] = /^mcp_([^_]+)_(.+)$/s.exec(name) ?? []
  return server === undefined || tool === undefined ? undefined : [server, tool]
}
