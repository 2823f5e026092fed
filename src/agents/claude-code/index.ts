import type { Answer, ProtocolSupport } from '../../model/dialect.ts'
import type { EventName, HookEvent, ToolUse } from '../../model/event.ts'
import type { AgentDescriptor, CalledText, HookLint, TextLint } from '../descriptor.ts'
import { eventsNamedAlike, observed, on, refusable, unread } from '../table/events.ts'
import { filePath, part, whole } from '../tools.ts'
import { mods } from './mods.ts'
import {
  configFolder,
  isPinned,
  managedDropIns,
  managedFiles,
  managedFolders,
  servedSettings,
  ownDropIn,
  switchOf,
  variables,
} from './settings-files.ts'
import { join } from 'node:path'
import { isJsonObject, type Json, type JsonObject, parseJsonObject, textAt } from '../../model/json.ts'
import { hooksInGroups, type OwnRule, type OwnRulesSite, rulesOfTexts, untranslated } from '../install/own-rules.ts'
import { managedPath, ownFolder, switchedOff } from '../install/install.ts'
import { HookgateError } from '../../model/errors.ts'
import { shellLimits } from '../../model/limits.ts'
import type { ManagedInstall } from '../install/managed.ts'
import type { ScriptLanguage } from '../../files/script-language.ts'
import { exitsWith } from '../table/lints.ts'

