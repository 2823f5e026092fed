import { join } from 'node:path'
import { isAtOrBelow } from '../../words/machine-paths.ts'
import type { AgentDescriptor } from '../descriptor.ts'
import { type InstallSite, managedPath, ownFolder, switchedOff } from '../install/install.ts'
import type { ProtocolSupport } from '../../model/dialect.ts'
import { observed, on, refusable, unread } from '../table/events.ts'
import { exitAtEnd } from '../table/shell-exit.ts'

const copilotFolder = (site: InstallSite) => ownFolder(site, 'COPILOT_HOME', '.copilot')
const userFileOf = (site: InstallSite) => join(copilotFolder(site), 'hooks', 'hookgate.json')

const managedFolders = {
  linux: '/etc/github-copilot',
  darwin: '/etc/github-copilot',
  win32: 'C:\\ProgramData\\GitHub\\Copilot',
} as const
/** The file of administrators that `enable --managed` writes. */
const policyFile = 'policy.d/50-hookgate.json'

/** A hook of an administrator runs whatever other files say. Tried on Linux alone. */
const isPinned = (site: InstallSite): boolean | undefined =>
  site.platform === 'linux'
    ? site.settings.exists(managedPath(site, `${managedFolders.linux}/${policyFile}`))
    : undefined

/**
 * Returns the files in which `disableAllHooks` switches off the hooks of every other file, the one that wins first.
 *
 * Measured on 1.0.102: they count only in a trusted folder, and from the next session on. In the user's own settings the
 * key does nothing, though the program's help promises it; in a file of hooks it switches off that file.
 */
const projectSettingsOf = ({ cwd }: InstallSite) =>
  ['.github/copilot', '.claude'].flatMap((folder) =>
    ['settings.local.json', 'settings.json'].map((name) => join(cwd, folder, name)),
  )

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
    '.claude/settings.json',
    '.claude/settings.local.json',
  ],
  events: { ...own, ...aliases },
  shellExit: ({ result }) => exitAtEnd(result?.output, /<shellId: \d+ completed with exit code (\d+)>\s*$/),
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
  sessions: () => import('./transcript.ts'),
  install: {
    kind: 'hooks-file',
    files: (site) => [
      {
        file: site.scope === 'user' ? userFileOf(site) : join(site.cwd, '.github', 'hooks', 'hookgate.json'),
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
    switchedOff: (site) =>
      isPinned(site) !== true && isTrusted(site)
        ? switchedOff(site, projectSettingsOf(site), ['disableAllHooks'], true)
        : [],
    isPinned,
    problems: (site, { file }) => [
      ...(site.scope === 'user' || isTrusted(site)
        ? []
        : [`Copilot CLI does not run hooks of an untrusted folder: start \`copilot\` in ${site.cwd} and trust it`]),
      ...(site.settings.json(file, 'disableAllHooks') === true
        ? [`\`disableAllHooks\` switches this file off: remove it`]
        : []),
    ],
    steps: ({ scope, cwd }) =>
      scope === 'project'
        ? [`Copilot CLI runs them only in a trusted folder: start \`copilot\` in ${cwd} and trust it`]
        : [],
  },
  managed: {
    binds: 'enforced',
    knownFrom: 'measurement',
    folders: managedFolders,
    file: policyFile,
    isOwnFile: true,
    at: 'hooks',
    holds: 'handlers',
    onlyKeys: ['version', 'hooks'],
    staysOpen: [
      'a file that does not parse, has another key, is not owned by root or may be written by others is ignored without a word: `status --managed` reports it',
      'a hook that is late does not refuse: hookgate answers long before that',
    ],
  },
}

/** Returns whether the folder is among those that the user has trusted permanently. No other file is read for that. */
function isTrusted(site: InstallSite): boolean {
  const file = join(copilotFolder(site), 'config.json')
  return ['trusted_folders', 'trustedFolders'].some((key) => {
    const list = site.settings.json(file, key)
    return Array.isArray(list) && list.some((root) => typeof root === 'string' && isAtOrBelow(site.cwd, root))
  })
}
