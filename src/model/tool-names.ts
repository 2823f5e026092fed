import { AgentName } from './agents.ts'
import type { ToolKind } from './event.ts'
import { limits } from './limits.ts'

/** Under which key of its input an agent's tool keeps what is common to all: `{path: 'file_path'}`. */
export interface ToolFields {
  readonly path?: string
  readonly command?: string
  readonly url?: string
  readonly content?: string
  readonly pattern?: string
  readonly glob?: string
  readonly prompt?: string
}
export type ToolField = keyof ToolFields

/** Tools that do the same thing, as each agent names them: the first name is the one used when speaking to it. */
export interface ToolRow {
  readonly tool: ToolKind
  readonly names: { readonly [Agent in AgentName]?: readonly string[] }
  readonly fields: { readonly [Agent in AgentName]?: ToolFields }
}

/**
 * The one table of tool names. A rule that names any of a row's tools hears all of them, whoever the agent is, so one
 * rule serves every agent. Sources: Claude Code's published built-in tools; Cline's `ClineDefaultTool` names and its
 * SDK's default tools.
 */
const rows: readonly ToolRow[] = [
  {
    tool: 'shell',
    names: { 'claude-code': ['Bash'], cline: ['execute_command', 'run_commands'] },
    fields: { 'claude-code': { command: 'command' }, cline: { command: 'command' } },
  },
  { tool: 'shell', names: { 'claude-code': ['PowerShell'] }, fields: { 'claude-code': { command: 'command' } } },
  { tool: 'shell', names: { 'claude-code': ['Monitor'] }, fields: { 'claude-code': { command: 'command' } } },
  {
    tool: 'read',
    names: { 'claude-code': ['Read'], cline: ['read_file', 'read_files'] },
    fields: { 'claude-code': { path: 'file_path' }, cline: { path: 'path' } },
  },
  {
    tool: 'write',
    names: { 'claude-code': ['Write'], cline: ['write_to_file', 'new_rule', 'editor'] },
    fields: {
      'claude-code': { path: 'file_path', content: 'content' },
      cline: { path: 'path', content: 'content' },
    },
  },
  {
    tool: 'edit',
    names: { 'claude-code': ['Edit'], cline: ['replace_in_file', 'editor', 'apply_patch'] },
    fields: {
      'claude-code': { path: 'file_path', content: 'new_string' },
      cline: { path: 'path', content: 'diff' },
    },
  },
  { tool: 'edit', names: { 'claude-code': ['MultiEdit'] }, fields: { 'claude-code': { path: 'file_path' } } },
  {
    tool: 'edit',
    names: { 'claude-code': ['NotebookEdit'] },
    fields: { 'claude-code': { path: 'notebook_path', content: 'new_source' } },
  },
  {
    tool: 'search',
    names: { 'claude-code': ['Grep'], cline: ['search_files', 'search_codebase'] },
    fields: {
      'claude-code': { path: 'path', pattern: 'pattern', glob: 'glob' },
      cline: { path: 'path', pattern: 'regex', glob: 'file_pattern' },
    },
  },
  {
    tool: 'list',
    names: { 'claude-code': ['Glob'], cline: ['list_files'] },
    fields: { 'claude-code': { path: 'path', glob: 'pattern' }, cline: { path: 'path' } },
  },
  { tool: 'list', names: { cline: ['list_code_definition_names'] }, fields: { cline: { path: 'path' } } },
  {
    tool: 'fetch',
    names: { 'claude-code': ['WebFetch'], cline: ['web_fetch', 'fetch_web_content'] },
    fields: { 'claude-code': { url: 'url', prompt: 'prompt' }, cline: { url: 'url', prompt: 'prompt' } },
  },
  {
    tool: 'websearch',
    names: { 'claude-code': ['WebSearch'], cline: ['web_search'] },
    fields: { 'claude-code': { pattern: 'query' }, cline: { pattern: 'query' } },
  },
  { tool: 'browser', names: { cline: ['browser_action'] }, fields: { cline: { url: 'url' } } },
  {
    tool: 'agent',
    names: { 'claude-code': ['Agent', 'Task'], cline: ['new_task', 'use_subagents', 'spawn_agent'] },
    fields: { 'claude-code': { content: 'prompt' }, cline: { content: 'context' } },
  },
]

/** MCP tools have no rows: every agent's spelling becomes `mcp__<server>__<tool>` when its event is decoded. */
const mcpName = /^mcp__.+__.+$/

/** The rows a name stands in. Where there are two (Cline's `editor`), the call's input decides between them. */
function toolRows(agent: AgentName, name: string): readonly ToolRow[] {
  return rows.filter((row) => row.names[agent]?.includes(name))
}

/** The row of a call, by the name and the kind that its decoder gave it. */
export function toolRow(agent: AgentName, name: string, tool: ToolKind): ToolRow | undefined {
  const found = toolRows(agent, name)
  return found.find((row) => row.tool === tool) ?? found[0]
}

/** What kind of tool a name is, by name alone. */
export function toolKind(agent: AgentName, name: string): ToolKind {
  if (mcpName.test(name)) return 'mcp'
  return toolRows(agent, name)[0]?.tool ?? 'other'
}

/** The name `other` has for the same tool: that of the same row, else of the first row of the same kind. */
export function toolNameFor(other: AgentName, row: ToolRow): string | undefined {
  return row.names[other]?.[0] ?? rows.find((candidate) => candidate.tool === row.tool)?.names[other]?.[0]
}

/**
 * Every name a matcher may use for a call: its own, its kind, and what other agents call it. A tool of the same kind
 * that the same agent names differently is not one of them: on Claude Code, `Bash` does not hear `PowerShell`.
 */
export function toolSpellings(agent: AgentName, name: string, tool: ToolKind): readonly string[] {
  const key = `${agent} ${tool} ${name}`
  const known = spellingsKnown.get(key)
  if (known !== undefined) return known
  const spellings = new Set([name, tool])
  for (const row of toolRows(agent, name)) {
    for (const other of AgentName.options) {
      if (other === agent) continue
      const names =
        row.names[other] ?? rows.filter((same) => same.tool === row.tool).flatMap((same) => same.names[other] ?? [])
      for (const spelled of names) spellings.add(spelled)
    }
  }
  const list = Object.freeze([...spellings])
  // Names of MCP and custom tools come from outside, so what is remembered of them has to end somewhere.
  const worthIt = spellingsKnown.size < limits.hearingsRememberedMax && key.length <= limits.rememberedKeyCharactersMax
  if (worthIt) spellingsKnown.set(key, list)
  return list
}
const spellingsKnown = new Map<string, readonly string[]>()

/** Every tool name known of any agent, and the kinds: for telling a misspelt matcher. */
export const knownToolNames: ReadonlySet<string> = new Set(
  rows.flatMap((row) => Object.values(row.names).flat().concat(row.tool)),
)
