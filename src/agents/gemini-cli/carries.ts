import type { Carries } from '../../model/dialect.ts'
import { observed, refusable } from '../table/carried.ts'

/**
 * What Gemini CLI can be told, as measured on 0.61. A question becomes a refusal: without a person there it waits for ever
 * for an answer, and with one it overrides what Gemini's own policies deny. An `allow` would not pass those by: silence
 * says as much. `BeforeModel`, `AfterModel` and `BeforeToolSelection` carry whole conversations with a model: no rule here
 * is about them, so they are none of the events.
 */
export const carries = {
  BeforeTool: { ...refusable, replaceInput: 'said', stop: 'said' },
  // The model is told the reason in place of the result.
  AfterTool: { ...refusable, stop: 'said', context: 'said' },
  BeforeAgent: { ...refusable, stop: 'said', context: 'said' },
  AfterAgent: { ...refusable, stop: 'said' },
  SessionStart: { ...observed, context: 'said' },
  SessionEnd: observed,
  PreCompress: observed,
  Notification: observed,
} as const satisfies Readonly<Record<string, Carries>>
