import { lastResortBy } from '../last-resort-table.ts'

// INVARIANT: imports only the table of last resorts, types included.

/** The last resort at each of Gemini CLI's events. */
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
    // Exchanges with the model are not among hookgate's events, and no rule applies to them.
    BeforeModel: 'report',
    AfterModel: 'report',
    BeforeToolSelection: 'report',
  },
  (_event, reason) => ({ decision: 'deny', reason }),
)
