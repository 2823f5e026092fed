import { lastResortBy } from '../last-resort-table.ts'

// INVARIANT: imports only the table of last resorts, types included.

/** The last resort at each of Windsurf's events, which honours only code 2 with the reason on stderr. */
export const lastResort = lastResortBy({
  nameKey: 'agent_action_name',
  reported: [
    'post_run_command',
    'post_read_code',
    'post_write_code',
    'post_mcp_tool_use',
    'post_cascade_response',
    'post_setup_worktree',
  ],
  refusal: (_name, reason) => ({ reason }),
})
