import type { EventName, ToolKind } from './event.ts'

/** The parts of a call of one kind of tool. */
interface ToolCarries {
  /** The field that says what it is about; `input` if only the whole input does. */
  readonly subject: 'command' | 'path' | 'url' | 'input'
  /** The field beside the subject without which the call would be another one. */
  readonly also?: 'content' | 'pattern'
  /** Its access to its files. */
  readonly access?: 'read' | 'write'
}

/** The parts of a call, by the kind of its tool. */
export const toolCarries: Readonly<Record<ToolKind, ToolCarries>> = {
  shell: { subject: 'command' },
  read: { subject: 'path', access: 'read' },
  write: { subject: 'path', access: 'write', also: 'content' },
  edit: { subject: 'path', access: 'write', also: 'content' },
  search: { subject: 'path', access: 'read', also: 'pattern' },
  list: { subject: 'path', access: 'read', also: 'pattern' },
  fetch: { subject: 'url' },
  websearch: { subject: 'input' },
  browser: { subject: 'input' },
  agent: { subject: 'input' },
  mcp: { subject: 'input' },
  other: { subject: 'input' },
}

/** The kinds of tools that are about files. */
export const fileKinds: ReadonlySet<string> = new Set(
  Object.entries(toolCarries).flatMap(([kind, { subject }]) => (subject === 'path' ? [kind] : [])),
)

/** Splits `mcp__<server>__<tool>`; returns `undefined` for every other name. */
export function mcpParts(name: string): readonly [server: string, tool: string] | undefined {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/s.exec(name) ?? []
  return server === undefined || tool === undefined ? undefined : [server, tool]
}

/** The events about a tool call. Not a zod schema: threads that evaluate policies import it, and start without zod. */
export const toolEvents = [
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PermissionRequest',
  'PermissionDenied',
] as const satisfies readonly EventName[]
export type ToolEvent = (typeof toolEvents)[number]
