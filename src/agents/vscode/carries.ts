import type { Carries } from '../../model/dialect.ts'
import { observed, refusable } from '../table/carried.ts'

/**
 * What VS Code's agent can be told, by its source and documentation. Another input that does not fit the tool's schema is
 * dropped, and the call goes on with the old one.
 */
export const carries = {
  PreToolUse: { ...refusable, ask: 'said', allow: 'said', replaceInput: 'said', stop: 'said', context: 'said' },
  PostToolUse: { ...refusable, stop: 'said', context: 'said' },
  UserPromptSubmit: { ...refusable, stop: 'said' },
  SessionStart: { ...observed, context: 'said' },
  Stop: { ...refusable, stop: 'said' },
  SubagentStart: { ...observed, context: 'said' },
  SubagentStop: { ...refusable, stop: 'said' },
  PreCompact: observed,
} as const satisfies Readonly<Record<string, Carries>>
