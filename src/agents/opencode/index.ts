import type { ProtocolSupport } from '../../model/dialect.ts'
import type { AgentDescriptor } from '../descriptor.ts'
import { observed, on, refusable, unread } from '../table/events.ts'

const withoutNotice: ProtocolSupport = { ...observed, notice: 'dropped' }

/**
 * Describes OpenCode through the plugin that hookgate writes for it, as measured on 1.18.
 *
 * The model gets an error that the plugin throws. The user cannot be asked before a call, so a question becomes a
 * refusal.
 */
export const opencode: AgentDescriptor<'opencode'> = {
  name: 'opencode',
  title: 'OpenCode',
  folders: ['.opencode'],
  hookSettings: ['.config/opencode/plugins/hookgate.js', '.opencode/plugins/hookgate.js'],
  events: {
    'tool.execute.before': on('PreToolUse', { ...refusable, replaceInput: 'native', notice: 'dropped' }),
    'permission.ask': on('PermissionRequest', { ...refusable, ask: 'native', allow: 'native', notice: 'dropped' }),
    'tool.execute.after': on('PostToolUse', { ...withoutNotice, replaceOutput: 'native', context: 'native' }),
    'chat.message': on('UserPromptSubmit', { ...refusable, context: 'native', notice: 'dropped' }),
    'session.created': on('SessionStart', unread),
    'session.idle': on('Stop', unread),
    'session.deleted': on('SessionEnd', unread),
    'experimental.session.compacting': on('PreCompact', { ...withoutNotice, context: 'native' }),
  },
  tools: {
    shell: ['bash', { command: 'command' }],
    read: ['read', { path: 'filePath' }],
    write: ['write', { path: 'filePath', content: 'content' }],
    edit: ['edit', { path: 'filePath', content: 'newString', replaced: 'oldString' }],
    patch: [['apply_patch', 'patch'], { patch: 'patchText', content: 'patchText' }],
    search: ['grep', { path: 'path', pattern: 'pattern', glob: 'include' }],
    list: ['glob', { path: 'path', glob: 'pattern' }],
    listFolder: ['list', { path: 'path' }],
    fetch: ['webfetch', { url: 'url' }],
    websearch: ['websearch', { pattern: 'query' }],
    agent: ['task', { content: 'prompt' }],
  },
  mcpName: (server, tool) => `${server}_${tool}`,
  exposedEnv: ['OPENCODE'],
  install: { kind: 'plugin', onlyBy: 'OpenCode uses a plugin' },
}
