import { lastResortBy } from '../last-resort-table.ts'

// INVARIANT: nothing but the table of last resorts is imported here, types included.

/** What a gate that cannot decide tells Gemini CLI at each event. */
export const lastResort = lastResortBy(
  {
    BeforeTool: 'refuse',
    AfterTool: 'refuse',
    BeforeAgent: 'refuse',
    AfterAgent: 'refuse',
    SessionStart: 'report',
    SessionEnd: 'report',
    PreCompress: 'report',
    Notification: 'report',
  },
  (_event, reason) => ({ decision: 'deny', reason }),
)
