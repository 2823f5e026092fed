import { agentNames } from '../../agents/registry.ts'
import type { AgentName, EventName, HookEvent } from '../../model/event.ts'
import type { Matcher } from '../../model/rule.ts'
import { knownToolNames, toolKind, toolNameFor, toolRow, toolSpellings } from '../../agents/tool-names.ts'
import { limits } from '../../model/limits.ts'
import { quoted } from '../../model/text.ts'
import {
  alternativesOf,
  compiledPattern,
  malformed,
  type OddAlternative,
  oddAlternatives,
  oddName,
  remedyFor,
  waysOf,
  type WrittenFor,
} from './pattern.ts'
import { type Refusal, refused } from '../../model/errors.ts'
import type { Format } from '../places.ts'

const any: Matcher = { kind: 'any' }

/** Claude Code's rule: a matcher of only these characters is a list of names; any other is a regular expression. */
const namesOnly = /^[\w\- ,|]*$/
/** Applies at the two events whose subjects may hold hyphens and commas. */
const narrowNamesOnly = /^[\w|]*$/
const narrowEvents: ReadonlySet<EventName> = new Set(['FileChanged', 'StopFailure'])

/**
 * Compiles a group's `matcher`. One that no tool can match is one of no names, as its own agent silently takes it:
 * `matcherWarnings` says so.
 */
export function compileMatcher(
  text: string | undefined,
  events: readonly EventName[],
  format: Format,
  agent: AgentName,
): Matcher | Refusal {
  if (isAny(text, events, format)) return any
  if (text.length > limits.matcherCharactersMax) {
    return refused(`the matcher is longer than ${limits.matcherCharactersMax} characters`, 'write several groups')
  }
  const names = isList(text, events) ? matcherNames(text) : undefined
  if (!events.some(takesTool) && names !== undefined) return { kind: 'names', names }
  const dead = new Set(
    oddParts(text, events, { agent, isForAll: format === 'hookgate' }).map((part) =>
      part.isDead ? part.text : undefined,
    ),
  )
  if (names !== undefined) return { kind: 'names', names: names.filter((name) => !dead.has(name)) }
  if (dead.has(text) || alternativesOf(text).every((one) => dead.has(one))) return { kind: 'names', names: [] }
  return patternMatcher(text)
}

function patternMatcher(text: string): Matcher | Refusal {
  const pattern = compiledPattern(text)
  return 'kind' in pattern ? pattern : { kind: 'pattern', pattern }
}

function isAny(
  text: string | undefined,
  events: readonly EventName[],
  format: Format,
): text is undefined | '' | '*' | 'auto' {
  if (text === undefined || text === '' || text === '*' || !events.some(takesMatcher)) return true
  return text === 'auto' && format === 'plugin' && events.some((event) => autoMatchesAll.has(event))
}
/** In the plugin format's reference `auto` is a synonym for `*` at these events; at PreCompact it is a trigger. */
const autoMatchesAll: ReadonlySet<EventName> = new Set(['SessionStart', 'SessionEnd'])

function isList(text: string, events: readonly EventName[]): boolean {
  return (events.some((event) => narrowEvents.has(event)) ? narrowNamesOnly : namesOnly).test(text)
}

/** Tells whether no tool can match a matcher: its hooks never run. */
export const matchesNothing = (matcher: Matcher): boolean => matcher.kind === 'names' && matcher.names.length === 0

/** Finds what is wrong with the parts of a matcher. */
function oddParts(text: string, events: readonly EventName[], writtenFor: WrittenFor): readonly OddAlternative[] {
  const whole = (message: string, remedy: string | undefined) => [{ text, isDead: true, message, remedy }]
  const onTools = events.some(takesTool)
  if (isList(text, events)) {
    const names = onTools ? matcherNames(text) : []
    const checked = names.slice(0, limits.checkedAlternativesMax)
    if (names.length > 0) return checked.flatMap((name) => oddName(name, writtenFor) ?? [])
    return whole(`the matcher ${quoted(text)} names nothing`, 'write `*`, or leave it out, to match everything')
  }
  if (onTools && isPermissionRule(text)) {
    const message = `the matcher ${quoted(text)} is a permission rule, and would be read as a regular expression`
    return whole(message, `write \`"matcher": "${text.slice(0, text.indexOf('('))}"\` and put the rule into \`if\``)
  }
  const why = malformed(text)
  if (why === undefined) return onTools ? oddAlternatives(text, writtenFor) : []
  const remedy =
    /\(\?[a-z]+\)/.test(text) || !onTools
      ? 'JavaScript has no inline flags: write `[Bb]ash`'
      : remedyFor(text, writtenFor)
  return whole(`the matcher ${quoted(text)} is not a regular expression: ${quoted(why)}`, remedy)
}

