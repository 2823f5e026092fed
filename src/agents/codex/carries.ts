import type { Carries } from '../../model/dialect.ts'
import { observed, refusable, unheard } from '../table/carried.ts'

/**
 * What Codex can be told, as measured on 0.169. It has no `ask`: an answer with one is an error, and the tool runs, so
 * that a question becomes a refusal. A bare `allow` is the same error; silence leaves the call to Codex's own approval.
 * What has no form at an event must not be tried: one key that Codex does not know voids the whole answer.
 */
export const carries = {
  PreToolUse: { ...refusable, replaceInput: 'said', context: 'said' },
  // `updatedInput` is reserved there, and an answer that holds it is thrown away.
  PermissionRequest: { ...refusable, ask: 'silence', allow: 'said' },
  // A refusal takes the place of the tool's output; another output has no form.
  PostToolUse: { ...refusable, stop: 'said', context: 'said' },
  UserPromptSubmit: { ...refusable, stop: 'said', context: 'said' },
  SessionStart: { ...observed, stop: 'said', context: 'said' },
  SubagentStart: { ...observed, stop: 'said', context: 'said' },
  Stop: { ...refusable, stop: 'said' },
  SubagentStop: { ...refusable, stop: 'said' },
  PreCompact: { ...observed, stop: 'said' },
  PostCompact: { ...observed, stop: 'said' },
  SessionEnd: unheard,
} as const satisfies Readonly<Record<string, Carries>>