const refusesOtherwise = /\bexit 2\b|exit\(2\)|exitCode = 2|permissionDecision|["']?decision["']?\s*[:=]|\bcancel\b/
/** Events at which Claude Code takes exit code 2, and no other code, as a refusal. */
const refusedByExit =
  /^(PreToolUse|UserPromptSubmit|UserPromptExpansion|PreCompact|PermissionRequest|TaskCreated|TaskCompleted|Stop|SubagentStop|ConfigChange|PreModelSwitch)$/

const wrongHookEventName: HookLint = ({ text }, { events }) =>
  [...text.matchAll(/hookEventName\\?["']?\s*:\s*\\?["']([A-Za-z]+)\\?["']/g)]
    .filter(([, named = '']) => !events.includes(named))
    .map(({ index, 1: named = '' }) => ({
      at: index,
      message: `the answer is for \`${named}\`, but the hook is registered for ${events.map((event) => `\`${event}\``).join(', ')}`,
      remedy: 'answer with the `hook_event_name` of the input',
    }))

const prints: Readonly<Record<ScriptLanguage, RegExp>> = {
  sh: /^[ \t]*(?:echo|printf)[ \t]+(.*)$/gm,
  node: /\bconsole\.(?:log|info)\((.*)$/gm,
  python: /^[ \t]*print\((.*)$/gm,
  other: /(?!)/g,
}

/**
 * Finds where a script that prints a JSON object also prints other text on stdout. Output that is redirected, piped, or
 * not a plain quoted text is skipped.
 */
const textBesideJson: HookLint = ({ text, language }) => {
  const printed = [...text.matchAll(prints[language])].map((match) => ({
    at: match.index + match[0].search(/\S/),
    what: match[1] ?? '',
  }))
  if (!printed.some(({ what }) => isJson(what)) && !/\bjq -n/.test(text)) return []
  return printed
    .filter(({ what }) => !isJson(what) && !isRedirected(what) && isText(what))
    .map(({ at }) => ({
      at,
      message:
        'text beside the JSON: Claude Code reads stdout as one JSON object, or as plain text that decides nothing',
      remedy: 'send logging to stderr',
    }))
}

const isJson = (what: string) => /^\(?['"]?(%s\\n['"]? )?['"]?\s*\{|JSON\.stringify|json\.dumps/.test(what)
const isRedirected = (what: string) =>
  /[>|]|file\s*=\s*sys\.stderr/.test(what.replace(/(["'])(?:\\.|(?!\1)[^\\\n])*\1/g, ''))
const isText = (what: string) => /^["'`][^{"'`$]/.test(what) && !/\{\\?["']/.test(what)

/** Frequent mistakes in hooks for Claude Code. */
const lints: readonly (TextLint | HookLint)[] = [
  exitsWith(
    '1',
    ({ text }, { events, onFailure }) =>
      onFailure !== 'block' && !refusesOtherwise.test(text) && events.some((event) => refusedByExit.test(event)),
    'exit code 1 does not block: Claude Code treats the hook as failed, and goes ahead',
    'exit with 2 and print the reason to stderr, or set `"onFailure": "block"`',
  ),
  {
    found: /["']?permissionDecision["']?\s*\\?["']?\s*:/,
    unless: /hookSpecificOutput/,
    message: '`permissionDecision` at the top level is silently ignored',
    remedy: 'put it into `"hookSpecificOutput": {"hookEventName": "PreToolUse", …}`',
  },
  {
    found: /hookSpecificOutput/,
    unless: /hookEventName/,
    message: '`hookSpecificOutput` without `hookEventName` makes the whole output invalid',
    remedy: 'add `"hookEventName"` with the name of the event the hook was called for',
  },
  wrongHookEventName,
  textBesideJson,
]

/**
 * Variables of a user's settings with which a hook is not run, or other code before it. An empty value keeps them away.
 * Others of the loader act even if they are empty, so that only the starter helps.
 */
const pinnedVariables = ['CLAUDE_CODE_SHELL_PREFIX', 'LD_PRELOAD', 'LD_AUDIT'] as const

const startOf = (line: string, starter: string | undefined) =>
  starter === undefined
    ? { command: '/bin/sh', args: ['-c', line] }
    : { command: starter, args: ['/bin/sh', '-c', line] }

/** Claude Code's files of administrators, as measured on 2.1.332. */
const managed: ManagedInstall = {
  binds: 'enforced',
  knownFrom: 'measurement',
  folders: managedFolders,
  file: `${managedDropIns}/${ownDropIn}`,
  isOwnFile: true,
  at: 'hooks',
  holds: 'groups',
  // It goes on when a hook fails or is late, unless it is told not to.
  // Without `args`, `CLAUDE_CODE_SHELL_PREFIX` of a user's settings runs another program in its place.
  entry: ({ command, platform, timeoutS, refuses, starter }) => ({
    type: 'command',
    ...(platform === 'win32' ? { command } : startOf(command, starter)),
    timeout: timeoutS,
    ...(refuses && { onFailure: 'block' }),
  }),
  needsStarter: true,
  pins: pinnedVariables.map((name) => ({ path: ['env', name], value: '' })),
  onlyManagedHooks: { path: ['allowManagedHooksOnly'], value: true },
  // The profile of a device management; what a server sends is not to be seen from here.
  above: (site) =>
    site.platform === 'darwin'
      ? [managedPath(site, '/Library/Managed Preferences/com.anthropic.claudecode.plist')]
      : [],
  // A managed `true` switches the managed hooks off too, wherever it stands.
  switchedOff: (site) => managedFiles(site).flatMap((file) => switchedOff(site, [file], ['disableAllHooks'], true)),
  served: servedSettings,
  staysOpen: [
    'settings that the organization serves from the cloud are read in place of this file, unless they hold `"managedSourcesBehavior": "merge"`; each user can run this, which then reads that user’s copy of them',
    'a mod may start programs and write files by itself, unless `allowManagedModsOnly` is set',
  ],
}

/**
 * Skills and slash commands that the model calls. Since 2.1.332 Claude Code sends an event for each command in their
 * text; before that, the call of the tool is all that a hook sees. A name with `:` is a command's in a folder, or one of
 * a plugin, whose files are not looked for.
 */
const skills: CalledText = {
  files({ name, input }, { roots, home, env }) {
    const called = name === 'Skill' ? nameIn(input) : undefined
    if (called === undefined || called.includes('..')) return []
    const folder = home()
    const own = configFolder({ env, home: folder, cwd: roots[0] ?? folder })
    const path = called.split(':').join('/')
    return [...roots.map((root) => join(root, '.claude')), own].flatMap((one) => [
      join(one, 'skills', path, 'SKILL.md'),
      join(one, 'commands', `${path}.md`),
    ])
  },
  commands(text, { input }) {
    const given = textAt(input, 'args') ?? ''
    const written = [...text.matchAll(command)].map(([, inline = '', block = '']) => `${inline}${block}`)
    const places = written.reduce((sum, one) => sum + one.split(hole).length - 1, 0)
    if (places * given.length > shellLimits.textCharactersMax) {
      throw new HookgateError('eventMalformed', `the text that is called repeats its arguments ${places} times`, {
        remedy: 'give it shorter arguments',
      })
    }
    return written.map((one) => one.replaceAll(hole, () => given).trim())
  },
}

/** A command in a line, or a block of them. INVARIANT: takes time in proportion to the text, which a repository may hold. */
const command = /!`([^`\n]+)`|^[ \t]*```![^\S\n]*\n([\s\S]*?)^[ \t]*```/gm
const hole = '$ARGUMENTS'

const nameIn = (input: ToolUse['input']) =>
  (textAt(input, 'skill') ?? textAt(input, 'command'))?.trim().replace(/^\//, '').split(/\s/)[0]

/** Reads the permission rules and hooks of Claude Code's settings, which have hookgate's own form. */
function ownRules(site: OwnRulesSite): readonly OwnRule[] {
  const files =
    site.scope === 'user'
      ? [join(ownFolder(site, 'CLAUDE_CONFIG_DIR', '.claude'), 'settings.json')]
      : ['settings.json', 'settings.local.json'].map((name) => join(site.cwd, '.claude', name))
  return files.flatMap((file) => {
    const settings = site.json(file)
    return isJsonObject(settings) ? rulesIn(file, settings) : []
  })
}

const rulesIn = (file: string, settings: JsonObject): readonly OwnRule[] => [
  ...permissionsIn(file, settings['permissions']),
  ...hooksInGroups(file, settings['hooks'], (handler) => handler),
]

const effects = ['deny', 'ask', 'allow'] as const

function permissionsIn(from: string, permissions: Json | undefined): readonly OwnRule[] {
  if (permissions === undefined) return []
  if (!isJsonObject(permissions)) return [untranslated(from, '`permissions`', 'it is not an object')]
  const others = Object.keys(permissions).filter((key) => !effects.some((effect) => effect === key))
  return [
    ...effects.flatMap((effect) =>
      rulesOfTexts(from, `permissions.${effect}`, permissions[effect], (text) => ({
        kind: 'permission',
        from,
        effect,
        text,
      })),
    ),
    ...others.map((key) => untranslated(from, `permissions.${key}`, 'it is about how Claude Code itself works')),
  ]
}

/**
 * What Claude Code's protocol can express at each of its events.
 *
 * Sources are its hooks reference and, where the two differ, measurements on 2.1.329. `stop` is `continue: false`: at
 * `PreToolUse` the call still runs, and the turn ends after it.
 */
export const supportTable: Readonly<Record<EventName, ProtocolSupport>> = {
  PreToolUse: {
    ...refusable,
    defer: 'native',
    ask: 'native',
    allow: 'native',
    replaceInput: 'native',
    stop: 'native',
    context: 'native',
  },
  PostToolUse: { ...refusable, replaceOutput: 'native', stop: 'native', context: 'native' },
  PostToolUseFailure: { ...refusable, stop: 'native', context: 'native' },
  PostToolBatch: { ...refusable, stop: 'native', context: 'native' },
  Notification: { ...observed, context: 'native' },
  UserPromptSubmit: { ...refusable, stop: 'native', context: 'native' },
  UserPromptExpansion: { ...refusable, stop: 'native', context: 'native' },
  SessionStart: { ...observed, context: 'native' },
  SessionEnd: unread,
  Stop: { ...refusable, stop: 'native', context: 'native' },
  StopFailure: unread,
  SubagentStart: { ...observed, stop: 'native', context: 'native' },
  SubagentStop: { ...refusable, stop: 'native', context: 'native' },
  // The output here is plain text, instructions for the compaction, with no room for a notice.
  PreCompact: { ...refusable, context: 'native', notice: 'dropped' },
  PostCompact: unread,
  PreModelSwitch: { ...refusable, ask: 'native', allow: 'native' },
  PostModelSwitch: { ...observed, stop: 'native', context: 'native' },
  // Silence asks: the prompt comes anyway. Another input needs an allow; without one `encode-verdict.ts` refuses.
  PermissionRequest: { ...refusable, ask: 'implicit', allow: 'native', replaceInput: 'native' },
  PermissionDenied: { ...observed, stop: 'native' },
  // Measured: a context returned here does not reach the model.
  Setup: unread,
  TeammateIdle: { ...refusable, stop: 'native' },
  TaskCreated: refusable,
  TaskCompleted: { ...refusable, stop: 'native' },
  // Silence asks: the user gets the form. An accept carries the values that were filled in, which only a hook of this
  // event can supply; a rule that merely allows leaves the form to the user.
  Elicitation: { ...refusable, ask: 'implicit' },
  ElicitationResult: refusable,
  ConfigChange: refusable,
  // stdout is only the folder's path.
  WorktreeCreate: { ...refusable, notice: 'dropped' },
  WorktreeRemove: unread,
  InstructionsLoaded: unread,
  CwdChanged: observed,
  FileChanged: observed,
  DirectoryAdded: observed,
  MessageDisplay: observed,
}

/** Claude Code's name of the event before a shell command in the text of a skill or slash command, since 2.1.332. */
export const skillCommand = 'PreSkillShellCommand'
/** The trigger of that event, by which hooks that are registered at it are told from those of other shell commands. */
export const skillTrigger = 'skill'
/** Every answer but `allow` keeps the command from running, and so does another input; there is no context. */
const skillSupport: ProtocolSupport = { ...refusable, defer: 'native', ask: 'native' }

export const isSkillCommand = ({ agent, raw }: HookEvent): boolean =>
  agent === 'claude-code' && raw['hook_event_name'] === skillCommand

/** Looks up what Claude Code's protocol can express at an event. */
export function support(event: HookEvent): ProtocolSupport {
  if (isSkillCommand(event)) return skillSupport
  // A change of the managed settings cannot be refused.
  if (event.name === 'ConfigChange' && event.trigger === 'policy_settings') return observed
  return supportTable[event.name]
}

export const claudeCode: AgentDescriptor<'claude-code'> = {
  name: 'claude-code',
  title: 'Claude Code',
  folders: ['.claude'],
  hookSettings: [
    '.claude/settings.json',
    '.claude/settings.local.json',
    '.claude/remote-settings.json',
    '.claude/dev-mods',
    '.claude/plugins',
    '.claude/skills/*/.claude-plugin',
    '.claude/skills/*/hooks',
  ],
  innerCode: mods,
  events: {
    ...eventsNamedAlike(supportTable),
    [skillCommand]: on('PreToolUse', skillSupport, { tools: ['shell'], triggers: [skillTrigger] }),
  },
  tools: {
    shell: ['Bash', { command: 'command' }],
    powershell: ['PowerShell', { command: 'command' }],
    monitor: ['Monitor', { command: 'command', insteadOfCommand: 'ws' }],
    read: ['Read', filePath],
    write: ['Write', whole],
    edit: ['Edit', part],
    multiEdit: ['MultiEdit', filePath],
    notebook: ['NotebookEdit', { path: 'notebook_path', content: 'new_source' }],
    search: ['Grep', { path: 'path', pattern: 'pattern', glob: 'glob' }],
    list: ['Glob', { path: 'path', glob: 'pattern' }],
    fetch: ['WebFetch', { url: 'url', prompt: 'prompt' }],
    websearch: ['WebSearch', { pattern: 'query' }],
    agent: [['Agent', 'Task'], { content: 'prompt' }],
  },
  calledText: skills,
  httpBody,
  exposedEnv: [
    'CLAUDECODE',
    'CLAUDE_PROJECT_DIR',
    'CLAUDE_PLUGIN_ROOT',
    'CLAUDE_ENV_FILE',
    'CLAUDE_EFFORT',
    'CLAUDE_CODE_SESSION_ID',
    'CLAUDE_CODE_ENTRYPOINT',
  ],
  lints,
  ownRules,
  sessions: () => import('./transcript.ts'),
  variables,
  install: {
    kind: 'http-groups',
    switchedOff: switchOf,
    isPinned,
    never: { WorktreeCreate: 'its hook creates the folder instead of Claude Code' },
    needsMore: {
      FileChanged:
        'Claude Code watches only the files that its own settings name; add an entry of your own there with such a `matcher`',
    },
    // Only Cline has sessions that end this way.
    foreign: ['TaskCancel'],
  },
  managed,
}

/**
 * Encodes an answer as an HTTP hook's body.
 *
 * HTTP has no exit code and no stderr, and text that is not JSON is an error, so their content is put into JSON where
 * Claude Code reads it there.
 */
function httpBody({ stdout, exitCode }: Answer, event: EventName | undefined): string {
  const object = parseJsonObject(stdout)
  if (object !== undefined) {
    // By HTTP, only `continue: false` keeps a task open.
    const refusesTask = event === 'TaskCompleted' && exitCode === 2
    return refusesTask ? JSON.stringify({ continue: false, stopReason: object['reason'] ?? '', ...object }) : stdout
  }
  if (event === 'WorktreeCreate') {
    return JSON.stringify({ hookSpecificOutput: { hookEventName: event, worktreePath: stdout.trim() } })
  }
  // What remains are the instructions for a compaction: HTTP has no form for them, and Claude Code compacts without
  // them.
  return ''
}
