import type { AgentName } from '../../model/agents.ts'
import type { EventName, HookEvent } from '../../model/event.ts'
import type { HookFile, MatcherRules } from '../../model/hook-files.ts'
import { limits } from '../../model/limits.ts'
import { mcpNameFor } from '../../model/mcp-names.ts'
import type { Matcher } from '../../model/rule.ts'
import { quoted } from '../../model/text.ts'
import { namesForTool, toolNamesOf } from '../../model/tool-names.ts'
import { type Refusal, refused } from '../../model/problem.ts'
import { compiledPattern } from './pattern.ts'
import { takesMatcher, takesTool } from './subject.ts'

type Native = Extract<Matcher, { kind: 'native' }>

/** Where a matcher stands: in whose file, at which event as that agent spells it. */
export interface NativePlace {
  readonly format: HookFile
  readonly spelled: string
  readonly event: EventName
}

/**
 * A matcher by the rules of the agent whose file it stands in. One that can never match is refused: there it would be off
 * without a word.
 */
export function compileNative(text: string | undefined, place: NativePlace): Matcher | Refusal {
  const { format, spelled, event } = place
  const rules = format.matcherOf?.[spelled] ?? format.matcher
  if (text === undefined || rules === 'none' || rules === 'ignored') return { kind: 'any' }
  if (rules.never?.includes(text) === true) {
    return refused(
      `the matcher ${quoted(text)} never matches: ${format.agent} matches it against whole names, as a regular expression`,
      'leave it out, or write `.*`, to match everything',
    )
  }
  if (rules.all.includes(text) || !takesMatcher(event)) return { kind: 'any' }
  if (text.length > limits.matcherCharactersMax) {
    return refused(`the matcher is longer than ${limits.matcherCharactersMax} characters`, 'write several hooks')
  }
  const matcher = compiled(text, rules, place)
  if (matcher.kind === 'refused' || !takesTool(event) || isOnCommand(rules, spelled)) return matcher
  return neverHeard(text, matcher) ?? matcher
}

/** Whether what the matcher is held against is the command itself. */
export const isOnCommand = (rules: HookFile['matcher'], spelled: string): boolean =>
  typeof rules === 'object' && rules.onCommand?.includes(spelled) === true

function compiled(text: string, rules: MatcherRules, { format: { agent }, event }: NativePlace): Native | Refusal {
  const base = { kind: 'native', agent, text, aliases: rules.aliases } as const
  // How something came about is compared as a whole by those that have no lists.
  if (!takesTool(event) && rules.broken === 'literal') return { ...base, names: [text], pattern: undefined }
  const names = rules.names?.test(text) === true ? text.split('|').filter((name) => name !== '') : []
  if (names.length > 0 && rules.namesArePatterns !== true) return { ...base, names, pattern: undefined }
  const [, flags = '', body = ''] =
    rules.inlineFlags === true ? (/^(?:\(\?(i)\))?(.*)$/s.exec(text) ?? []) : ['', '', text]
  const pattern = compiledPattern(rules.anchored === true ? `^(?:${body})$` : body, flags)
  if (!('kind' in pattern)) return { ...base, names, pattern }
  return rules.broken === 'literal' ? { ...base, names: [text], pattern: undefined } : pattern
}

/** A name that is another agent's, or that differs by case alone: what this agent sends is never that. */
function neverHeard(text: string, matcher: Native): Refusal | undefined {
  const { agent } = matcher
  const own = toolNamesOf(agent, matcher.aliases)
  if (own.some((name) => hearsName(matcher, [name], namesForTool(agent, agent, name)))) return undefined
  const meant = own.find((name) => name.toLowerCase() === text.toLowerCase()) ?? translated(agent, text)
  return meant === undefined
    ? undefined
    : refused(`${agent} has no tool ${quoted(text)}, so this hook would never run`, `write \`${meant}\``)
}

/** Claude Code's names in this agent's words. */
function translated(agent: AgentName, text: string): string | undefined {
  const names = text.split('|').map((name) => namesForTool(agent, 'claude-code', name)[0])
  return names.includes(undefined) ? undefined : [...new Set(names)].join('|')
}

/** What is odd about a matcher that loads. */
export function nativeWarnings(
  text: string | undefined,
  matcher: Matcher,
  { format, event, spelled }: NativePlace,
): readonly Omit<Refusal, 'kind'>[] {
  const rules = format.matcherOf?.[spelled] ?? format.matcher
  if (text === undefined || text === '') return []
  if (rules === 'ignored') {
    const message = `${format.agent} ignores matchers: the hook runs for every tool`
    return [{ message, remedy: "have the hook check the tool's name itself" }]
  }
  if (rules === 'none') {
    return [
      {
        message: `${format.agent} has no \`matcher\``,
        remedy: 'remove it: each of its events is for one kind of tool',
      },
    ]
  }
  if (text !== '*' && !takesMatcher(event)) {
    return [{ message: `${event} has no matcher: ${quoted(text)} is ignored`, remedy: 'remove it' }]
  }
  if (matcher.kind !== 'native' || !takesTool(event) || isOnCommand(rules, spelled) || /mcp/i.test(text)) return []
  const known = toolNamesOf(format.agent, matcher.aliases)
  return known.some((name) => hearsName(matcher, [name], namesForTool(format.agent, format.agent, name)))
    ? []
    : [{ message: `no known tool of ${format.agent} matches ${quoted(text)}`, remedy: undefined }]
}

/** Whether such a matcher hears an event: by what its agent itself calls the tool, or how it came about. */
export function nativeHears(matcher: Native, { name, agent, action, trigger }: HookEvent): boolean {
  if (!takesTool(name)) return trigger === undefined || hearsName(matcher, [trigger], [])
  if (action === undefined) return true
  if (action.tool === 'mcp') return hearsName(matcher, [mcpNameFor(matcher.agent, action.name) ?? action.name], [])
  const [own, ...aliases] = namesForTool(matcher.agent, agent, action.name, action.tool)
  // A tool that its agent does not have keeps its name: the hook is told of it as it is.
  return hearsName(
    matcher,
    [...(own === undefined || agent === matcher.agent ? [action.name] : []), ...(own === undefined ? [] : [own])],
    aliases,
  )
}

function hearsName({ names, pattern, aliases }: Native, own: readonly string[], others: readonly string[]): boolean {
  const all = aliases ? [...own, ...others] : own
  if (names.some((name) => all.includes(name))) return true
  if (pattern === undefined) return false
  // `^(?!Bash)` is meant to leave a tool out; held against every name of it, it would hear it by another.
  const held = /\(\?<?!/.test(pattern.source) ? own : all
  return held.some((name) => name.length > limits.matcherSubjectCharactersMax || pattern.test(name))
}
