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
    // What is said to a model and by it is no event of hookgate's, and nobody's rules are asked about it.
    BeforeModel: 'report',
    AfterModel: 'report',
    BeforeToolSelection: 'report',
  },
  (_event, reason) => ({ decision: 'deny', reason }),
)
