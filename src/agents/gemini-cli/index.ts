import { join } from 'node:path'
import { geminiExit } from './exit.ts'
import type { AgentDescriptor } from '../descriptor.ts'
import {
  type HookSwitch,
  type InstallSite,
  managedFile,
  pinned,
  switchedOff,
  untrustedFolder,
} from '../install/install.ts'
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
import { isJsonObject, type Json, type JsonObject, objectsIn, textAt } from '../../model/json.ts'
import {
  commandRule,
  hooksInGroups,
  type OwnRule,
  type OwnRulesSite,
  rulesOfTexts,
  untranslated,
} from '../install/own-rules.ts'

/** Reads the tool lists, hooks and policies of Gemini CLI. */
function ownRules(site: OwnRulesSite): readonly OwnRule[] {
  const { scope, env, home, cwd } = site
  const folder = join(scope === 'user' ? env['GEMINI_CLI_HOME'] || home : cwd, '.gemini')
  const file = join(folder, 'settings.json')
  const settings = site.json(file)
  const policies = site.files(join(folder, 'policies')).filter((name) => name.endsWith('.toml'))
  return [
    ...(isJsonObject(settings) ? rulesInSettings(file, settings) : []),
    ...policies.flatMap((policy) => rulesInPolicies(policy, site.toml(policy))),
  ]
}

/** The lists in `tools`, each with its older name at the top of the file. */
const lists = [
  { key: 'exclude', older: 'excludeTools', effect: 'deny' },
  { key: 'allowed', older: 'allowedTools', effect: 'allow' },
] as const

function rulesInSettings(from: string, settings: JsonObject): readonly OwnRule[] {
  const tools = isJsonObject(settings['tools']) ? settings['tools'] : {}
  const listed = lists.flatMap(({ key, older, effect }) =>
    [
      { name: `tools.${key}`, list: tools[key] },
      { name: older, list: settings[older] },
    ].flatMap(({ name, list }) => rulesOfTexts(from, name, list, (text) => toolRule(from, effect, text))),
  )
  const core = [
    { name: 'tools.core', list: tools['core'] },
    { name: 'coreTools', list: settings['coreTools'] },
  ].filter(({ list }) => list !== undefined)
  return [
    ...listed,
    ...core.map(({ name }) =>
      untranslated(from, name, 'it names the only tools that there are; hookgate has no such list'),
    ),
    ...hooksInGroups(from, settings['hooks'], handlerOf, matcherOf),
  ]
}

/** A tool, by its name or its class; with a prefix in parentheses, the commands that begin with it. */
function toolRule(from: string, effect: 'deny' | 'allow', text: string): OwnRule {
  const [, tool = '', prefix] = /^([\w-]+)(?:\(([^]*)\))?$/.exec(text.trim()) ?? []
  const isShell = tool === 'run_shell_command' || tool === 'ShellTool'
  const rule = prefix === undefined ? (isShell ? 'shell' : tool) : isShell ? prefixRule(prefix) : undefined
  return rule === undefined || rule === ''
    ? untranslated(from, text, 'only a plain prefix of shell commands can be expressed')
    : { kind: 'permission', from, effect, text: rule }
}

const prefixRule = (prefix: string) => commandRule(prefix.trim().split(/\s+/))

/** Gemini CLI reads each matcher as a regular expression, where hookgate reads plain names as names. */
const matcherOf = (matcher: string) => (/^[\w\- ,|]+$/.test(matcher) ? `(?:${matcher})` : matcher)

/** Gemini CLI counts milliseconds, and gives hooks names. */
function handlerOf(handler: JsonObject): JsonObject {
  const { timeout } = handler
  const timeoutS = typeof timeout === 'number' ? { timeout: timeout / 1000 } : {}
  const kept = Object.entries(handler).filter(([key]) => key !== 'name' && key !== 'description')
  return { ...Object.fromEntries(kept), ...timeoutS, dialect: 'gemini-cli' }
}

const decisions: Readonly<Record<string, 'deny' | 'ask' | 'allow'>> = { deny: 'deny', ask_user: 'ask', allow: 'allow' }
const understood = new Set(['toolName', 'mcpName', 'commandPrefix', 'decision', 'priority', 'denyMessage', 'name'])

function rulesInPolicies(from: string, policies: Json | undefined): readonly OwnRule[] {
  const rules = isJsonObject(policies) ? objectsIn(policies['rule']) : []
  const priorities = new Set(rules.map(({ priority }) => priority))
  return [
    ...rules.flatMap((rule) => rulesOfPolicy(from, rule)),
    ...(priorities.size > 1 ? [untranslated(from, '`priority`', 'in hookgate `deny` always wins, then `ask`')] : []),
  ]
}

function rulesOfPolicy(from: string, rule: JsonObject): readonly OwnRule[] {
  const shown = JSON.stringify(rule)
  const effect = decisions[textAt(rule, 'decision') ?? '']
  if (effect === undefined) return [untranslated(from, shown, 'its `decision` is not known')]
  const other = Object.keys(rule).find((key) => !understood.has(key))
  if (other !== undefined) return [untranslated(from, shown, `hookgate has nothing like its \`${other}\``)]
  return textsOf(rule).map((text) =>
    text === undefined
      ? untranslated(from, shown, 'only tools, servers and plain prefixes of commands can be expressed')
      : { kind: 'permission', from, effect, text },
  )
}

const eachOf = (value: Json): readonly Json[] => (isJsonList(value) ? value : [value])
const isJsonList = (value: Json): value is readonly Json[] => Array.isArray(value)

function textsOf({ toolName, mcpName, commandPrefix }: JsonObject): readonly (string | undefined)[] {
  if (commandPrefix !== undefined) {
    return eachOf(commandPrefix).map((prefix) => (typeof prefix === 'string' ? prefixRule(prefix) : undefined))
  }
  const tools = toolName === undefined ? [undefined] : eachOf(toolName)
  if (typeof mcpName === 'string') {
    return tools.map((tool) => (typeof tool === 'string' ? `mcp__${mcpName}__${tool}` : `mcp__${mcpName}`))
  }
  return tools.map((tool) => {
    if (typeof tool !== 'string' || tool.includes('*')) return undefined
    return tool === 'run_shell_command' ? 'shell' : tool
  })
}

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
    // Measured: the reason of a refusal takes the output's place.
    AfterTool: on(['PostToolUse', 'PostToolUseFailure'], {
      ...refusable,
      replaceOutput: 'asReason',
      stop: 'native',
      context: 'native',
    }),
    BeforeAgent: on('UserPromptSubmit', { ...refusable, stop: 'native', context: 'native' }),
    AfterAgent: on('Stop', { ...refusable, stop: 'native' }),
    SessionStart: on('SessionStart', { ...observed, context: 'native' }),
    SessionEnd: on('SessionEnd', observed),
    PreCompress: on('PreCompact', observed),
    Notification: on('Notification', observed),
  },
  shellExit: ({ result }) => geminiExit(isJsonObject(result?.output) ? result.output['llmContent'] : undefined),
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
