import { join } from 'node:path'
import type { AgentDescriptor } from '../descriptor.ts'
import { type InstallSite, managedFile, ownFolder, pinned, switchedOff, untrustedFolder } from '../install/install.ts'
import {
  environment,
  fixedIn,
  inheritedVariables,
  isOn,
  nearestEnvFile,
  type RegisteredBy,
  type SwitchVariables,
  type VariablePlace,
} from '../install/switch-variables.ts'
import { observed, on, refusable, unread } from '../table/events.ts'
import { silentExit } from '../table/lints.ts'
import { filePath, part, whole } from '../tools.ts'

/** The hook's name in Qwen Code's own list of hooks. */
const hookName = 'hookgate'

const qwenFolder = (site: InstallSite) => ownFolder(site, 'QWEN_HOME', '.qwen')
const managedFolders = {
  linux: '/etc/qwen-code',
  darwin: '/Library/Application Support/QwenCode',
  win32: 'C:\\ProgramData\\qwen-code',
} as const
const settingsName = 'settings.json'
const managedOf = (site: InstallSite) => join(managedFile(site, managedFolders), settingsName)
const settingsOf = (site: InstallSite) => [
  managedOf(site),
  join(site.cwd, '.qwen', 'settings.json'),
  join(qwenFolder(site), 'settings.json'),
]

/** Variables with which Qwen Code runs no hook, wherever it takes them from. */
const withoutHooks = ['QWEN_CODE_SAFE_MODE', 'QWEN_CODE_SIMPLE'] as const
/** The variables that Qwen Code takes from no `.env` of a project, beyond those that it refuses by itself. */
const excluded = ['advanced', 'excludedEnvVars'] as const

/**
 * Returns where Qwen Code 0.24.4 looks for variables. The first file that sets one counts: a `.env`, then `env` of the
 * settings. An administrator can exclude variables from a project's `.env`, but not from its `.qwen/.env`.
 */
function variablePlaces(site: InstallSite, registeredBy: RegisteredBy): readonly VariablePlace[] {
  const nearest = nearestEnvFile(site, '.qwen')
  const isOwn = nearest?.file?.endsWith(join('.qwen', '.env')) === true
  const without = settingsOf(site).flatMap((file) => {
    const names = site.settings.json(file, ...excluded)
    return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : []
  })
  const ofHome = [join(qwenFolder(site), '.env'), join(site.home, '.qwen', '.env'), join(site.home, '.env')]
  const owners = ['administrator', 'project', 'user'] as const
  const [managed = '', ...own] = settingsOf(site)
  return [
    ...fixedIn(site, registeredBy === 'managed' ? [managed] : own, hookName),
    environment,
    ...(nearest === undefined ? [] : [{ ...nearest, ...(!isOwn && { without }) }]),
    ...ofHome.map((file) => ({ by: 'user', file }) as const),
    ...settingsOf(site).map((file, at) => ({ by: owners[at] ?? 'user', file, at: 'env' }) as const),
  ]
}

/** Variables of hooks that it takes from no file, or with which it does not start itself. */
const refused = [
  'LD_PRELOAD',
  'LD_AUDIT',
  'LD_TRACE_LOADED_OBJECTS',
  'LD_DEBUG',
  'BASH_ENV',
  'XDG_CONFIG_HOME',
] as const

const variables: SwitchVariables = {
  places: variablePlaces,
  rows: [
    ...withoutHooks.map(
      (name) =>
        ({
          name,
          when: isOn,
          does: 'runs no hook',
          from: ['environment', 'project', 'user', 'administrator'],
          passes: ['own', 'managed'],
        }) as const,
    ),
    {
      name: 'QWEN_CODE_SYSTEM_SETTINGS_PATH',
      does: 'reads another file of administrators, or none',
      from: ['environment', 'user'],
      passes: ['managed'],
    },
    // In the environment, `status` follows it.
    { name: 'QWEN_HOME', does: 'reads hooks in another folder', from: ['user'], passes: ['own'] },
    ...inheritedVariables(['own', 'managed'], ['project', 'user'], refused),
  ],
}

/**
 * Describes Qwen Code, as measured on 0.24.4.
 *
 * Its documentation promises more: another input and a context are ignored at `PreToolUse`, and so is a refusal at
 * `PostToolUse`. Headless, it refuses calls about which it would ask the user.
 */
