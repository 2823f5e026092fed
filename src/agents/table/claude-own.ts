import { z } from 'zod'
import type { HookEvent } from '../../model/event.ts'
import { fixed, nothing, type Own, textIn, together } from './own.ts'

// The own fields of events that several agents have from Claude Code, spelled as there.

/** The end of a turn. */
export const stopping: Own = together(
  fixed({ stop_hook_active: z.boolean().optional() }, { stop_hook_active: false }),
  textIn('last_assistant_message', 'message'),
)

export const subagentStarting: Own = together(textIn('agent_type', 'trigger'), {
  ...nothing,
  fields: { agent_id: z.string().optional() },
  write: ({ session }: HookEvent) => [{ agent_id: session.agentId ?? '' }],
})

export const subagentStopping: Own = together(subagentStarting, stopping)

export const notification: Own = together(textIn('notification_type', 'trigger'), textIn('message', 'message'))

/** The start of a session, of agents that call a session which begins `new`. */
export const sessionSource: Own = {
  fields: { source: z.string() },
  read: ({ source }) => (typeof source === 'string' ? { trigger: source === 'new' ? 'startup' : source } : {}),
  write: ({ trigger }) => [{ source: trigger === undefined || trigger === 'startup' ? 'new' : trigger }],
}
