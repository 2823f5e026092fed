import { join } from 'node:path'
import type { AgentDescriptor } from '../descriptor.ts'
import type { ProtocolSupport } from '../../model/dialect.ts'
import { on, refusable, unread } from '../table/events.ts'
import { filePath } from '../tools.ts'

const refused: ProtocolSupport = { ...refusable, notice: 'dropped' }

/**
 * Describes Windsurf, by its documentation.
 *
 * Its hooks can only refuse, by exit code 2 with a reason on stderr; they have no other way to answer.
 */
export const windsurf: AgentDescriptor<'windsurf'> = {
  name: 'windsurf',
  title: 'Windsurf',
  folders: ['.windsurf', '.codeium'],
  hookSettings: ['.codeium/windsurf/hooks.json', '.windsurf/hooks.json'],
  events: {
    pre_user_prompt: on('UserPromptSubmit', refused),
    pre_run_command: on('PreToolUse', refused, { tools: ['shell'] }),
    pre_read_code: on('PreToolUse', refused, { tools: ['read'] }),
    pre_write_code: on('PreToolUse', refused, { tools: ['write', 'edit'] }),
    pre_mcp_tool_use: on('PreToolUse', refused, { tools: ['mcp'] }),
    post_run_command: on('PostToolUse', unread, { tools: ['shell'] }),
    post_read_code: on('PostToolUse', unread, { tools: ['read'] }),
    post_write_code: on('PostToolUse', unread, { tools: ['write', 'edit'] }),
    post_mcp_tool_use: on('PostToolUse', unread, { tools: ['mcp'] }),
    post_cascade_response: on('Stop', unread),
    post_setup_worktree: on('WorktreeCreate', unread),
  },
  tools: {
    shell: ['run_command', { command: 'command_line' }],
    read: ['read_code', filePath],
    write: ['write_code', filePath],
    edit: ['write_code', filePath],
  },
  exposedEnv: [],
  lints: [
    {
      found: /["'](?:permission|decision|permissionDecision|cancel)\\?["']\s*:/,
      unless: /\bexit 2\b|exit\(2\)|exitCode = 2/,
      message: 'Windsurf does not read what a hook prints to stdout',
      remedy: 'exit with 2, and print the reason to stderr',
    },
  ],
  install: {
    kind: 'hooks-file',
    files: ({ scope, home, cwd }) => [
      {
        file: join(scope === 'user' ? join(home, '.codeium', 'windsurf') : join(cwd, '.windsurf'), 'hooks.json'),
        at: 'hooks',
        holds: 'handlers',
      },
    ],
    // Windsurf documents no time limit. A hook's output is shown, so that the user sees the reason of a refusal.
    entry: ({ command, platform }) => ({
      ...(platform === 'win32' ? { powershell: command } : { command }),
      show_output: true,
    }),
  },
  managed: {
    binds: 'enforced',
    knownFrom: 'documentation',
    folders: {
      linux: '/etc/windsurf',
      darwin: '/Library/Application Support/Windsurf',
      win32: 'C:\\ProgramData\\Windsurf',
    },
    file: 'hooks.json',
    at: 'hooks',
    holds: 'handlers',
    staysOpen: ['nobody has tried yet what switches it off'],
  },
}