const matcherNames = (text: string) =>
  text
    .split(/[|,]/)
    .map((name) => name.trim())
    .filter((name) => name !== '')

/** Returns whether matching could take longer than an untrusted matcher may. */
export function takesLong(matcher: Matcher): boolean {
  if (matcher.kind === 'any' || matcher.kind === 'names' || matcher.pattern === undefined) return false
  return waysOf(matcher.pattern.source, limits.matcherSubjectCharactersMax) > untrustedMatcherWaysMax
}
/** `matcherWaysMax` for an untrusted regular expression: enough for `.*.*`, not for more of them. */
const untrustedMatcherWaysMax = 1e4

/** Recognises `Bash(touch *)`, but not the pattern `Task(Create|Update)`, which does match tools. */
function isPermissionRule(text: string): boolean {
  const [, tool = '', inside = ''] = /^(\w+)\(([^]*)\)$/.exec(text) ?? []
  return knownToolNames.has(tool) && !/^[A-Z]\w*(\|[A-Z]\w*)*$/.test(inside)
}

/**
 * Returns whether a matcher matches an event. A tool matches by its agent's name for it, other agents' names, and its
 * kind.
 *
 * @param writtenFor the agent whose names the rule was written with
 */
export function matcherMatches(matcher: Matcher, event: HookEvent, writtenFor: AgentName): boolean {
  if (matcher.kind === 'any') return true
  const subjects = subjectsOf(event)
  // Claude Code ignores a matcher at events that have no subject.
  if (subjects === undefined) return true
  if (matcher.kind === 'names') return subjects.some((subject) => matcher.names.includes(subject))
  // `^(?!Bash)` is meant to exclude a tool; tried against every spelling it would match `Bash` by its other names.
  const held = excludes(matcher.pattern) ? [nameFor(writtenFor, event) ?? subjects[0] ?? ''] : subjects
  // A subject longer than any name is not worth a pattern's time: the hook runs and decides for itself.
  return held.some((subject) => subject.length > limits.matcherSubjectCharactersMax || matcher.pattern.test(subject))
}

/**
 * Returns whether a pattern says which names it leaves out: `^(?!Bash)`, `^[^B]`, `^[C-Z]`. Such a pattern matches names
 * that no tool has, which one that says what it means does not.
 */
