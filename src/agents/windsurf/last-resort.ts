import { lastResortBy } from '../last-resort-table.ts'

// INVARIANT: imports only the table of last resorts, types included.

/** The last resort at each of Windsurf's events, which honours only code 2 with the reason on stderr. */
export const lastResort = lastResortBy(
  {
    pre_user_prompt: 'refuse',
    pre_run_command: 'refuse',
    pre_read_code: 'refuse',
    pre_write_code: 'refuse',
    pre_mcp_tool_use: 'refuse',
    post_run_command: 'report',
    post_read_code: 'report',
    post_write_code: 'report',
    post_mcp_tool_use: 'report',
    post_cascade_response: 'report',
    post_setup_worktree: 'report',
  },
  (_name, reason) => ({ reason }),
)
