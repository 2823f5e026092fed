import { join } from 'node:path'
import type { AgentDescriptor } from '../descriptor.ts'
import type { Carries } from '../../model/dialect.ts'
import { observed, on, refusable, unread } from '../table/events.ts'
import { prints } from '../table/lints.ts'
import { filePath, part, whole } from '../tools.ts'

const refused: Carries = { ...refusable, notice: 'dropped' }
const told: Carries = { ...observed, notice: 'dropped' }

/**
 * What Cursor can be told, by its documentation and what its users report. `permission: allow` is what a hook must print
 * that has nothing to say. A question is not asked at `preToolUse`, where it becomes a refusal.
 */
export const cursor: AgentDescriptor<'cursor'> = {
  name: 'cursor',
  title: 'Cursor',
  events: {
    preToolUse: on('PreToolUse', { ...refused, replaceInput: 'said' }),
    beforeShellExecution: on('PreToolUse', { ...refused, ask: 'said' }, { tools: ['shell'] }),
    beforeMCPExecution: on('PreToolUse', { ...refused, ask: 'said' }, { tools: ['mcp'] }),
    beforeReadFile: on('PreToolUse', refused, { tools: ['read'] }),
    beforeTabFileRead: on('PreToolUse', refused, { tools: ['read'] }),
    beforeSubmitPrompt: on('UserPromptSubmit', refused),
    postToolUse: on('PostToolUse', { ...told, context: 'said' }),
    postToolUseFailure: on('PostToolUseFailure', { ...told, context: 'said' }),
    afterShellExecution: on('PostToolUse', unread, { tools: ['shell'] }),
    afterMCPExecution: on('PostToolUse', unread, { tools: ['mcp'] }),
    afterFileEdit: on('PostToolUse', unread, { tools: ['write', 'edit'] }),
    afterTabFileEdit: on('PostToolUse', unread, { tools: ['write', 'edit'] }),
    afterAgentResponse: on('MessageDisplay', unread),
    sessionStart: on('SessionStart', { ...told, context: 'said' }),
    sessionEnd: on('SessionEnd', unread),
    // A turn is gone on with by a message for the model, and in no other way.
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
  // It does not say of which server.
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
    // Cursor alone can be told to refuse where a hook fails or is late.
    entry: ({ command, timeoutS, refuses }) => ({ command, timeout: timeoutS, ...(refuses && { failClosed: true }) }),
    steps: ({ scope }) =>
      scope === 'project'
        ? ["Cursor runs a project's hooks only in a trusted workspace"]
        : ["Cursor’s cloud agents do not read a user's hooks: use `--scope project` for them"],
  },
}