function excludes(pattern: RegExp): boolean {
  const known = excluding.get(pattern)
  if (known !== undefined) return known
  const found = /\(\?<?!/.test(pattern.source) || nobodysNames.some((name) => pattern.test(name))
  excluding.set(pattern, found)
  return found
}
const excluding = new WeakMap<RegExp, boolean>()
const nobodysNames = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
  .split('')
  .flatMap((letter) => [letter, letter.toLowerCase()])
  .flatMap((letter) => [`${letter}qzq`, `${letter}qzqzqzqzq`])

function nameFor(agent: AgentName, { tool, agent: caller }: HookEvent): string | undefined {
  if (tool === undefined || agent === caller) return tool?.name
  const row = toolRow(caller, tool.name, tool.kind)
  return row && toolNameFor(agent, row)
}

/** Values that agents are known to send, by event, from Claude Code's reference, and Cline's `completionStatus`. */
const knownTriggers: { readonly [Event in EventName]?: readonly string[] } = {
  SessionStart: ['startup', 'resume', 'clear', 'compact', 'fork'],
  SessionEnd: [
    'clear',
    'resume',
    'logout',
    'prompt_input_exit',
    'bypass_permissions_disabled',
    'other',
    'cancelled',
    'abandoned',
  ],
  PreCompact: ['manual', 'auto'],
  PostCompact: ['manual', 'auto'],
  Setup: ['init', 'maintenance'],
  ConfigChange: ['user_settings', 'project_settings', 'local_settings', 'policy_settings', 'skills'],
}

/** Returns warnings for a matcher that loads, and that is odd in a part or as a whole. */
export function matcherWarnings(
  text: string | undefined,
  events: readonly EventName[],
  format: Format,
  agent: AgentName,
): readonly Omit<Refusal, 'kind'>[] {
  const [event] = events
  if (event === undefined || text === undefined || text === '' || text === '*') return []
  if (!takesMatcher(event)) {
    return [{ message: `${event} has no matcher: ${quoted(text)} is ignored`, remedy: 'remove it' }]
  }
  if (isAny(text, events, format)) return []
  const known = knownTriggers[event]
  if (takesTool(event) || !isList(text, events))
    return oddParts(text, events, { agent, isForAll: format === 'hookgate' })
  if (known === undefined) return []
  return matcherNames(text)
    .filter((name) => !known.includes(name))
    .map((name) => ({
      message: `no known agent sends ${quoted(name)} at ${event}`,
      remedy: `known are ${known.map((value) => `\`${value}\``).join(', ')}`,
    }))
}

/**
 * Returns whether no known tool matches both matchers.
 *
 * Where both also match unknown tools, such as MCP tools, the answer is always false.
 */
export function neverBoth(a: Matcher, b: Matcher): boolean {
  if (a.kind === 'any' || b.kind === 'any') return false
  if (matchesUnknown(a) && matchesUnknown(b)) return false
  if ([a, b].some((one) => takesLong(one))) return false
  return !knownCalls().some((spellings) => matchesOne(a, spellings) && matchesOne(b, spellings))
}

/** Returns every known tool of every agent, each as all the names that a matcher may use for it. */
function knownCalls(): readonly (readonly string[])[] {
  return agentNames.flatMap((agent) =>
    [...knownToolNames].flatMap((name) => {
      const kind = toolKind(agent, name)
      return kind === 'other' || kind === 'mcp' ? [] : [toolSpellings(agent, name, kind)]
    }),
  )
}

function matchesOne(matcher: Matcher, spellings: readonly string[]): boolean {
  switch (matcher.kind) {
    case 'any':
      return true
    case 'names':
      return spellings.some((name) => matcher.names.includes(name))
    case 'pattern':
      return spellings.some((name) => matcher.pattern.test(name))
  }
}

function matchesUnknown(matcher: Matcher): boolean {
  switch (matcher.kind) {
    case 'any':
    case 'pattern':
      return true
    case 'names':
      return matcher.names.some((name) => name === 'mcp' || name === 'other' || !knownToolNames.has(name))
  }
}

/** The subject of a matcher at each event, from Claude Code's hooks reference: the tool, the trigger, or none. */
const subjects: Readonly<Record<EventName, 'tool' | 'trigger' | 'nothing'>> = {
  PreToolUse: 'tool',
  PostToolUse: 'tool',
  PostToolUseFailure: 'tool',
  PostToolBatch: 'nothing',
  Notification: 'trigger',
  UserPromptSubmit: 'nothing',
  UserPromptExpansion: 'trigger',
  SessionStart: 'trigger',
  SessionEnd: 'trigger',
  Stop: 'nothing',
  StopFailure: 'trigger',
  SubagentStart: 'trigger',
  SubagentStop: 'trigger',
  PreCompact: 'trigger',
  PostCompact: 'trigger',
  PreModelSwitch: 'trigger',
  PostModelSwitch: 'trigger',
  PermissionRequest: 'tool',
  PermissionDenied: 'tool',
  Setup: 'trigger',
  TeammateIdle: 'nothing',
  TaskCreated: 'nothing',
  TaskCompleted: 'nothing',
  Elicitation: 'trigger',
  ElicitationResult: 'trigger',
  ConfigChange: 'trigger',
  WorktreeCreate: 'nothing',
  WorktreeRemove: 'nothing',
  InstructionsLoaded: 'trigger',
  CwdChanged: 'nothing',
  FileChanged: 'trigger',
  DirectoryAdded: 'trigger',
  MessageDisplay: 'nothing',
}

export const takesTool = (event: EventName) => subjects[event] === 'tool'
const takesMatcher = (event: EventName) => subjects[event] !== 'nothing'

/** Returns the names that a matcher may use for an event's subject; `undefined` if the event has none. */
export function subjectsOf(event: HookEvent): readonly string[] | undefined {
  switch (subjects[event.name]) {
    case 'tool':
      return event.tool && toolSpellings(event.agent, event.tool.name, event.tool.kind)
    case 'trigger':
      return event.trigger === undefined ? undefined : [event.trigger]
    case 'nothing':
      return undefined
  }
}
