import type { AgentDescriptor } from '../descriptor.ts'
import {
  pluginEvents,
  pluginInstall,
  pluginManaged,
  pluginExit,
  pluginMcpName,
  pluginTools,
  pluginVariables,
} from '../install/plugin-api.ts'

/** Describes Kilo's CLI, which is derived from OpenCode and loads its plugins from folders of its own: as of 7.7.9. */
export const kilo: AgentDescriptor<'kilo'> = {
  name: 'kilo',
  title: 'Kilo',
  folders: ['.kilo', '.kilocode'],
  installedFolders: ['.config/kilo', '.local/share/kilo', '.kilo', '.kilocode'],
  hookSettings: ['.config/kilo/plugins/hookgate.js', '.kilo/plugins/hookgate.js'],
  events: pluginEvents,
  tools: {
    ...pluginTools,
    // Only two of its actions run a command.
    monitor: ['background_process', { command: 'command', insteadOfCommand: 'action' }],
    agent: [['task', 'cron_create', 'schedule_wakeup'], { content: 'prompt' }],
  },
  shellExit: pluginExit,
  mcpName: pluginMcpName,
  exposedEnv: ['KILO', 'KILO_PID', 'KILO_PROCESS_ROLE', 'KILO_RUN_ID', 'KILOCODE_FEATURE', 'OPENCODE'],
  tokens: () => import('../install/plugin-tokens.ts'),
  variables: pluginVariables('kilo'),
  install: pluginInstall('kilo', 'Kilo'),
  managed: pluginManaged('kilo', 'Kilo'),
}
