import { isAbsolute, join } from 'node:path'
import type { ProtocolSupport } from '../../model/dialect.ts'
import { type AgentEvent, observed, on, refusable, unread } from '../table/events.ts'
import type { ShellExit } from '../table/shell-exit.ts'
import type { AgentTools } from '../tools.ts'
import type { PluginInstall } from './install.ts'
import type { ManagedInstall } from './managed.ts'
import type { SwitchVariables } from './switch-variables.ts'

// The parts that the descriptors of OpenCode and of agents derived from it have in common: they load the same plugin.

const withoutNotice: ProtocolSupport = { ...observed, notice: 'dropped' }

/**
 * The events that hookgate's plugin reports, as measured on OpenCode 1.18.
 *
 * The model gets an error that the plugin throws. The user cannot be asked before a call, so a question becomes a
 * refusal.
 */
export const pluginEvents: Readonly<Record<string, AgentEvent>> = {
  'tool.execute.before': on('PreToolUse', { ...refusable, replaceInput: 'native', notice: 'dropped' }),
  'permission.ask': on('PermissionRequest', { ...refusable, ask: 'native', allow: 'native', notice: 'dropped' }),
  'tool.execute.after': on('PostToolUse', { ...withoutNotice, replaceOutput: 'native', context: 'native' }),
  'chat.message': on('UserPromptSubmit', { ...refusable, context: 'native', notice: 'dropped' }),
  'session.created': on('SessionStart', unread),
  'session.idle': on('Stop', unread),
  'session.deleted': on('SessionEnd', unread),
  'experimental.session.compacting': on('PreCompact', { ...withoutNotice, context: 'native' }),
}

export const pluginTools: AgentTools = {
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
}

/** The plugin passes on what the tool says of its exit. */
export const pluginExit: ShellExit = ({ raw: { exit } }) => (typeof exit === 'number' ? exit : undefined)

export const pluginMcpName = (server: string, tool: string): string => `${server}_${tool}`

export const pluginInstall = (name: string, title: string): PluginInstall => ({
  kind: 'plugin',
  onlyBy: `${title} uses a plugin`,
  api: 'plugin',
  file({ scope, env, cwd, home }) {
    const xdg = env['XDG_CONFIG_HOME']
    const config = join(xdg !== undefined && isAbsolute(xdg) ? xdg : join(home, '.config'), name)
    // Every file in it is taken for a plugin.
    return join(scope === 'project' ? join(cwd, `.${name}`) : config, 'plugins', 'hookgate.js')
  },
})

/** Returns the variables that keep the agent from loading plugins, or have it read another file of administrators. */
export function pluginVariables(name: string): SwitchVariables {
  const prefix = name.toUpperCase()
  return {
    rows: [
      {
        name: `${prefix}_PURE`,
        when: switchedOn,
        does: 'loads no plugins',
        from: ['environment'],
        passes: ['own', 'managed'],
      },
      {
        name: `${prefix}_TEST_MANAGED_CONFIG_DIR`,
        does: 'reads another file of administrators, or none',
        from: ['environment'],
        passes: ['managed'],
      },
    ],
  }
}
const switchedOn = /^(?:1|true)$/i

/** Returns the file by which an administrator has a plugin loaded for everybody on a machine. No folder of plugins can. */
export function pluginManaged(name: string, title: string): ManagedInstall {
  const variables = pluginVariables(name).rows.map((row) => `\`${row.name}\``)
  return {
    binds: 'advisory',
    knownFrom: 'measurement',
    folders: {
      linux: `/etc/${name}`,
      darwin: `/Library/Application Support/${name}`,
      win32: `C:\\ProgramData\\${name}`,
    },
    file: `${name}.json`,
    pluginFile: 'hookgate.js',
    at: 'top',
    holds: 'handlers',
    staysOpen: [
      `a user who gives ${title} the option \`--pure\`, or sets ${variables.join(' or ')}, has it load no such plugin`,
    ],
  }
}
