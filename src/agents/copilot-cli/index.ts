import { join } from 'node:path'
import type { AgentDescriptor } from '../descriptor.ts'
import type { InstallSite } from '../install.ts'
import { isBelow, ownFolder, switchedOff } from '../settings.ts'
import type { ProtocolSupport } from '../../model/dialect.ts'
import { observed, on, refusable, unread } from '../table/events.ts'

const folderOf = (site: InstallSite) => ownFolder(site, 'COPILOT_HOME', '.copilot')

const withoutNotice: ProtocolSupport = { ...observed, notice: 'dropped' }
const refused: ProtocolSupport = { ...refusable, notice: 'dropped' }

const own = {
  preToolUse: on('PreToolUse', {
    ...refused,
    ask: 'native',
    allow: 'native',
    replaceInput: 'native',
    context: 'native',
  }),
  permissionRequest: on('PermissionRequest', { ...refused, ask: 'implicit', allow: 'native' }),
  postToolUse: on('PostToolUse', { ...refused, replaceOutput: 'native', context: 'native' }),
  postToolUseFailure: on('PostToolUseFailure', withoutNotice),
  userPromptSubmitted: on('UserPromptSubmit', refused),
  // The prompt was already judged at `userPromptSubmitted`.
  userPromptTransformed: on('UserPromptExpansion', withoutNotice),
  sessionStart: on('SessionStart', { ...withoutNotice, context: 'native' }),
  sessionEnd: on('SessionEnd', unread),
  agentStop: on('Stop', refused),
  subagentStart: on('SubagentStart', withoutNotice),
  subagentStop: on('SubagentStop', refused),
  preCompact: on('PreCompact', withoutNotice),
  notification: on('Notification', withoutNotice),
  errorOccurred: on('StopFailure', unread),
}

/** Event names of Claude Code, under which a hook gets the same event in Claude Code's spelling. */
const aliases = {
  PreToolUse: { ...own.preToolUse, alias: true },
  PostToolUse: { ...own.postToolUse, alias: true },
  PostToolUseFailure: { ...own.postToolUseFailure, alias: true },
  UserPromptSubmit: { ...own.userPromptSubmitted, alias: true },
  SessionStart: { ...own.sessionStart, alias: true },
  SessionEnd: { ...own.sessionEnd, alias: true },
  Stop: { ...own.agentStop, alias: true },
  SubagentStart: { ...own.subagentStart, alias: true },
  SubagentStop: { ...own.subagentStop, alias: true },
  PreCompact: { ...own.preCompact, alias: true },
} as const

/**
 * Describes GitHub Copilot CLI, as measured on 1.0.102.
 *
 * Headless, it refuses calls about which it would ask the user. It cannot show a notice, and ignores `continue: false`.
 */
export const copilotCli: AgentDescriptor<'copilot-cli'> = {
  name: 'copilot-cli',
  title: 'Copilot CLI',
  folders: ['.copilot'],
  hookSettings: [
    '.copilot/hooks/hookgate.json',
    '.copilot/settings.json',
    '.copilot/config.json',
    '.github/hooks/hookgate.json',
    '.github/copilot/settings.json',
    '.github/copilot/settings.local.json',
  ],
  events: { ...own, ...aliases },
  tools: {
    shell: [['bash', 'Bash'], { command: 'command' }],
    powershell: ['powershell', { command: 'command' }],
    read: [['view', 'Read'], { path: 'path' }],
    write: [['create', 'Write'], { path: 'path', content: 'file_text' }],
    edit: [['edit', 'Edit'], { path: 'path', content: 'new_str', replaced: 'old_str' }],
    patch: ['apply_patch', { patch: 'input', content: 'input' }],
    search: [['grep', 'rg', 'Grep'], { path: 'paths', pattern: 'pattern', glob: 'glob' }],
    list: [['glob', 'Glob'], { path: 'paths', glob: 'pattern' }],
    fetch: [['web_fetch', 'WebFetch'], { url: 'url' }],
    websearch: [['web_search', 'WebSearch'], { pattern: 'query' }],
    agent: [['task', 'Task'], { content: 'prompt' }],
  },
  mcpName: (server, tool) => `${server}-${tool}`,
  exposedEnv: ['COPILOT_CLI', 'COPILOT_PROJECT_DIR'],
  lints: [
    {
      at: (events) => !events.some((event) => Object.hasOwn(aliases, event)),
      found: /hookSpecificOutput/,
      message:
        'Copilot CLI reads `hookSpecificOutput` only from hooks that are registered under Claude Code’s event names',
      remedy: 'put its contents at the top level',
    },
  ],
  install: {
    kind: 'hooks-file',
    files: (site) => [
      {
        file: join(site.scope === 'user' ? folderOf(site) : join(site.cwd, '.github'), 'hooks', 'hookgate.json'),
        at: 'hooks',
        holds: 'handlers',
      },
    ],
    beside: { version: 1 },
    // No `matcher`: `*` would match no tool at all.
    entry: ({ command, platform, timeoutS }) => ({
      type: 'command',
      ...(platform === 'win32' ? { powershell: command } : { bash: command }),
      timeoutSec: timeoutS,
    }),
    obstacles: (site) =>
      switchedOff(
        site,
        [
          join(site.cwd, '.github', 'copilot', 'settings.local.json'),
          join(site.cwd, '.github', 'copilot', 'settings.json'),
          join(folderOf(site), 'settings.json'),
          join(folderOf(site), 'config.json'),
          join(folderOf(site), 'hooks', 'hookgate.json'),
          join(site.cwd, '.github', 'hooks', 'hookgate.json'),
        ],
        ['disableAllHooks'],
        true,
      ),
    problems: (site) =>
      site.scope === 'user' || isTrusted(site)
        ? []
        : [`Copilot CLI does not run hooks of an untrusted folder: start \`copilot\` in ${site.cwd} and trust it`],
    steps: ({ scope, cwd }) =>
      scope === 'project'
        ? [`Copilot CLI runs them only in a trusted folder: start \`copilot\` in ${cwd} and trust it`]
        : [],
  },
}

/** Returns whether the folder is among those that the user has trusted permanently. */
function isTrusted(site: InstallSite): boolean {
  const files = ['config.json', 'settings.json'].map((name) => join(folderOf(site), name))
  const lists = files.flatMap((file) =>
    ['trusted_folders', 'trustedFolders'].map((key) => site.settings.json(file, key)),
  )
  return lists.some(
    (list) => Array.isArray(list) && list.some((root) => typeof root === 'string' && isBelow(site.cwd, root)),
  )
}
