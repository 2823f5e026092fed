import type { EventName } from './event.ts'

/** The events that are about a tool call. No schema: threads that evaluate policies read it, and start without one. */
export const toolEvents = [
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PermissionRequest',
  'PermissionDenied',
] as const satisfies readonly EventName[]
export type ToolEvent = (typeof toolEvents)[number]
