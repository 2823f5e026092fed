import { z } from 'zod'
import type { HookEvent } from '../../model/event.ts'
import { fixed, nothing, textIn, together } from './event-fields.ts'
import type { EventFields } from './table.ts'

// Event-specific fields that several agents have adopted from Claude Code, spelled as there.

/** The end of a turn. */
export const stopping: EventFields = together(
  fixed({ stop_hook_active: z.boolean().optional() }, { stop_hook_active: false }),
  textIn('last_assistant_message', 'message'),
)

export const subagentStarting: EventFields = together(textIn('agent_type', 'trigger'), {
  ...nothing,
  fields: { agent_id: z.string().optional() },
  write: ({ session }: HookEvent) => [{ agent_id: session.agentId ?? '' }],
})

export const subagentStopping: EventFields = together(subagentStarting, stopping)

export const notification: EventFields = together(textIn('notification_type', 'trigger'), textIn('message', 'message'))

/** The start of a session, for agents whose source of a fresh session is `new`. */
export const sessionSource: EventFields = {
  fields: { source: z.string() },
  read: ({ source }) => (typeof source === 'string' ? { trigger: source === 'new' ? 'startup' : source } : {}),
  write: ({ trigger }) => [{ source: trigger === undefined || trigger === 'startup' ? 'new' : trigger }],
}
