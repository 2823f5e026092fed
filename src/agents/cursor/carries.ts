import type { Carries } from '../../model/dialect.ts'
import { observed, refusable, unheard } from '../table/carried.ts'

const refused: Carries = { ...refusable, notice: 'dropped' }
const told: Carries = { ...observed, notice: 'dropped' }

/**
 * What Cursor can be told, by its documentation and what its users report. `permission: allow` is what a hook must print
 * that has nothing to say. A question is not asked at `preToolUse`, where it becomes a refusal.
 */
export const carries = {
  preToolUse: { ...refused, replaceInput: 'said' },
  beforeShellExecution: { ...refused, ask: 'said' },
  beforeMCPExecution: { ...refused, ask: 'said' },
  beforeReadFile: refused,
  beforeTabFileRead: refused,
  beforeSubmitPrompt: refused,
  postToolUse: { ...told, context: 'said' },
  postToolUseFailure: { ...told, context: 'said' },
  afterShellExecution: unheard,
  afterMCPExecution: unheard,
  afterFileEdit: unheard,
  afterTabFileEdit: unheard,
  afterAgentResponse: unheard,
  sessionStart: { ...told, context: 'said' },
  sessionEnd: unheard,
  // A turn is gone on with by a message for the model, and in no other way.
  stop: refused,
  subagentStart: refused,
  subagentStop: refused,
  preCompact: unheard,
} as const satisfies Readonly<Record<string, Carries>>
