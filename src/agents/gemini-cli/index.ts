import { join } from 'node:path'
import type { AgentDescriptor } from '../descriptor.ts'
import type { HookSwitch, InstallSite } from '../install/install.ts'
import { managedFile, pinned, switchedOff, untrustedFolder } from '../install/settings.ts'
import {
  environment,
  fixedForHooks,
  fixedIn,
  inheritedVariables,
  nearestEnvFile,
  type SwitchVariables,
} from '../install/switch-variables.ts'
import { observed, on, refusable } from '../table/events.ts'
import { prints, silentExit } from '../table/lints.ts'
import { filePath, part, whole } from '../tools.ts'
import { ownRules } from './own-rules.ts'

/** The hook's name in Gemini CLI's own list of hooks. */
const hookName = 'hookgate'

/** Returns the folder `.gemini`. Unlike other agents' variables, this one names its parent folder. */
const geminiFolder = ({ env, home }: InstallSite) => join(env['GEMINI_CLI_HOME'] || home, '.gemini')
const managedFolders = {
  linux: '/etc/gemini-cli',
  darwin: '/Library/Application Support/GeminiCli',
  win32: 'C:\\ProgramData\\gemini-cli',
} as const
const settingsName = 'settings.json'
/** Returns the file of administrators, which Gemini CLI reads only if no other user can change it. */
const managedOf = (site: InstallSite) => join(managedFile(site, managedFolders), settingsName)
const settingsOf = (site: InstallSite) => [
  managedOf(site),
  join(site.cwd, '.gemini', 'settings.json'),
  join(geminiFolder(site), 'settings.json'),
]

/** Finds the files that list hookgate among the hooks to be left out: Gemini CLI joins the lists of all of them. */
const listedOff = (site: InstallSite): readonly HookSwitch[] =>
  settingsOf(site).flatMap((file) => {
    const disabled = site.settings.json(file, 'hooksConfig', 'disabled')
    return Array.isArray(disabled) && disabled.includes(hookName)
      ? [{ file, setting: `\`hooksConfig.disabled\` lists \`${hookName}\``, remedy: 'remove it from that list' }]
      : []
  })

/** The variables that its entries fix. It replaces `${NAME:-}` by what the environment has, before it reads a `.env`. */
const fixed = { ...fixedForHooks, XDG_CONFIG_HOME: '${XDG_CONFIG_HOME:-}' }

/** The variables of Gemini CLI 0.61, which takes them from one file `.env` and hands them to its hooks. */
const variables: SwitchVariables = {
  places(site, registeredBy) {
    const ofHome = [join(geminiFolder(site), '.env'), join(site.home, '.env')]
    const file = ofHome.find((one) => site.settings.exists(one))
    const nearest = nearestEnvFile(site, '.gemini') ?? (file === undefined ? undefined : { by: 'user', file })
    const [managed = '', ...own] = settingsOf(site)
    const entries = fixedIn(site, registeredBy === 'managed' ? [managed] : own, hookName)
    return [...entries, environment, ...(nearest === undefined ? [] : [nearest])]
  },
  rows: [
    {
      name: 'GEMINI_CLI_SYSTEM_SETTINGS_PATH',
      does: 'reads another file of administrators, or none',
      from: ['environment'],
      passes: ['managed'],
    },
    // It takes `BASH_ENV` from no file.
    ...inheritedVariables(['own', 'managed'], ['project', 'user'], ['BASH_ENV']),
  ],
}

/**
 * Describes Gemini CLI, as measured on 0.61.
 *
 * A question becomes a refusal: headless it waits for an answer for ever, and with a user it overrides what Gemini's
 * own policies deny. An `allow` would not bypass those: silence means the same. `BeforeModel`, `AfterModel` and
 * `BeforeToolSelection` carry whole conversations with a model: no rule is about them, so they are not among the
 * events.
 */
