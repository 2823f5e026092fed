import { isAbsolute } from 'node:path'
import { agentNames, subscribedEvents } from '../../agents/registry.ts'
import { type Disk, isUnreadable } from '../../model/disk.ts'
import type { AgentName } from '../../model/event.ts'
import { limits } from '../../model/limits.ts'
import { bareCommand, commandsIn, isLaunch, ownHookAgent, ownHookBytesMax } from '../../model/own-hook.ts'
import { type JsonPath, type Problem, type Refusal, refused } from '../../model/errors.ts'
import { serverIn } from '../../model/remote.ts'
import type { CommandHandler, Program, Rule } from '../../model/rule.ts'
import type { RuleSource } from '../find/search.ts'
import { parseCondition } from '../match/condition.ts'
import { takesTool } from '../match/matcher.ts'
import type { Format } from '../places.ts'
import type { HookPosition, RulesDraft } from './draft.ts'
import { problem, refuse, type RulesFileState } from './reading.ts'
import { approvingOf, type AuthzenHook, type CommandHook } from './wire.ts'

/** Makes a rule of a Cline hook, if it is enabled. */
export function loadScript(
  { source, event, file, enabled }: Extract<RuleSource, { kind: 'script' }>,
  disk: Disk,
): RulesDraft {
  const id = `${source.id}/${event}`
  const subscribed = subscribedEvents('cline', event)
  const rule: Rule | undefined = subscribed && {
    id,
    source,
    match: {
      spelled: event,
      events: subscribed.events,
      triggers: subscribed.triggers,
      matcher: { kind: 'any' },
      subject: { kind: 'any' },
      condition: undefined,
    },
    handler: {
      kind: 'command',
      dialect: 'cline',
      program: { form: 'script', file },
      env: {},
      plainTextEvents: [],
      async: false,
    },
    onFailure: 'continue',
    mode: 'enforce',
    timeoutMs: undefined,
    sequence: undefined,
    untrustedReason: undefined,
  }
  const callsHookgate = enabled && isOwnLauncher({ form: 'script', file }, disk)
  const off = `${id} is switched off: it has no execute bit (\`chmod +x\` switches it on)`
  return {
    source,
    entries: rule === undefined || callsHookgate || !enabled ? [] : [rule],
    claimed: [],
    disabled: [],
    exceptions: [],
    problems: enabled ? [] : [notExecutable(file)],
    notes: enabled ? [] : [off],
    asking: callsHookgate ? [id] : [],
    disableAllHooks: false,
    preset: undefined,
    places: new Map([[id, { file }]]),
  }
}

/** Warns of a disabled hook. Cline disables hooks this way, but a checkout or a copy can lose the execute bit too. */
function notExecutable(file: string): Problem {
  const message = 'this hook is switched off: it has no execute bit'
  return { severity: 'warning', place: { file }, message, remedy: '`chmod +x` switches it on' }
}

/**
 * Returns true if a hook is nothing but an agent's call of hookgate. A hook that does anything else does not count.
 *
 * The gate's own hooks are in the folders that it searches, and a gate that runs itself as a hook would never end.
 */
export function isOwnLauncher(program: Program, disk: Disk): boolean {
  switch (program.form) {
    case 'shell':
      return launches(program.command) || runsOwnFile(wordsOf(program.command), disk)
    case 'exec':
      return launches([program.file, ...program.args].join(' ')) || runsOwnFile([program.file, ...program.args], disk)
    case 'script': {
      const script = scriptAt(program.file, disk)
      return script !== undefined && (ownHookAgent(script) !== undefined || launches(commandsIn(script)))
    }
  }
}

