import type { Carries } from '../../model/dialect.ts'
import { observed, refusable, unheard } from '../table/carried.ts'

/**
 * What Qwen Code can be told, as measured on 0.24.4. Its documentation has more: another input and a context are read over
 * at `PreToolUse`, and so is a refusal at `PostToolUse`. Headless, it refuses what a person would have to be asked.
 */
export const carries = {
  PreToolUse: { ...refusable, ask: 'said', allow: 'said' },
  PermissionRequest: { ...refusable, ask: 'silence', allow: 'said' },
  PermissionDenied: observed,
  PostToolUse: { ...observed, context: 'said' },
  PostToolUseFailure: { ...observed, context: 'said' },
  PostToolBatch: observed,
  UserPromptSubmit: { ...refusable, stop: 'said', context: 'said' },
  UserPromptExpansion: observed,
  SessionStart: { ...observed, context: 'said' },
  SessionEnd: unheard,
  Stop: { ...refusable, stop: 'said' },
  StopFailure: unheard,
  SubagentStart: { ...observed, context: 'said' },
  SubagentStop: { ...refusable, stop: 'said' },
  PreCompact: observed,
  PostCompact: observed,
  Notification: observed,
  MessageDisplay: unheard,
  InstructionsLoaded: unheard,
  TaskCreated: unheard,
  TaskCompleted: unheard,
} as const satisfies Readonly<Record<string, Carries>>
