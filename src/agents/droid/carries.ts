import type { Carries } from '../../model/dialect.ts'
import { observed, refusable, unheard } from '../table/carried.ts'

/**
 * What droid can be told, as measured on 0.225 with `droid exec`; prompts and notifications as it documents them. A
 * question runs the tool without one, so it becomes a refusal. An `allow` must not be said: it lifts droid's own gate on
 * what the chosen autonomy does not cover.
 */
export const carries = {
  PreToolUse: { ...refusable, replaceInput: 'said', stop: 'said' },
  // Only exit code 2 is heard there: the reason is told to the model.
  PostToolUse: { ...refusable, context: 'said' },
  UserPromptSubmit: { ...refusable, stop: 'said', context: 'said' },
  SessionStart: { ...observed, context: 'said' },
  SessionEnd: unheard,
  Stop: { ...refusable, stop: 'said' },
  SubagentStop: { ...refusable, stop: 'said' },
  PreCompact: observed,
  Notification: observed,
} as const satisfies Readonly<Record<string, Carries>>