const launches = (command: string) => isLaunch(command) && !ownRules.test(command)
/** A launch with rules of its own is a guard. Its gate may call itself in turn, which `limits.depthMax` ends. */
const ownRules = /[ \t]["']?--(?:rules|no-discover)\b/

const wordsOf = (command: string) => bareCommand(command.trim()).split(/\s+/)

/** Returns true for a shell, its options and a script of hookgate: `hookgate enable` writes these for some agents. */
function runsOwnFile(words: readonly string[], disk: Disk): boolean {
  const file = words.at(-1)?.replaceAll(/["']/g, '') ?? ''
  if (!isAbsolute(file) || words.slice(1, -1).some((word) => !word.startsWith('-'))) return false
  const script = scriptAt(file, disk)
  return script !== undefined && ownHookAgent(script) !== undefined
}

/** Reads a script of a launcher's size; a larger one does more than call hookgate. */
function scriptAt(file: string, disk: Disk): string | undefined {
  const bytes = disk.see(file) === 'file' ? disk.read(file, ownHookBytesMax) : undefined
  return bytes === undefined || isUnreadable(bytes) ? undefined : new TextDecoder().decode(bytes)
}

/**
 * Makes the rule of a hook. Returns none, and reports why, if the hook is refused.
 *
 * @param isTheirs true if the file may be an agent's own
 */
export function commandRule(
  reading: RulesFileState,
  { id, spelled, matcher, path, sequence }: HookPosition,
  hook: CommandHook,
  isTheirs: boolean,
): readonly Rule[] {
  const { source, format, home } = reading
  const dialect = hook.dialect ?? 'claude-code'
  // An event that only other agents have counts as well.
  const ofOthers = agentNames.map((agent) => subscribedEvents(agent, spelled)).find((row) => row !== undefined)
  const subscribed = subscribedEvents(dialect, spelled) ?? ofOthers
  if (subscribed === undefined) return []
  const { events, triggers } = subscribed
  const condition = hook.if === undefined ? undefined : parseCondition(hook.if, events, home)
  const misplaced = misplacedVariable(hook, source.pluginRoot)
  if (misplaced !== undefined) refuse(reading, misplaced, [...path, 'command'])
  if (condition !== undefined && 'kind' in condition) refuse(reading, condition, [...path, 'if'])
  if (misplaced !== undefined || (condition !== undefined && 'kind' in condition)) return []
  warnOfHook(reading, hook, path)
  // A hook in Claude Code's own file was written for its timeout, which is longer than hookgate's.
  const hostTimeoutMs = isTheirs && claudeFormats.has(format) ? hostTimeoutAt(spelled) : undefined
  const rule: Rule = {
    id,
    source,
    match: { spelled, events, triggers, matcher, subject: { kind: 'any' }, condition },
    handler: handlerOf(hook, dialect, source.pluginRoot),
    onFailure: hook.onFailure ?? 'continue',
    mode: hook.mode ?? reading.mode,
    ...approvingOf(hook),
    timeoutMs: hook.timeout === undefined ? hostTimeoutMs : Math.max(1, Math.round(hook.timeout * 1000)),
    ...(hostTimeoutMs !== undefined && { hostTimeoutMs }),
    sequence,
    untrustedReason: undefined,
  }
  return [rule]
}

const claudeFormats: ReadonlySet<Format> = new Set<Format>(['settings', 'copy', 'plugin'])

/** Claude Code's default timeout (its hooks reference). */
const hostTimeoutAt = (spelled: string) => (quickEvents.has(spelled) ? hostQuickTimeoutMs : limits.hostTimeoutMs)
/** Default timeout of a hook in Claude Code's own files at events that a person waits for, such as a prompt. */
const hostQuickTimeoutMs = 30_000
const quickEvents: ReadonlySet<string> = new Set(['UserPromptSubmit', 'PreModelSwitch', 'PostModelSwitch'])

function warnOfHook(reading: RulesFileState, hook: CommandHook, path: JsonPath): void {
  if (hook.asyncRewake === true) {
    const message = '`asyncRewake` has no effect here: hookgate waits for the hook'
    problem(reading, 'warning', [...path, 'asyncRewake'], 'key', message, 'remove it')
  }
  if (hook.args !== undefined && hook.shell !== undefined) {
    problem(reading, 'warning', [...path, 'shell'], 'key', 'no shell is used with `args`', 'remove `shell` or `args`')
  }
}

/** Returns the handler that a hook of a rules file describes. */
function handlerOf(hook: CommandHook, dialect: AgentName, pluginRoot: string | undefined): CommandHandler {
  return {
    kind: 'command',
    dialect,
    program: programOf(hook),
    env: pluginRoot === undefined ? {} : { CLAUDE_PLUGIN_ROOT: pluginRoot },
    // Per the plugin format's reference, the output of a PostToolUse hook is a message for the model.
    plainTextEvents: pluginRoot === undefined ? [] : ['PostToolUse'],
    // hookgate cannot wake the agent later, so without waiting the answer of an `asyncRewake` hook would be lost.
    async: hook.async === true && hook.asyncRewake !== true,
  }
}

/**
 * Returns the program that a hook starts. `args` select the exec form.
 *
 * Their `${…}` are not expanded here, since only the event says where the project is; in shell form they are variables
 * for the shell. Claude Code runs `/bin/sh` for `bash` too (measured on 2.1.329).
 */
function programOf({ command, args, shell }: CommandHook): Program {
  if (args !== undefined) return { form: 'exec', file: command, args }
  return { form: 'shell', shell: shell === 'powershell' ? 'powershell' : 'sh', command }
}

/**
 * Refuses `CLAUDE_PLUGIN_ROOT` outside a plugin, where it is empty: `${CLAUDE_PLUGIN_ROOT}/guard.sh` would be at the
 * disk's root.
 */
function misplacedVariable(hook: CommandHook, pluginRoot: string | undefined): Refusal | undefined {
  if (pluginRoot !== undefined) return undefined
  const used = [hook.command, ...(hook.args ?? [])].some((text) =>
    /\$(?:\{CLAUDE_PLUGIN_ROOT\}|CLAUDE_PLUGIN_ROOT\b)/.test(text),
  )
  return used
    ? refused('`${CLAUDE_PLUGIN_ROOT}` is only set in plugins', 'write `${CLAUDE_PROJECT_DIR}`, or a path')
    : undefined
}

/** Makes the rule of a hook that asks a decision point. Returns none, and reports why, if the hook is refused. */
export function authzenRule(
  reading: RulesFileState,
  { id, spelled, matcher, path, sequence }: HookPosition,
  hook: AuthzenHook,
  events: Rule['match']['events'],
): readonly Rule[] {
  const { source, home } = reading
  if (!events.every(takesTool)) {
    const message = `a decision point is asked about calls, and ${spelled} is about none`
    problem(reading, 'error', [...path, 'type'], 'value', message, 'put it under `PreToolUse`')
    return []
  }
  if (source.bundled === true) {
    const message = 'a bundle asks no server: it only decides'
    problem(reading, 'error', [...path, 'type'], 'value', message, 'put it into the managed hooks.json')
    return []
  }
  const condition = hook.if === undefined ? undefined : parseCondition(hook.if, events, home)
  if (condition !== undefined && 'kind' in condition) {
    refuse(reading, condition, [...path, 'if'])
    return []
  }
  return [
    {
      id,
      source,
      match: { spelled, events, triggers: undefined, matcher, subject: { kind: 'any' }, condition },
      handler: { kind: 'remote', server: serverIn(hook), asks: { kind: 'authzen', subject: hook.subject } },
      onFailure: hook.onFailure ?? 'block',
      mode: hook.mode ?? reading.mode,
      ...approvingOf(hook),
      timeoutMs: hook.timeout === undefined ? undefined : Math.max(1, Math.round(hook.timeout * 1000)),
      sequence,
      untrustedReason: undefined,
    },
  ]
}
