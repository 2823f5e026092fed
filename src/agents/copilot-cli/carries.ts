import type { Carries } from '../../model/dialect.ts'
import { observed, refusable, unheard } from '../table/carried.ts'

const told: Carries = { ...observed, notice: 'dropped' }
const refused: Carries = { ...refusable, notice: 'dropped' }

/**
 * What GitHub Copilot CLI can be told, as measured on 1.0.102. Headless, it refuses what a person would have to be asked.
 * It has no word for a notice, and reads over `continue: false`.
 */
export const carries = {
  preToolUse: { ...refused, ask: 'said', allow: 'said', replaceInput: 'said', context: 'said' },
  permissionRequest: { ...refused, ask: 'silence', allow: 'said' },
  postToolUse: { ...refused, replaceOutput: 'said', context: 'said' },
  postToolUseFailure: told,
  userPromptSubmitted: refused,
  // What is to be done about a prompt was asked before.
  userPromptTransformed: told,
  sessionStart: { ...told, context: 'said' },
  sessionEnd: unheard,
  agentStop: refused,
  subagentStart: told,
  subagentStop: refused,
  preCompact: told,
  notification: told,
  errorOccurred: unheard,
} as const satisfies Readonly<Record<string, Carries>>
