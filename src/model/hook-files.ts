import type { AgentName } from './agents.ts'
import type { OnFailure } from './effect.ts'
import type { Program } from './rule.ts'

/** A file in which an agent keeps its hooks, and how it reads it. Claude Code's own format and Cline's are read elsewhere. */
export interface HookFile {
  readonly agent: AgentName
  /** How paths of such files end; `*` is any name of a file. */
  readonly places: readonly string[]
  /** Keys that no other agent's file has, at the top or in a hook: they tell apart files that lie in the same place. */
  readonly marks: readonly string[]
  /** Whether the lists of hooks stand under `hooks`, or at the top of the file. */
  readonly events: 'hooks' | 'top'
  /** Whether the agent lets comments pass in it. */
  readonly comments?: true
  /** Keys that the file may have besides, where any other makes the agent throw it away. */
  readonly rootKeys?: readonly string[]
  /** What switches off all hooks of the file: a path into it, and the value there. */
  readonly off?: readonly (readonly [path: readonly string[], value: boolean])[]
  /** Where names or commands of single hooks stand that are switched off. */
  readonly offByName?: readonly string[]
  /** The keys under which a hook may say what it runs: the first of them that is there and for this system. */
  readonly commands: readonly CommandKey[]
  readonly timeout: {
    readonly keys: readonly string[]
    /** `either`: seconds below 1000, and milliseconds from there. */
    readonly unit: 's' | 'ms' | 'either'
    /** In seconds. Absent: it documents none. */
    readonly otherwise?: number
    /** Seconds at events that have less. */
    readonly shorter?: Readonly<Record<string, number>>
  }
  /** Under which key a hook names the folder it runs in, relative to the project's. */
  readonly folder?: string
  /** Whether the hooks of a file in the user's own folder run beside it. */
  readonly usersRunBesideIt?: true
  /** How many of an event's hooks run at once: all, one, or one where `sequential: true` stands in any of its groups. */
  readonly order: 'together' | 'sequence' | 'asked'
  readonly matcher: MatcherRules | 'none' | 'ignored'
  /** Events whose names have matcher rules of their own. */
  readonly matcherOf?: Readonly<Record<string, MatcherRules>>
  /** What a hook that fails counts as, by event; `continue` everywhere else. */
  readonly onFailure?: Readonly<Record<string, OnFailure>>
  /** The key that says of a single hook that its failure blocks. */
  readonly failClosed?: string
  /** Below which timeout a hook was most likely written for another unit, in ms. */
  readonly oddTimeoutBelowMs?: number
}

export interface CommandKey {
  readonly key: string
  readonly shell: Extract<Program, { form: 'shell' }>['shell']
  /** A program, with its arguments in `args`. */
  readonly program?: true
  readonly on?: NodeJS.Platform
}

/** How an agent compares a hook's matcher with the name of a tool. */
export interface MatcherRules {
  /** Texts that hear everything. Left out, every agent's does. */
  readonly all: readonly string[]
  /** Texts that hear nothing at all, though their author meant everything. */
  readonly never?: readonly string[]
  /** What makes a text a list of exact names, parted by `|`. Absent: it is always a pattern. */
  readonly names?: RegExp
  /** Whether a text that is a list of exact names is a pattern as well. */
  readonly namesArePatterns?: true
  /** Whether a pattern has to match the whole name. */
  readonly anchored?: true
  /** What a pattern is that does not compile: itself, letter for letter, or refused. */
  readonly broken: 'literal' | 'refused'
  /** Whether a tool is heard by what other agents call it, and by the names that it has been given since. */
  readonly aliases: boolean
  /** Whether `(?i)` at the beginning is understood. */
  readonly inlineFlags?: true
  /** What the matcher is held against at the events where it is the command itself. */
  readonly onCommand?: readonly string[]
}

const command: CommandKey = { key: 'command', shell: 'bash' }
const everything = ['', '*']
const copilotPascal: MatcherRules = { all: ['*'], never: [''], names: /^[\w\- ,|]*$/, broken: 'refused', aliases: true }
const pascalEvents = [
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'UserPromptSubmit',
  'SessionStart',
  'SessionEnd',
  'Stop',
  'SubagentStart',
  'SubagentStop',
  'PreCompact',
]

/**
 * The hook files of all agents but Claude Code and Cline, as their programs were measured to read them (November 2026), or
 * as they document it.
 */
