import type { EventName } from './event.ts'

/** The events about a tool call. Not a zod schema: threads that evaluate policies import it, and start without zod. */
export const toolEvents = [
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PermissionRequest',
  'PermissionDenied',
] as const satisfies readonly EventName[]
export type ToolEvent = (typeof toolEvents)[number]
