import { isAbsolute, join } from 'node:path'
import type { AgentDescriptor } from '../descriptor.ts'
import type { HookSwitch, InstallSite } from '../install/install.ts'
import { clawFolder, type ClawSite } from './folder.ts'
import { on, refusable, unread } from '../table/events.ts'

/** By this name OpenClaw knows the plugin, and its settings have an entry for it. */
const plugin = 'hookgate'

function settingsFile(site: ClawSite): string {
  const named = site.env['OPENCLAW_CONFIG_PATH'] ?? ''
  if (named === '') return join(clawFolder(site), 'openclaw.json')
  return isAbsolute(named) ? named : join(site.cwd, named)
}

const folderIn = (site: ClawSite) => join(clawFolder(site), 'extensions', plugin)

/**
 * Describes OpenClaw through the plugin that hookgate writes for it, as measured on 2026.9.6.
 *
 * It can ask a person only where a gateway runs that has a surface for it, so a question is a refusal, which approvals
 * can lift. Its plugins learn of a result, and cannot change it.
 */
export const openclaw: AgentDescriptor<'openclaw'> = {
  name: 'openclaw',
  title: 'OpenClaw',
  folders: ['.openclaw'],
  hookSettings: ['.openclaw/openclaw.json', `.openclaw/extensions/${plugin}`],
  offCommands: {
    program: 'openclaw',
    words:
      /^(?: -\S+(?: [^\s-]\S*)?)* (?:plugins? (?:disable|uninstall) .*hookgate|config (?:set|unset|patch|set ref) .*(?:plugins?(?:$|\W+(?:enabled|allow|deny|entries(?:\W*$|\W*hookgate|\W*?\{)))|[{[])|gateway call config\.|reset|uninstall|backup restore)/,
  },
  ownFields: ['clawSession'],
  events: {
    before_tool_call: on('PreToolUse', { ...refusable, replaceInput: 'native', notice: 'dropped' }),
    after_tool_call: on('PostToolUse', unread, { saysFailure: true }),
    session_start: on('SessionStart', unread),
    session_end: on('SessionEnd', unread),
  },
  tools: {
    shell: ['exec', { command: 'command', variables: 'env' }],
    // With what it types, the wire makes a command of it.
    monitor: ['process', { insteadOfCommand: 'action' }],
    read: ['read', { path: 'path' }],
    write: ['write', { path: 'path', content: 'content' }],
    edit: ['edit', { path: 'path' }],
    patch: ['apply_patch', { patch: 'input', content: 'input' }],
    listFolder: ['ls', { path: 'path' }],
    fetch: ['web_fetch', { url: 'url' }],
    websearch: ['web_search', { pattern: 'query' }],
    browser: ['browser', { url: 'url' }],
    agent: ['sessions_spawn', { content: 'task' }],
  },
  mcpName: (server, tool) => `${server}__${tool}`,
  exposedEnv: ['OPENCLAW_CLI', 'OPENCLAW_SHELL', 'OPENCLAW_CHANNEL_CONTEXT'],
  sessions: () => import('./transcript.ts'),
  install: {
    kind: 'plugin',
    onlyBy: 'OpenClaw uses a plugin',
    userOnly: 'OpenClaw loads plugins only from its user’s own settings',
    api: 'package',
    file: (site) => join(folderIn(site), 'index.js'),
    beside: {
      'package.json': lines({
        name: plugin,
        version: '1.0.0',
        type: 'module',
        openclaw: { extensions: ['./index.js'] },
      }),
      'openclaw.plugin.json': lines({
        id: plugin,
        name: plugin,
        description: 'Has hookgate asked before a tool is run',
        activation: { onStartup: true },
        configSchema: { type: 'object', additionalProperties: false },
      }),
    },
    entry: (site) => ({
      file: settingsFile(site),
      path: ['plugins', 'entries', plugin],
      value: { enabled: true },
    }),
    notes: codexNotes,
    switchedOff,
  },
}

function lines(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`
}

/** Finds the settings with which OpenClaw does not load hookgate's plugin. */
function switchedOff(site: InstallSite): readonly HookSwitch[] {
  const { settings } = site
  const file = settingsFile(site)
  if (!settings.exists(join(folderIn(site), 'index.js'))) return []
  const at = (...path: readonly string[]) => settings.json(file, 'plugins', ...path)
  const [allow, deny] = [at('allow'), at('deny')]
  return [
    ...(at('enabled') === false ? [{ file, setting: '`plugins.enabled` is false' }] : []),
    ...(Array.isArray(deny) && deny.includes(plugin) ? [{ file, setting: `\`plugins.deny\` has \`${plugin}\`` }] : []),
    ...(Array.isArray(allow) && !allow.includes(plugin)
      ? [{ file, setting: `\`plugins.allow\` lacks \`${plugin}\``, remedy: 'add it' }]
      : []),
    ...(at('entries', plugin, 'enabled') === false
      ? [{ file, setting: `\`plugins.entries.${plugin}.enabled\` is false` }]
      : []),
  ]
}

/** OpenClaw can hand a whole turn to Codex, which then runs tools of its own. */
function codexNotes(site: InstallSite): readonly string[] {
  const codex = site.settings.json(settingsFile(site), 'plugins', 'entries', 'codex', 'enabled')
  return codex === true
    ? ["whether a refusal holds for Codex's own tools, in OpenClaw's Codex runtime, was not tried"]
    : []
}
