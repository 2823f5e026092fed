import { mcpParts } from '../model/mcp-name.ts'
import { descriptorOf } from './registry.ts'

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
