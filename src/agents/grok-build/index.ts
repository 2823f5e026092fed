import { join } from 'node:path'
import type { ProtocolSupport } from '../../model/dialect.ts'
import { isJsonObject } from '../../model/json.ts'
import { isAtOrBelow } from '../../words/machine-paths.ts'
import type { AgentDescriptor } from '../descriptor.ts'
import { type InstallSite, ownFolder } from '../install/install.ts'
import { eventsNamedAlike, refusable, unread } from '../table/events.ts'
import { part, whole } from '../tools.ts'

const grokFolder = (site: InstallSite) => ownFolder(site, 'GROK_HOME', '.grok')

/** Grok ignores `systemMessage` at every event. */
const decided: ProtocolSupport = { ...refusable, notice: 'dropped' }

/**
 * Describes Grok Build, as measured on 1.0.41 with `grok -p`; its own guide to hooks is the source of the rest.
 *
 * A question runs the tool where every call is approved, as in headless use, so it becomes a refusal. An `allow` skips
 * no prompt: silence means the same. A replaced output has to be in Grok's own shape, which rules do not know.
 */
export const grokBuild: AgentDescriptor<'grok-build'> = {
  name: 'grok-build',
  title: 'Grok Build',
  folders: ['.grok'],
  hookSettings: [
    '.grok/hooks/hookgate.json',
    '.grok/disabled-hooks',
    '.grok/config.toml',
    '.grok/managed_config.toml',
    '.grok/requirements.toml',
    '.grok/trusted_folders.toml',
  ],
  ownFields: ['hookEventName'],
  events: eventsNamedAlike({
    PreToolUse: { ...decided, replaceInput: 'native', context: 'native' },
    // The model gets the reason beside the output.
    PostToolUse: { ...decided, replaceOutput: 'unsupported', context: 'native' },
    PostToolUseFailure: { ...unread, context: 'native' },
    PermissionDenied: unread,
    UserPromptSubmit: decided,
    SessionStart: unread,
    SessionEnd: unread,
    // A context would keep the agent going, as a refusal does.
    Stop: { ...decided, stop: 'native' },
    StopFailure: unread,
    SubagentStart: unread,
    SubagentStop: { ...decided, stop: 'native' },
    PreCompact: unread,
    PostCompact: unread,
    Notification: unread,
  }),
  // Measured: a command that has failed comes as `PostToolUse`, with its code beside the output.
  shellExit({ result }) {
    const code = isJsonObject(result?.output) ? result.output['exit_code'] : undefined
    return typeof code === 'number' ? code : undefined
  },
  tools: {
    shell: ['run_terminal_command', { command: 'command' }],
    monitor: ['monitor', { command: 'command' }],
    read: ['read_file', { path: 'target_file' }],
    write: ['write', whole],
    edit: ['search_replace', part],
    search: ['grep', { path: 'path', pattern: 'pattern', glob: 'glob' }],
    listFolder: ['list_dir', { path: 'target_directory' }],
    fetch: ['web_fetch', { url: 'url' }],
    websearch: ['web_search', { pattern: 'query' }],
    agent: [['spawn_subagent', 'scheduler_create'], { content: 'prompt' }],
  },
  mcpName: (server, tool) => `${server}__${tool}`,
  exposedEnv: ['GROK_AGENT', 'GROK_HOOK_EVENT', 'GROK_HOOK_NAME', 'GROK_SESSION_ID', 'GROK_WORKSPACE_ROOT'],
  install: {
    kind: 'hooks-file',
    files: (site) => [
      {
        file: join(site.scope === 'user' ? grokFolder(site) : join(site.cwd, '.grok'), 'hooks', 'hookgate.json'),
        at: 'hooks',
        holds: 'groups',
      },
    ],
    // Without a `timeout` Grok waits 5 seconds at most events, and then goes ahead.
    entry: ({ command, timeoutS }) => ({ type: 'command', command, timeout: timeoutS }),
    obstacles: (site) =>
      policyFiles(site).flatMap((file) =>
        ['allow_managed_hooks_only', 'allowManagedHooksOnly'].flatMap((key) =>
          (site.settings.toml(file, key) ?? false) === false
            ? []
            : [`${file}: \`${key}\` blocks every hook that is not the organization’s`],
        ),
      ),
    problems: (site) => [...disabledHooks(site), ...(site.scope === 'project' ? folderTrust(site) : [])],
    steps: ({ scope, cwd }) =>
      scope === 'project'
        ? [`Grok runs them only in a trusted folder, and says nothing otherwise: start \`grok --trust\` in ${cwd}`]
        : [],
  },
}

const policyFiles = (site: InstallSite) =>
  ['/etc/grok', grokFolder(site)].flatMap((folder) =>
    ['requirements.toml', 'managed_config.toml'].map((name) => join(folder, name)),
  )

/** Reports hooks that the user has switched off in Grok, which keeps one name a line. */
function disabledHooks(site: InstallSite): readonly string[] {
  const file = join(grokFolder(site), 'disabled-hooks')
  const source = site.scope === 'user' ? 'global' : 'project'
  const names = (site.settings.text(file) ?? '').split('\n').map((line) => line.trim())
  const off = names.filter((name) => name.startsWith(`${source}/hookgate:`))
  return off.length === 0
    ? []
    : [`${file} switches it off (${off.join(', ')}): switch it on again with \`/hooks\` in Grok`]
}

function folderTrust(site: InstallSite): readonly string[] {
  if (site.settings.toml(join(grokFolder(site), 'config.toml'), 'folder_trust', 'enabled') === false) return []
  const folders = site.settings.toml(join(grokFolder(site), 'trusted_folders.toml'), 'folders')
  const trusted = isJsonObject(folders)
    ? Object.entries(folders).filter(([, entry]) => isJsonObject(entry) && entry['trusted'] === true)
    : []
  if (trusted.some(([folder]) => isAtOrBelow(site.cwd, folder))) return []
  return [`Grok silently ignores the hooks of an untrusted folder: start \`grok --trust\` in ${site.cwd}`]
}
