import { join } from 'node:path'
import type { AgentDescriptor } from '../descriptor.ts'
import type { ProtocolSupport } from '../../model/dialect.ts'
import { observed, on, refusable, unread } from '../table/events.ts'
import { prints } from '../table/lints.ts'
import { filePath, part, whole } from '../tools.ts'

const refused: ProtocolSupport = { ...refusable, notice: 'dropped' }
const withoutNotice: ProtocolSupport = { ...observed, notice: 'dropped' }

/**
 * Describes Cursor, by its documentation and its users' reports.
 *
 * A hook without an opinion must print `permission: allow`. Cursor does not ask the user at `preToolUse`, so a question
 * becomes a refusal there.
 */
export const cursor: AgentDescriptor<'cursor'> = {
  name: 'cursor',
  title: 'Cursor',
  folders: ['.cursor'],
  hookSettings: ['.cursor/hooks.json'],
  events: {
    preToolUse: on('PreToolUse', { ...refused, replaceInput: 'native' }),
    beforeShellExecution: on('PreToolUse', { ...refused, ask: 'native' }, { tools: ['shell'] }),
    beforeMCPExecution: on('PreToolUse', { ...refused, ask: 'native' }, { tools: ['mcp'] }),
    beforeReadFile: on('PreToolUse', refused, { tools: ['read'] }),
    beforeTabFileRead: on('PreToolUse', refused, { tools: ['read'] }),
    beforeSubmitPrompt: on('UserPromptSubmit', refused),
    postToolUse: on('PostToolUse', { ...withoutNotice, context: 'native' }),
    postToolUseFailure: on('PostToolUseFailure', { ...withoutNotice, context: 'native' }),
    afterShellExecution: on('PostToolUse', unread, { tools: ['shell'] }),
    afterMCPExecution: on('PostToolUse', unread, { tools: ['mcp'] }),
    afterFileEdit: on('PostToolUse', unread, { tools: ['write', 'edit'] }),
    afterTabFileEdit: on('PostToolUse', unread, { tools: ['write', 'edit'] }),
    afterAgentResponse: on('MessageDisplay', unread),
    sessionStart: on('SessionStart', { ...withoutNotice, context: 'native' }),
    sessionEnd: on('SessionEnd', unread),
    // A turn is continued by a message for the model, and in no other way.
    stop: on('Stop', refused),
    subagentStart: on('SubagentStart', refused),
    subagentStop: on('SubagentStop', refused),
    preCompact: on('PreCompact', unread),
  },
  tools: {
    shell: ['Shell', { command: 'command' }],
    read: ['Read', filePath],
    write: ['Write', whole],
    edit: ['Edit', part],
    delete: ['Delete', filePath],
    search: ['Grep', { path: 'path', pattern: 'pattern', glob: 'glob' }],
    list: ['Glob', { path: 'target_directory', glob: 'glob_pattern' }],
    listFolder: ['LS', { path: 'path' }],
    fetch: ['WebFetch', { url: 'url' }],
    websearch: ['WebSearch', { pattern: 'search_term' }],
    agent: ['Task', { content: 'prompt' }],
  },
  // The name does not contain the server.
  mcpName: (_server, tool) => `MCP:${tool}`,
  exposedEnv: ['CURSOR_AGENT', 'CURSOR_PROJECT_DIR'],
  lints: [
    {
      at: (events) => events.some((event) => /^(?:preToolUse|before(?:Shell|MCP)Execution|PreToolUse)$/.test(event)),
      found: prints('permission', 'deny'),
      unless: prints('permission', 'allow'),
      message: 'a hook that prints nothing blocks every tool in Cursor',
      remedy: 'print `{"permission": "allow"}` if there is nothing to say',
    },
  ],
  install: {
    kind: 'hooks-file',
    files: ({ scope, home, cwd }) => [
      { file: join(scope === 'user' ? home : cwd, '.cursor', 'hooks.json'), at: 'hooks', holds: 'handlers' },
    ],
    beside: { version: 1 },
    // Only Cursor can be configured to refuse if a hook fails or is late.
    entry: ({ command, timeoutS, refuses }) => ({ command, timeout: timeoutS, ...(refuses && { failClosed: true }) }),
    steps: ({ scope }) =>
      scope === 'project'
        ? ["Cursor runs a project's hooks only in a trusted workspace"]
        : ["Cursor’s cloud agents do not read a user's hooks: use `--scope project` for them"],
  },
  managed: {
    binds: 'enforced',
    knownFrom: 'documentation',
    folders: {
      linux: '/etc/cursor',
      darwin: '/Library/Application Support/Cursor',
      win32: 'C:\\ProgramData\\Cursor',
    },
    file: 'hooks.json',
    at: 'hooks',
    holds: 'handlers',
    staysOpen: ['nobody has tried yet what switches it off'],
  },
}
