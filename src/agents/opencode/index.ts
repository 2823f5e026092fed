import type { AgentDescriptor } from '../descriptor.ts'
import {
  pluginEvents,
  pluginExit,
  pluginInstall,
  pluginManaged,
  pluginMcpName,
  pluginTools,
  pluginVariables,
} from '../install/plugin-api.ts'

/** Describes OpenCode through the plugin that hookgate writes for it, as measured on 1.18. */
export const opencode: AgentDescriptor<'opencode'> = {
  name: 'opencode',
  title: 'OpenCode',
  folders: ['.opencode'],
  installedFolders: ['.config/opencode', '.local/share/opencode', '.opencode'],
  hookSettings: ['.config/opencode/plugins/hookgate.js', '.opencode/plugins/hookgate.js'],
  events: pluginEvents,
  tools: pluginTools,
  mcpName: pluginMcpName,
  exposedEnv: ['OPENCODE'],
  shellExit: pluginExit,
  sessions: () => import('./transcript.ts'),
  tokens: () => import('../install/plugin-tokens.ts'),
  variables: pluginVariables('opencode'),
  install: pluginInstall('opencode', 'OpenCode'),
  managed: pluginManaged('opencode', 'OpenCode'),
}
