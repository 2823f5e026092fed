/** The parts of `mcp_server_tool`, which does not say where the server's name ends: it is taken to have no `_`. */
export function mcpByName(name: string): readonly [server: string, tool: string] | undefined {
  const [, server, tool] = /^mcp_([^_]+)_(.+)$/s.exec(name) ?? []
  return server === undefined || tool === undefined ? undefined : [server, tool]
}
