import type { AgentName } from './agents.ts'

/** How each agent spells a server's tool; what is not here is spelled as in `HookEvent`: `mcp__<server>__<tool>`. */
const spellings: { readonly [Agent in AgentName]?: (server: string, tool: string) => string } = {
  'gemini-cli': (server, tool) => `mcp_${server}_${tool}`,
  vscode: (server, tool) => `mcp_${server}_${tool}`,
  'copilot-cli': (server, tool) => `${server}-${tool}`,
  opencode: (server, tool) => `${server}_${tool}`,
  // It does not say of which server.
  cursor: (_server, tool) => `MCP:${tool}`,
}

/** The server and the tool of `mcp__<server>__<tool>`; `undefined` for every other name. */
export function mcpParts(name: string): readonly [server: string, tool: string] | undefined {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/s.exec(name) ?? []
  return server === undefined || tool === undefined ? undefined : [server, tool]
}

/** What an agent calls the tool `mcp__<server>__<tool>`; `undefined` for every other name, and where it is the same. */
export function mcpNameFor(agent: AgentName, name: string): string | undefined {
  const parts = mcpParts(name)
  return parts && spellings[agent]?.(...parts)
}