export const hookFiles: readonly HookFile[] = [
  {
    agent: 'gemini-cli',
    places: ['.gemini/settings.json', 'gemini-cli/settings.json'],
    comments: true,
    marks: ['hooksConfig'],
    events: 'hooks',
    off: [[['hooksConfig', 'enabled'], false]],
    offByName: ['hooksConfig', 'disabled'],
    commands: [command],
    timeout: { keys: ['timeout'], unit: 'ms', otherwise: 60 },
    order: 'asked',
    matcher: { all: everything, broken: 'literal', aliases: false },
    oddTimeoutBelowMs: 1000,
  },
  {
    agent: 'codex',
    places: ['.codex/hooks.json'],
    marks: ['commandWindows', 'additionalContextLimit'],
    events: 'hooks',
    rootKeys: ['hooks', 'description', '$schema'],
    commands: [{ key: 'commandWindows', shell: 'sh', on: 'win32' }, command],
    timeout: { keys: ['timeout'], unit: 's', otherwise: 600, shorter: { SessionEnd: 1 } },
    order: 'together',
    matcher: { all: everything, names: /^[A-Za-z0-9_|]*$/, broken: 'refused', aliases: true, inlineFlags: true },
  },
  {
    agent: 'copilot-cli',
    places: [
      '.copilot/hooks/*.json',
      '.copilot/settings.json',
      '.github/copilot/settings.json',
      '.github/copilot/settings.local.json',
      'github-copilot/policy.d/*.json',
      '.github/hooks/*.json',
    ],
    marks: ['version', 'timeoutSec', 'exec'],
    events: 'hooks',
    off: [[['disableAllHooks'], true]],
    commands: [
      { key: 'powershell', shell: 'powershell', on: 'win32' },
      { key: 'exec', shell: 'sh', program: true },
      { key: 'bash', shell: 'bash' },
      command,
    ],
    timeout: { keys: ['timeoutSec', 'timeout'], unit: 's', otherwise: 30 },
    folder: 'cwd',
    order: 'sequence',
    matcher: { all: [], never: everything, anchored: true, broken: 'refused', aliases: false },
    matcherOf: Object.fromEntries(pascalEvents.map((event) => [event, copilotPascal])),
    // A hook that crashes or exits with any code but 0 refuses the call. One that takes too long does not, there.
    onFailure: { preToolUse: 'block', PreToolUse: 'block' },
  },
  {
    agent: 'vscode',
    places: ['.github/hooks/*.json'],
    marks: ['windows', 'linux', 'osx'],
    events: 'hooks',
    commands: [
      { key: 'windows', shell: 'sh', on: 'win32' },
      { key: 'osx', shell: 'sh', on: 'darwin' },
      { key: 'linux', shell: 'sh', on: 'linux' },
      { key: 'powershell', shell: 'powershell', on: 'win32' },
      { key: 'command', shell: 'sh' },
      { key: 'bash', shell: 'bash' },
    ],
    timeout: { keys: ['timeout', 'timeoutSec'], unit: 's', otherwise: 30 },
    folder: 'cwd',
    order: 'sequence',
    matcher: 'ignored',
  },
  {
    agent: 'qwen-code',
    places: ['.qwen/settings.json', 'qwen-code/settings.json'],
    comments: true,
    marks: [],
    events: 'hooks',
    off: [[['disableAllHooks'], true]],
    commands: [command],
    timeout: { keys: ['timeout'], unit: 'either', otherwise: 60 },
    order: 'asked',
    matcher: { all: everything, names: /^[\w|-]*$/, namesArePatterns: true, broken: 'refused', aliases: true },
  },
  {
    agent: 'droid',
    places: ['.factory/hooks.json'],
    marks: [],
    events: 'top',
    commands: [{ key: 'command', shell: 'sh' }],
    timeout: { keys: ['timeout'], unit: 's', otherwise: 60 },
    order: 'together',
    matcher: { all: everything, broken: 'refused', aliases: false },
  },
  {
    agent: 'droid',
    places: ['.factory/settings.json'],
    comments: true,
    marks: ['hooksDisabled'],
    events: 'hooks',
    off: [[['hooksDisabled'], true]],
    commands: [{ key: 'command', shell: 'sh' }],
    timeout: { keys: ['timeout'], unit: 's', otherwise: 60 },
    order: 'together',
    matcher: { all: everything, broken: 'refused', aliases: false },
  },
  {
    agent: 'cursor',
    places: ['.cursor/hooks.json', 'cursor/hooks.json', 'Cursor/hooks.json'],
    marks: ['version', 'failClosed', 'loop_limit'],
    events: 'hooks',
    commands: [{ key: 'command', shell: 'sh' }],
    timeout: { keys: ['timeout'], unit: 's' },
    usersRunBesideIt: true,
    order: 'together',
    matcher: {
      all: everything,
      broken: 'refused',
      aliases: false,
      onCommand: ['beforeShellExecution', 'afterShellExecution'],
    },
    failClosed: 'failClosed',
  },
  {
    agent: 'windsurf',
    places: ['.windsurf/hooks.json', 'windsurf/hooks.json', '.codeium/hooks.json'],
    marks: ['show_output', 'working_directory'],
    events: 'hooks',
    commands: [
      { key: 'powershell', shell: 'powershell', on: 'win32' },
      { key: 'command', shell: 'bash' },
    ],
    timeout: { keys: ['timeout'], unit: 's' },
    folder: 'working_directory',
    order: 'sequence',
    matcher: 'none',
  },
]
