import type { Carries } from '../../model/dialect.ts'
import { refusable, unheard } from '../table/carried.ts'

const refused: Carries = { ...refusable, notice: 'dropped' }

/**
 * What Windsurf can be told, by its documentation: that something is refused, by exit code 2 and a reason on stderr, and
 * nothing else. Its hooks have no other way to answer.
 */
export const carries = {
  pre_user_prompt: refused,
  pre_run_command: refused,
  pre_read_code: refused,
  pre_write_code: refused,
  pre_mcp_tool_use: refused,
  post_run_command: unheard,
  post_read_code: unheard,
  post_write_code: unheard,
  post_mcp_tool_use: unheard,
  post_cascade_response: unheard,
  post_setup_worktree: unheard,
} as const satisfies Readonly<Record<string, Carries>>