export const qwenCode: AgentDescriptor<'qwen-code'> = {
  name: 'qwen-code',
  title: 'Qwen Code',
  folders: ['.qwen'],
  hookSettings: ['.qwen/settings.json', '.qwen/trustedFolders.json', '.qwen/.env'],
  events: {
    PreToolUse: on('PreToolUse', { ...refusable, ask: 'native', allow: 'native' }),
    PermissionRequest: on('PermissionRequest', { ...refusable, ask: 'implicit', allow: 'native' }),
    PermissionDenied: on('PermissionDenied', observed),
    PostToolUse: on('PostToolUse', { ...observed, context: 'native' }),
    PostToolUseFailure: on('PostToolUseFailure', { ...observed, context: 'native' }),
    PostToolBatch: on('PostToolBatch', observed),
    UserPromptSubmit: on('UserPromptSubmit', { ...refusable, stop: 'native', context: 'native' }),
    UserPromptExpansion: on('UserPromptExpansion', observed),
    SessionStart: on('SessionStart', { ...observed, context: 'native' }),
    SessionEnd: on('SessionEnd', unread),
    Stop: on('Stop', { ...refusable, stop: 'native' }),
    StopFailure: on('StopFailure', unread),
    SubagentStart: on('SubagentStart', { ...observed, context: 'native' }),
    SubagentStop: on('SubagentStop', { ...refusable, stop: 'native' }),
    PreCompact: on('PreCompact', observed),
    PostCompact: on('PostCompact', observed),
    Notification: on('Notification', observed),
    MessageDisplay: on('MessageDisplay', unread),
    InstructionsLoaded: on('InstructionsLoaded', unread),
    TodoCreated: on('TaskCreated', unread),
    TodoCompleted: on('TaskCompleted', unread),
  },
  tools: {
    shell: [['run_shell_command', 'Shell'], { command: 'command' }],
    read: [['read_file', 'ReadFile'], filePath],
    readMany: ['read_many_files', { glob: 'paths', lists: ['glob'] }],
    write: [['write_file', 'WriteFile'], whole],
    edit: [['edit', 'Edit'], part],
    search: [['grep_search', 'search_file_content', 'Grep'], { path: 'path', pattern: 'pattern', glob: 'glob' }],
    list: [['glob', 'Glob'], { path: 'path', glob: 'pattern' }],
    listFolder: [['list_directory', 'ListFiles'], { path: 'path' }],
    fetch: [['web_fetch', 'WebFetch'], { url: 'url', prompt: 'prompt' }],
    websearch: [['web_search', 'WebSearch'], { pattern: 'query' }],
    agent: [['agent', 'task', 'Agent'], { content: 'prompt' }],
  },
  exposedEnv: ['QWEN_CODE', 'QWEN_PROJECT_DIR'],
  lints: [silentExit('Qwen Code')],
  sessions: () => import('./transcript.ts'),
  variables,
  install: {
    kind: 'hooks-file',
    files: (site) => [
      {
        file: join(site.scope === 'user' ? qwenFolder(site) : join(site.cwd, '.qwen'), 'settings.json'),
        at: 'hooks',
        holds: 'groups',
      },
    ],
    comments: 'allowed',
    wins: { position: 'last', since: 'Qwen Code takes the last answer' },
    // Qwen Code takes values of a thousand or more for milliseconds.
    entry: ({ command, timeoutS }) => ({
      type: 'command',
      name: hookName,
      command,
      timeout: timeoutS,
      // `LD_LIBRARY_PATH` counts for Qwen Code itself, which starts itself anew: fixing it would hide that.
      env: { SHELLOPTS: '' },
    }),
    steps: ({ scope, cwd }) =>
      scope === 'project'
        ? [`newer versions of Qwen Code ask you to approve a project's hooks: start \`qwen\` in ${cwd}`]
        : [],
    switchedOff: (site) => switchedOff(site, settingsOf(site), ['disableAllHooks'], true),
    isPinned: (site) => pinned(site, [managedOf(site)], ['disableAllHooks'], false),
    obstacles: (site) => untrustedFolder(site, 'qwen', qwenFolder(site), settingsOf(site)),
  },
  managed: {
    // A variable in a repository's `.qwen/.env` switches its hooks off, and no setting of an administrator keeps it from that.
    binds: 'advisory',
    knownFrom: 'measurement',
    folders: managedFolders,
    file: settingsName,
    at: 'hooks',
    holds: 'groups',
    pins: [
      { path: ['disableAllHooks'], value: false },
      // A project's `.env` then cannot set them, and other settings cannot either: the administrator's win.
      { path: excluded, value: ['DEBUG', 'DEBUG_MODE', ...withoutHooks] },
      ...withoutHooks.map((name) => ({ path: ['env', name], value: '0' }) as const),
    ],
    staysOpen: [
      'a repository with the line `QWEN_CODE_SAFE_MODE=1` or `QWEN_CODE_SIMPLE=1` in its `.qwen/.env` switches it off, and so does a user with either in the environment, in `~/.qwen/.env` or `~/.env`, or with the options `--safe-mode` and `--bare`',
      'a repository whose `.env` or `.qwen/.env` sets `LD_LIBRARY_PATH` has it load other code into itself',
      'a user who sets `QWEN_CODE_SYSTEM_SETTINGS_PATH`, in the environment or in `~/.qwen/.env`, has it read another file',
      'it takes the last answer: an `allow` of a later hook of a user or a project may win',
      'a hook that is late does not refuse: hookgate answers long before that',
    ],
  },
}
