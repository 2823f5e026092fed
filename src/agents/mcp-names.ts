import { descriptorOf } from './registry.ts'

/** The server and the tool of `mcp__<server>__<tool>`; `undefined` for every other name. */
export function mcpParts(name: string): readonly [server: string, tool: string] | undefined {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/s.exec(name) ?? []
  return server === undefined || tool === undefined ? undefined : [server, tool]
}

/** An agent's name of the tool `mcp__<server>__<tool>`; `undefined` for every other name, and where it is the same. */
export function mcpNameFor(agent: string, name: string): string | undefined {
  const parts = mcpParts(name)
  return parts && descriptorOf(agent)?.mcpName?.(...parts)
}

/** The parts of `mcp_server_tool`, which does not say where the server's name ends: it is taken to have no `_`. */
export function mcpByName(name: string): readonly [server: string, tool: string] | undefined {
  const [, server, tool] = /^mcp_([^_]+)_(.+)$/s.exec(name) ?? []
  return server === undefined || tool === undefined ? undefined : [server, tool]
}