export const geminiCli: AgentDescriptor<'gemini-cli'> = {
  name: 'gemini-cli',
  title: 'Gemini CLI',
  folders: ['.gemini'],
  hookSettings: ['.gemini/settings.json', '.gemini/trustedFolders.json', '.gemini/.env'],
  events: {
    BeforeTool: on('PreToolUse', { ...refusable, replaceInput: 'native', stop: 'native' }),
    // The model gets the reason in place of the result.
    AfterTool: on(['PostToolUse', 'PostToolUseFailure'], { ...refusable, stop: 'native', context: 'native' }),
    BeforeAgent: on('UserPromptSubmit', { ...refusable, stop: 'native', context: 'native' }),
    AfterAgent: on('Stop', { ...refusable, stop: 'native' }),
    SessionStart: on('SessionStart', { ...observed, context: 'native' }),
    SessionEnd: on('SessionEnd', observed),
    PreCompress: on('PreCompact', observed),
    Notification: on('Notification', observed),
  },
  tools: {
    shell: ['run_shell_command', { command: 'command' }],
    read: ['read_file', filePath],
    readMany: ['read_many_files', { glob: 'include', lists: ['glob'] }],
    write: ['write_file', whole],
    edit: ['replace', part],
    search: [['grep_search', 'search_file_content'], { path: 'dir_path', pattern: 'pattern', glob: 'include' }],
    list: ['glob', { path: 'dir_path', glob: 'pattern' }],
    listFolder: ['list_directory', { path: 'dir_path' }],
    fetch: ['web_fetch', { url: 'prompt', prompt: 'prompt' }],
    websearch: ['google_web_search', { pattern: 'query' }],
    agent: ['invoke_agent', { content: 'prompt' }],
  },
  mcpName: (server, tool) => `mcp_${server}_${tool}`,
  exposedEnv: ['GEMINI_CLI', 'GEMINI_CWD', 'GEMINI_PROJECT_DIR', 'GEMINI_SESSION_ID'],
  lints: [
    silentExit('Gemini CLI'),
    {
      found: prints('permissionDecision', '(?:deny|ask)'),
      unless: prints('decision', '(?:deny|block)'),
      message: 'Gemini CLI does not read `permissionDecision`, and goes ahead',
      remedy: 'print `{"decision": "deny", "reason": …}`',
    },
  ],
  ownRules,
  sessions: () => import('./transcript.ts'),
  variables,
  install: {
    kind: 'hooks-file',
    never: { PreCompress: 'Gemini CLI triggers it before every call of the model' },
    files: (site) => [
      {
        file: join(site.scope === 'user' ? geminiFolder(site) : join(site.cwd, '.gemini'), 'settings.json'),
        at: 'hooks',
        holds: 'groups',
      },
    ],
    comments: 'allowed',
    // Gemini CLI expects milliseconds.
    entry: ({ command, timeoutS }) => ({
      type: 'command',
      name: hookName,
      command,
      timeout: timeoutS * 1000,
      env: fixed,
    }),
    switchedOff: (site) => [
      ...switchedOff(site, settingsOf(site), ['hooksConfig', 'enabled'], false),
      ...listedOff(site),
    ],
    isPinned: (site) => pinned(site, [managedOf(site)], ['hooksConfig', 'enabled'], true),
    obstacles: (site) => untrustedFolder(site, 'gemini', geminiFolder(site), settingsOf(site)),
  },
  managed: {
    binds: 'advisory',
    knownFrom: 'measurement',
    folders: managedFolders,
    file: settingsName,
    at: 'hooks',
    holds: 'groups',
    pins: [{ path: ['hooksConfig', 'enabled'], value: true }],
    switchedOff: listedOff,
    staysOpen: [
      'a user, or a repository in a trusted folder, switches it off with `hooksConfig.disabled`',
      'a repository in a trusted folder whose `.env` or `.gemini/.env` sets `LD_TRACE_LOADED_OBJECTS` has hooks end before they begin; with `security.environmentVariableRedaction` an administrator can block it, which also hides variables named like secrets from every command',
      'a user who sets `GEMINI_CLI_SYSTEM_SETTINGS_PATH` has it read another file',
      'a hook that is late does not refuse: hookgate answers long before that',
    ],
  },
}
