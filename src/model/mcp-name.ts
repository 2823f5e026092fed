/** Splits `mcp__<server>__<tool>`; returns `undefined` for every other name. */
export function mcpParts(name: string): readonly [server: string, tool: string] | undefined {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/s.exec(name) ?? []
  return server === undefined || tool === undefined ? undefined : [server, tool]
}
